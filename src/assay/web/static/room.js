// @ts-check
/** How large the page is set: rows and texts are ample as long as nothing has to be scrolled for them, and what then just
 * fits is set snugly or tightly. Rows go by the questions alone, so that answers lie in the same place on every item. */

/** @typedef {import("./questions.js").Questions} Questions */

const FRAME = matchMedia("(width > 900px) and (height >= 600px)");
const HIGH = matchMedia("(height >= 820px)");
/** What the line above Submit takes when it comes. */
const SPARE_PX = 32;

/** How rows were set for the same questions in the same room: on most items nothing has to be measured for them.
 * @type {Map<string, string>} */
const rowsBefore = new Map();

/** How items that come next can be set, by their names: measured before they are shown.
 * @type {Map<string, {size: string, rows: string, text: string, tallest: number, fits: boolean}>} */
const measured = new Map();

/** The event at the form that says that rows and texts are set for another room. */
export const SET = "roomset";

/** The room that the form on the page has. */
let lastSize = "";

/** The room that a form has, and what else decides how much goes into it. @param {HTMLFormElement} form */
function roomOf(form) {
  const { clientWidth, clientHeight } = form;
  return [clientWidth, clientHeight, document.documentElement.dataset.density, getComputedStyle(form).fontSize].join(" ");
}

/** Set an item, before it is on the page, as it was measured; else as large as the one before, which is most often right.
 * @param {HTMLFormElement} coming @param {HTMLFormElement | null} before the item in whose place it comes */
export function takeRoom(coming, before) {
  const known = measured.get(coming.dataset.item ?? "");
  // What it was when it was looked at last, not what it is: to ask is to have the item laid out that goes.
  const holds = known && before && known.size === lastSize;
  const { rows, text } = holds ? known : before?.dataset ?? {};
  for (const [name, value] of Object.entries({ rows, text })) if (value) coming.dataset[name] = value;
  if (holds) keepHeight(rubricsOf(coming), known.tallest);
}

/** What the answers of each question mean, one of which is shown. @param {HTMLFormElement} form */
const rubricsOf = (form) => /** @type {HTMLElement | null} */ (form.querySelector(".rubrics"));

/** Keep as much room as the tallest of them takes, so that nothing moves and the others need not be laid out; or none, so
 * that it can be measured. @param {HTMLElement | null} rubrics @param {number} tallest */
function keepHeight(rubrics, tallest) {
  if (!rubrics) return;
  rubrics.style.minHeight = tallest > 0 ? `${tallest}px` : "";
  rubrics.toggleAttribute("data-measured", tallest > 0);
}

/** @param {Element} part */
const scrolls = (part) => part.scrollHeight > part.clientHeight;

export class Room {
  /** @param {HTMLFormElement} form @param {Questions} questions @param {AbortSignal} signal fires when the item goes */
  constructor(form, questions, signal) {
    this.form = form;
    this.questions = questions;
    this.content = /** @type {HTMLElement} */ (form.querySelector(".content"));
    /** What scrolls: the whole content, or its columns. */
    this.texts = [this.content, ...this.content.querySelectorAll(":scope > :is(.source, .output)")];
    this.panel = /** @type {HTMLElement} */ (form.querySelector(".questions"));
    this.rubrics = rubricsOf(form);
    this.size = "";
    const watcher = new ResizeObserver(() => this.look());
    watcher.observe(form);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.look();
  }

  /** The window is another one, or there is more beside the item: see anew what fits. */
  look() {
    if (!this.panel.isConnected) return; // other questions are here by now
    const size = roomOf(this.form);
    if (size === this.size) return;
    lastSize = this.size = size;
    this.fit();
    this.form.dispatchEvent(new Event(SET));
  }

  /** Whether there is anything to measure: with little room all items are set alike. */
  static get isOfUse() {
    return FRAME.matches;
  }

