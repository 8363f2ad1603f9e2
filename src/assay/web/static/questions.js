// @ts-check
/** The questions on the page: which one is open, what is answered, what is missing. */
import { holds } from "./rules.js";

/** @typedef {{required: string, tree: any[], message: string}} Rule */
/** @typedef {HTMLFieldSetElement} Question */

export class Questions {
  /** @param {HTMLFormElement} form @param {Rule[]} rules */
  constructor(form, rules) {
    this.form = form;
    this.rules = rules;
    /** @type {Question[]} */
    this.all = [...form.querySelectorAll("fieldset.question")].map((each) => /** @type {Question} */ (each));
    this.openByFocusOrClick();
    this.mark();
  }

  /** A question opens when the keyboard brings the focus into it, or by a click. What a finger or the mouse presses
   * must not move before the click is done, so the focus that comes with a press opens nothing; nor does the second
   * click of a double click reach the question that has come under it meanwhile. */
  openByFocusOrClick() {
    let pointing = false;
    /** @type {Question | null} */
    let clicked = null;
    addEventListener("pointerdown", () => { pointing = true; }, true);
    addEventListener("keydown", () => { pointing = false; }, true);
    for (const question of this.all) {
      question.addEventListener("focusin", () => { if (!pointing) this.open(question); });
      question.addEventListener("click", (event) => {
        if (event.detail > 1 && question !== clicked) {
          event.preventDefault();
          return;
        }
        // A label passes its click on to its control: that one has no count.
        if (event.detail > 0) clicked = question;
        this.open(question);
      });
    }
  }

  /** @returns {Question | undefined} */
  get active() {
    return this.all.find((question) => question.classList.contains("active"));
  }

  /** @param {Question} question */
  open(question) {
    for (const each of this.all) each.classList.toggle("active", each === question);
  }

  /** The question that a control belongs to. @param {EventTarget | null} control @returns {Question | undefined} */
  of(control) {
    return this.all.find((question) => control instanceof Node && question.contains(control));
  }

  /** What a question's controls say now, as the form would send it.
   * @param {Question} question @returns {string[]} */
  raw(question) {
    return new FormData(this.form).getAll(question.dataset.key ?? "").map(String).filter((text) => text.trim() !== "");
  }

  /** The answers as rules see them: numbers for scales, a list for tags, a text, or null.
   * @returns {Record<string, any>} */
  values() {
    return Object.fromEntries(this.all.map((question) => {
      const raw = this.raw(question);
      if (raw.length === 0) return [question.dataset.key, null];
      if (question.classList.contains("scale")) return [question.dataset.key, Number(raw[0])];
      return [question.dataset.key, question.classList.contains("tags") ? raw : raw[0].trim()];
    }));
  }

  /** What a rule says now of a question that may else be left out.
   * @param {Question} question @param {Record<string, any>} values @returns {string | undefined} */
  demand(question, values) {
    return this.rules.find((each) => each.required === question.dataset.key && holds(each.tree, values))?.message;
  }

  /** The questions that must be answered and are not, each with the reason.
   * @returns {Map<Question, string>} */
  missing() {
    const values = this.values();
    const missing = new Map();
    for (const question of this.all) {
      if (values[question.dataset.key ?? ""] !== null) continue;
      const demand = this.demand(question, values);
      if (demand) missing.set(question, demand);
      else if (!("optional" in question.dataset)) missing.set(question, "Please answer this question.");
    }
    return missing;
  }

  /** Say at each question whether it may be left out, as the answers stand. */
  mark() {
    const values = this.values();
    for (const question of this.all) {
      const demand = this.demand(question, values);
      const label = question.querySelector(".optional");
      if (label) label.textContent = demand ? `required: ${demand}` : "optional";
      label?.classList.toggle("demanded", Boolean(demand));
      question.querySelector("textarea")?.setAttribute("aria-required", String(!label || Boolean(demand)));
    }
  }

  /** Give an answer by its key on the keyboard; false where the open question has no such answer.
   * @param {string} digit @returns {boolean} */
  answer(digit) {
    const question = this.active;
    const wanted = question && JSON.parse(question.dataset.keys ?? "{}")[digit];
    if (!question || wanted === undefined) return false;
    const control = [...question.querySelectorAll("input")].find((input) => input.value === wanted);
    if (!control) return false;
    control.checked = true;
    control.dispatchEvent(new Event("change", { bubbles: true }));
    this.next();
    return true;
  }

  /** Open the next question that still needs an answer; a note that a rule asks for gets the cursor. */
  next() {
    const missing = this.missing();
    const from = this.active ? this.all.indexOf(this.active) : -1;
    const order = [...this.all.slice(from + 1), ...this.all.slice(0, from + 1)];
    const wanted = order.find((question) => missing.has(question));
    if (wanted) this.go(wanted);
  }

  /** Open a question and put the focus where a person goes on.
   * @param {Question} question */
  go(question) {
    this.open(question);
    const text = question.querySelector("textarea");
    (text ?? question).focus();
    question.scrollIntoView({ block: "nearest" });
  }

  back() {
    const at = this.active ? this.all.indexOf(this.active) : 0;
    if (at > 0) this.go(this.all[at - 1]);
  }

  /** Take back the open answer: a radio button cannot be un-chosen otherwise. */
  clear() {
    for (const control of this.active?.querySelectorAll("input") ?? []) {
      if (control.checked) {
        control.checked = false;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
  }
}
