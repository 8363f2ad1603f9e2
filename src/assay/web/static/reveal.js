// @ts-check
/** Blocks that are shown only after some answers: fetched once those answers are stored. */

export class Reveal {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    /** What to do when something has come. */
    this.onShown = () => {};
  }

  /** Whether nothing is open any more that a block waits for, and it has not come yet.
   * @param {(dimension: string) => boolean} isDone */
  isDue(isDone) {
    const places = [...this.form.querySelectorAll(".waiting")].map((each) => /** @type {HTMLElement} */ (each));
    return places.some((place) => (place.dataset.after ?? "").split(" ").every(isDone));
  }

  /** @param {number[]} due the blocks that may be shown now */
  async show(due) {
    const places = due.map((number) => this.form.querySelector(`.waiting[data-reveal="${number}"]`));
    if (!places.some(Boolean)) return;
    try {
      const answer = await fetch(`${this.form.dataset.home}/reveal/${this.form.dataset.item}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      for (const [number, html] of Object.entries((await answer.json()).blocks)) this.put(number, String(html));
    } catch { /* the next save asks again */ }
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
    this.onShown();
  }
}