  fit() {
    if (!Room.isOfUse) {
      this.set("", "");
      return;
    }
    if (this.fitsAsMeasured()) return;
    keepHeight(this.rubrics, 0);
    const larger = HIGH.matches && document.documentElement.dataset.density !== "compact" ? ["ample", "easy"] : [];
    // Where the text stands over the questions, both take from the same room.
    const stacked = this.content.offsetWidth > 0.8 * this.form.clientWidth;
    const rows = stacked ? this.rowsThat(larger, () => this.fits(), true) : this.rowsAsBefore(larger);
    const text = [...(stacked && !larger.includes(rows) ? [] : larger), "", "snug", "tight"].find((each) => {
      this.set(rows, each);
      return !this.texts.some(scrolls);
    });
    this.set(rows, text ?? "");
    keepHeight(this.rubrics, this.tallest);
  }

  /** The height of the rubrics, which lie on one another. */
  get tallest() {
    return this.rubrics?.offsetHeight ?? 0;
  }

  /** Whether it was measured before, and everything is as it was then. */
  fitsAsMeasured() {
    const { item = "" } = this.form.dataset;
    const known = measured.get(item);
    measured.delete(item); // what comes to it later would not be in it
    if (known?.size !== this.size) return false;
    this.set(known.rows, known.text);
    return this.fits() === known.fits;
  }

  /** Keep what was found for when the item is shown. */
  remember() {
    const { item = "", rows = "", text = "" } = this.form.dataset;
    measured.set(item, { size: this.size, rows, text, tallest: this.tallest, fits: this.fits() });
  }

  /** Of all ways the first that does what is asked; texts are set along where both take from the same room.
   * @param {string[]} larger @param {(isLarger: boolean) => boolean} suits @param {boolean} textsToo */
  rowsThat(larger, suits, textsToo) {
    return [...larger, "", "tight"].find((each) => {
      this.set(each, textsToo ? each : "");
      return suits(larger.includes(each));
    }) ?? "";
  }

  /** @param {string[]} larger */
  rowsAsBefore(larger) {
    const asked = this.questions.asked.map((each) => `${each.id} ${each.querySelector("legend")?.textContent}`);
    const key = JSON.stringify([this.size, asked]);
    const rows = rowsBefore.get(key)
      ?? this.rowsThat(larger, (isLarger) => this.fitsWhicheverIsOpen(isLarger ? SPARE_PX : 0), false);
    rowsBefore.set(key, rows);
    return rows;
  }

  fits() {
    return !this.texts.some(scrolls) && !scrolls(this.panel);
  }

  /** Whether the questions fit, whichever of them is open: all opened and all closed are looked at once each.
   * @param {number} spare height that has to be left */
  fitsWhicheverIsOpen(spare) {
    const { asked, active } = this.questions;
    const [open, closed] = [true, false].map((on) => {
      for (const each of asked) each.classList.toggle("active", on);
      return asked.map((each) => each.offsetHeight);
    });
    const room = this.panel.clientHeight;
    const top = this.panel.getBoundingClientRect().top - this.panel.scrollTop;
    const whole = Math.max(...[...this.panel.children].map((each) => each.getBoundingClientRect().bottom)) - top;
    active?.classList.add("active");
    return whole + Math.max(...open.map((height, index) => height - closed[index])) + spare <= room;
  }

  /** More has come than there was room for: on this item nothing grows any more. */
  shrink() {
    const { rows = "", text = "" } = this.form.dataset;
    if (["ample", "easy"].includes(rows) && scrolls(this.panel)) {
      this.set("", text);
      keepHeight(this.rubrics, 0);
      keepHeight(this.rubrics, this.tallest);
    }
    if (["ample", "easy"].includes(text) && this.texts.some(scrolls)) this.set(this.form.dataset.rows ?? "", "");
  }

  /** @param {string} rows @param {string} text */
  set(rows, text) {
    for (const [name, value] of Object.entries({ rows, text })) {
      if (this.form.dataset[name] === (value || undefined)) continue;
      if (value) this.form.dataset[name] = value;
      else delete this.form.dataset[name];
    }
  }
}
