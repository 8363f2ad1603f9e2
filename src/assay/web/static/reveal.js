// @ts-check
/** Blocks that are shown only after some answers: fetched once those answers are stored. */
import { isFinal, pause } from "./send.js";

export class Reveal {
  /** @param {HTMLFormElement} form @param {() => void} come called when something has come */
  constructor(form, come) {
    this.form = form;
    this.come = come;
    /** @type {number[]} */
    this.due = [];
    /** Whether it is being asked for. */
    this.asking = false;
    /** What else to do then. */
    this.onShown = () => {};
  }

  /** Whether nothing is open any more that a block waits for, and it has not come yet.
   * @param {(dimension: string) => boolean} isDone */
  isDue(isDone) {
    const places = [...this.form.querySelectorAll(".waiting")].map((each) => /** @type {HTMLElement} */ (each));
    return places.some((place) => (place.dataset.after ?? "").split(" ").every(isDone));
  }

  /** Fetch what may be shown now. Somebody may be waiting for it, so it is asked for until it comes.
   * @param {number[]} due the blocks that may be shown now */
  async show(due) {
    this.due = due;
    if (this.asking) return;
    this.asking = true;
    const isOpen = () => this.due.some((number) => this.form.querySelector(`.waiting[data-reveal="${number}"]`));
    for (let attempt = 0; this.form.isConnected && isOpen(); attempt += 1) {
      if (attempt > 0) await pause(attempt - 1);
      if (!await this.fetch()) break;
    }
    this.asking = false;
  }

  /** @returns {Promise<boolean>} whether it is of use to ask again for what has not come */
  async fetch() {
    try {
      const answer = await fetch(`${this.form.dataset.home}/reveal/${this.form.dataset.item}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return !isFinal(answer);
      const { blocks, seen } = await answer.json();
      // With the proof that they have come, answers about them are taken.
      /** @type {HTMLInputElement} */ (this.form.querySelector("[name=seen]")).value = seen.join(" ");
      for (const [number, html] of Object.entries(blocks)) this.put(number, String(html));
    } catch { /* there is no connection */ }
    return true;
  }

  /** @param {string} number @param {string} html */
  put(number, html) {
    const place = this.form.querySelector(`.waiting[data-reveal="${number}"]`);
    const page = new DOMParser().parseFromString(html, "text/html");
    const block = page.body.firstElementChild;
    if (!place || !block) return;
    block.classList.add("revealed");
    block.setAttribute("role", "status");
    place.replaceWith(block);
    this.come();
    this.onShown();
  }
}
