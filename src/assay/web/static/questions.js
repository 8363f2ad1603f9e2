// @ts-check
/** The questions on the page: which one is open, what is answered, what is missing, what the rules leave open. */
import { sentControls } from "./form_values.js";
import { goesOnFrom, showKeys } from "./key_hint.js";
import { kindOf } from "./kinds.js";
import { showMeter, write } from "./meter.js";
import { openByFocusOrClick } from "./open_by_focus.js";
import { PageRules, UNABLE } from "./page_rules.js";
import { t } from "./words.js";

/** @typedef {import("./rules.js").Rule} Rule */
/** @typedef {HTMLFieldSetElement} Question */

/** Why a form is not complete, where no rule has a word for it. */
export const MISSING = t("answers.missing");

/** A text that may be left out as long as no rule asks for it. @param {Question} question */
const isNote = (question) => "optional" in question.dataset && question.querySelector("textarea") !== null;

export class Questions {
  /** @param {HTMLFormElement} form @param {Rule[]} rules @param {AbortSignal} signal when they go from the page */
  constructor(form, rules, signal) {
    this.form = form;
    this.rules = new PageRules(this, rules);
    /** @type {Question[]} */
    this.all = [...form.querySelectorAll("fieldset.question")].map((each) => /** @type {Question} */ (each));
    openByFocusOrClick(this, signal);
  }

  /** The questions that are asked, as the answers stand: the others are put away. @returns {Question[]} */
  get asked() {
    return this.all.filter((question) => !question.hidden);
  }

  /** @returns {Question | undefined} */
  get active() {
    return this.all.find((question) => question.classList.contains("active"));
  }

  /** Where to begin: at what still needs an answer, else at what has one, and not at what may be left out.
   * @returns {Question} */
  get first() {
    const [needed] = this.unfinished().keys();
    return needed ?? this.asked.find((question) => !("optional" in question.dataset)) ?? this.asked[0];
  }

  /** @param {Question} question */
  open(question) {
    for (const each of this.all) each.classList.toggle("active", each === question);
    showKeys(this);
  }

  /** The question that a control belongs to. @param {EventTarget | null} control @returns {Question | undefined} */
  of(control) {
    return this.all.find((question) => control instanceof Node && question.contains(control));
  }

  /** What a question's controls say now, as the form would send it.
   * @param {Question} question @returns {string[]} */
  raw(question) {
    const given = sentControls(question).filter((control) => control.name === question.dataset.key);
    return given.map((control) => control.value).filter((value) => value.trim() !== "");
  }

  /** One answer as rules see it: a number, a list of tags, a word or text, or null.
   * @param {Question} question @returns {any} */
  value(question) {
    const raw = this.raw(question);
    if (question.dataset.answer === "list" && raw.length > 0) return raw.filter((each) => each !== "none");
    return raw.length > 0 ? this.typed(question, raw[0]) : null;
  }

  /** @param {Question} question @param {string} raw @returns {any} */
  typed(question, raw) {
    if (raw === UNABLE || question.dataset.answer !== "number") return raw.trim();
    return Number(raw);
  }

  /** Every answer as rules see it. @returns {Record<string, any>} */
  values() {
    return Object.fromEntries(this.all.map((question) => [question.dataset.key, this.value(question)]));
  }

  /** Give a question this answer, or none. @param {Question} question @param {any} value as rules see it */
  put(question, value) {
    const ticks = Array.isArray(value) && value.length === 0 ? ["none"] : value;
    this.putRaw(question, (Array.isArray(ticks) ? ticks : [ticks ?? ""]).map(String));
  }

  /** Give a question the answer that a form would send so. @param {Question} question @param {string[]} raw */
  putRaw(question, raw) {
    const kind = kindOf(question);
    if (kind?.put) {
      kind.put(question, raw);
      return;
    }
    for (const control of question.querySelectorAll("input")) control.checked = raw.includes(control.value);
    const text = question.querySelector("textarea");
    if (text) text.value = raw.join("\n");
  }

  /** The questions that keep the answers from being submitted, each with the reason: what must be answered is not, or
   * what is answered is not allowed. @param {Record<string, any>} values the answers, where they have been read just now
   * @returns {Map<Question, string>} */
  unfinished(values = this.values()) {
    const found = new Map();
    for (const question of this.asked) {
      if (values[question.dataset.key ?? ""] !== null) {
        const why = this.rules.broken(question, values) || kindOf(question)?.problem?.(question);
        if (why) found.set(question, why);
      } else if (!this.rules.follows(question, values)) {
        const usual = "optional" in question.dataset ? "" : MISSING;
        const demand = question.dataset.held ?? this.rules.demand(question, values) ?? usual;
        if (demand) found.set(question, demand);
      }
    }
    // Why something has to wait matters once it is next; as long as other answers come first it is just missing.
    for (const question of [...found.keys()].slice(1)) if (question.dataset.held) found.set(question, MISSING);
    return found;
  }

  /** Say at each question whether it may be left out, and in all how much is answered of what must be. */
  mark() {
    const values = this.values();
    for (const question of this.all) {
      const demand = this.rules.demand(question, values);
      const label = question.querySelector(".optional");
      if (label) write(label, demand ? t("script.required", { reason: demand }) : t("script.optional"));
      label?.classList.toggle("demanded", Boolean(demand));
      const answer = question.matches("[role=radiogroup]") ? question : question.querySelector("textarea");
      const required = String(!label || Boolean(demand));
      if (answer?.getAttribute("aria-required") !== required) answer?.setAttribute("aria-required", required);
    }
    showMeter(this, values);
    showKeys(this);
  }

  /** The next question that still needs an answer. A note that a rule asks for comes last, also where an answer before
   * it was taken back: what is pressed then would be text. @returns {Question | undefined} */
  get wanted() {
    const unfinished = this.unfinished();
    const { asked } = this;
    const from = this.active ? asked.indexOf(this.active) : -1;
    const order = [...asked.slice(from + 1), ...asked.slice(0, from + 1)].filter((question) => unfinished.has(question));
    return order.find((question) => !isNote(question)) ?? order[0];
  }

  /** Open it; a note gets the cursor. @returns {boolean} whether there is one */
  next() {
    const { wanted } = this;
    if (wanted) this.go(wanted);
    return wanted !== undefined;
  }

  /** Open a question and put the focus where a person goes on.
   * @param {Question} question */
  go(question) {
    this.open(question);
    const text = question.querySelector("textarea");
    (text ?? question).focus();
    question.scrollIntoView({ block: "nearest" });
  }

  /** To the question before or after, answered or not. @param {1 | -1} by */
  step(by) {
    const there = this.asked[(this.active ? this.asked.indexOf(this.active) : 0) + by];
    if (there) this.go(there);
  }

  /** Go on from ticks to the next question, also from none where there may be none: not up to what is missing, where
   * the next digit would answer another question than the one meant. @returns {boolean} whether there was a way */
  goOn() {
    if (!this.active || !goesOnFrom(this, this.active)) return false;
    const { wanted } = this;
    if (!wanted || wanted === this.active) return false;
    this.go(wanted);
    return true;
  }

  /** Take back the open answer: a radio button cannot be un-chosen otherwise. */
  clear() {
    for (const key of ["filled", "own"]) delete this.active?.dataset[key];
    for (const control of this.active?.querySelectorAll("input") ?? []) {
      if (control.checked) {
        control.checked = false;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
  }
}
