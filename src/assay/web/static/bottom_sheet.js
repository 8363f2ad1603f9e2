// @ts-check
/** On a phone: the questions as a sheet over the content, one at a time. It opens by a tap, or at the content's end. */
import { t } from "./words.js";

import { seenAgain } from "./seen_again.js";
import { SideSwitch } from "./side_switch.js";

/** @typedef {import("./questions.js").Questions} Questions */

const PHONE = matchMedia("(width <= 900px) and (height >= 600px)");
/** How long a chosen answer is seen before the next question takes its place. */
const SEEN_MS = 180;

/** @param {HTMLFormElement} form @param {Questions} questions @param {AbortSignal} signal fires when the item goes */
export function wireBottomSheet(form, questions, signal) {
  const place = /** @type {HTMLElement | null} */ (form.querySelector(".sheet"));
  const content = /** @type {HTMLElement | null} */ (form.querySelector(".content"));
  if (place && content && questions.all.length > 0) new BottomSheet(form, place, content, questions).wire(signal);
}

class BottomSheet {
  /** @param {HTMLFormElement} form @param {HTMLElement} place @param {HTMLElement} content @param {Questions} questions */
  constructor(form, place, content, questions) {
    this.form = form;
    this.place = place;
    this.content = content;
    this.questions = questions;
    this.toggle = this.part("[data-toggle]");
    this.ways = [...place.querySelectorAll("[data-to]")].map((each) => /** @type {HTMLElement} */ (each));
    /** Whether the sheet was closed by hand at the end: it opens by itself again after the end was left. */
    this.declined = false;
    /** Whether the last thing done was a tap or a click: only those go on by themselves. */
    this.tapped = false;
    this.reserve = 0;
    this.sides = new SideSwitch(place, content);
  }

  /** @param {string} selector @returns {HTMLElement} */
  part(selector) {
    return /** @type {HTMLElement} */ (this.place.querySelector(selector));
  }

  /** @param {AbortSignal} signal */
  wire(signal) {
    this.toggle.addEventListener("click", () => this.open(!this.isOpen, true));
    for (const way of this.ways) way.addEventListener("click", () => this.step(Number(way.dataset.to)));
    for (const part of this.place.querySelectorAll(".to-sides, .questions, .send")) {
      part.addEventListener("focusin", () => this.open(true));
    }
    this.form.addEventListener("pointerdown", () => { this.tapped = true; }, true);
    this.form.addEventListener("keydown", () => { this.tapped = false; }, true);
    this.form.addEventListener("change", (event) => this.goOn(event.target, signal));
    addEventListener("scroll", () => this.look(), { passive: true, signal });
    PHONE.addEventListener("change", () => this.show(), { signal });
    // Which question is open, and whether something is wrong, can be seen at the elements, whoever has brought it about.
    const watcher = new MutationObserver((seen) => {
      if (seen.some(({ attributeName }) => attributeName === "hidden") && this.complains) this.open(true);
      this.show();
    });
    watcher.observe(this.part(".questions"), { subtree: true, attributeFilter: ["class", "disabled", "hidden"] });
    watcher.observe(this.part(".alert"), { attributeFilter: ["hidden"] });
    const sizes = new ResizeObserver(() => this.show());
    sizes.observe(this.content);
    signal.addEventListener("abort", () => {
      watcher.disconnect();
      sizes.disconnect();
    });
    if (this.complains) this.open(true);
    this.show();
  }

  get isOpen() {
    return this.place.classList.contains("open");
  }

  get complains() {
    const alert = this.place.querySelector(".alert");
    return alert !== null && !alert.hasAttribute("hidden");
  }

  /** @param {boolean} on @param {boolean} [byHand] */
  open(on, byHand = false) {
    if (byHand) this.declined = !on;
    if (on === this.isOpen) return;
    this.place.classList.toggle("open", on);
    this.toggle.setAttribute("aria-expanded", String(on));
    this.keepRoom();
  }

  /** Name the open question in the handle. */
  show() {
    const { asked, active } = this.questions;
    if (!active) return;
    const at = asked.indexOf(active);
    // As the line beside Submit counts: what may be left out has no number.
    const needed = asked.filter((each) => !("optional" in each.dataset) || each.querySelector(".optional.demanded"));
    const number = needed.indexOf(active) + 1;
    const [side, title] = [".of", ".title"].map((part) => active.querySelector(`legend ${part}`)?.textContent ?? "");
    this.part(".at").textContent = number ? `${number}/${needed.length}` : t("script.optional");
    this.part(".asked").textContent = side + title;
    if (PHONE.matches) {
      seenAgain(this.part(".seen-again"), this.content, active);
      this.sides.follow(active, this.isOpen);
    }
    for (const way of this.ways) {
      const there = asked[at + Number(way.dataset.to)];
      way.setAttribute("aria-disabled", String(there === undefined));
    }
    this.keepRoom();
    this.look();
  }

  /** The content leaves as much room at its end as the open sheet will take, so that nothing jumps when it opens. */
  keepRoom() {
    // To ask for heights is to have the page laid out: only where they are of use.
    if (!PHONE.matches && this.reserve === 0) return;
    const parts = [...this.place.querySelectorAll(":scope > :is(.to-sides, .questions, .send)")];
    const hidden = parts.reduce((sum, each) => sum + /** @type {HTMLElement} */ (each).offsetHeight, 0);
    const most = innerHeight * 0.6;
    const reserve = PHONE.matches && !this.isOpen ? Math.round(Math.min(hidden, most)) : 0;
    if (reserve === this.reserve) return;
    this.reserve = reserve;
    this.form.style.setProperty("--reserve", `${reserve}px`);
  }

  /** Open at the end of the content: when its last line has come to where the sheet's edge will be. */
  look() {
    if (!PHONE.matches || this.isOpen) return;
    const end = this.content.getBoundingClientRect().bottom - this.reserve;
    const edge = innerHeight - this.part(".handle").offsetHeight - this.reserve;
    if (end > edge + 2) this.declined = false;
    else if (!this.declined) this.open(true);
  }

  /** To the question before or after, answered or not. @param {number} by */
  step(by) {
    const { asked, active } = this.questions;
    const there = asked[(active ? asked.indexOf(active) : 0) + by];
    if (there) this.questions.open(there);
    this.open(true);
  }

  /** After an answer by finger the next one that is missing comes by itself. @param {EventTarget | null} control
   * @param {AbortSignal} signal */
  goOn(control, signal) {
    if (!PHONE.matches || !this.tapped || !(control instanceof HTMLInputElement)) return;
    // Of several ticks more may follow, unless none applies.
    if (control.type === "checkbox" && !(control.checked && control.hasAttribute("data-none"))) return;
    const question = this.questions.of(control);
    setTimeout(() => {
      if (!signal.aborted && question === this.questions.active) this.questions.next();
    }, SEEN_MS);
  }
}
