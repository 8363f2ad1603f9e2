// @ts-check
/** What keeps the answers from being submitted: one line above Submit, with a link to each question. The first of them is
 * marked strongly, the others lightly. */
import { kindOf } from "./kinds.js";
import { MISSING } from "./questions.js";
import { t } from "./words.js";

/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {import("./questions.js").Question} Question */

export class FormErrors {
  /** @param {Questions} questions @param {HTMLElement} alert */
  constructor(questions, alert) {
    this.questions = questions;
    this.alert = alert;
    /** What the line says of each question that it names. @type {Map<Question, string>} */
    this.reasons = new Map();
    /** Of these the questions with which only the server has seen something wrong. @type {Set<Question>} */
    this.onlySaid = new Set();
    /** Whether the line names questions: it may also say something that none of them stands for. */
    this.names = false;
  }

  /** Say what is wrong, and go to the first of it. An empty list takes back what was said before.
   * @param {Map<Question, string>} reasons */
  show(reasons) {
    if (reasons.size === 0 && this.alert.hidden) return;
    const seen = this.questions.unfinished();
    this.reasons = new Map(reasons);
    this.onlySaid = new Set([...reasons.keys()].filter((question) => !seen.has(question)));
    this.alert.hidden = reasons.size === 0;
    this.alert.style.minHeight = "";
    this.alert.ariaLive = null;
    this.list();
    this.names = true;
    for (const question of this.questions.all) this.flag(question, reasons.get(question) ?? "");
    const [first] = this.markFirst();
    if (first) this.goTo(first);
  }

  /** Go to a question, and where a part of the answer is wrong, to that. @param {Question} question */
  goTo(question) {
    this.questions.go(question);
    const part = /** @type {HTMLInputElement | null} */ (question.querySelector("input[aria-invalid]:not([name])"));
    part?.focus();
    part?.select();
  }

  /** Whether all that is said is that answers are missing. */
  get counts() {
    return [...this.reasons.values()].every((reason) => reason === MISSING);
  }

  /** Name what is wrong now, in the order of the page. */
  list() {
    const entries = this.questions.all.filter((each) => this.reasons.has(each))
      .map((each) => this.entry(each, this.reasons.get(each) ?? ""));
    const heading = this.counts ? t("script.missing", { n: entries.length }) : t("script.look_at");
    this.say(entries.length > 0 ? heading : t("script.settled"), entries);
    if (entries.length === 0) this.alert.classList.add("settled");
    this.fold();
  }

  /** @param {string} heading @param {HTMLElement[]} entries */
  say(heading, entries) {
    const place = this.alert.querySelector("p");
    if (place) place.textContent = heading;
    this.alert.querySelector("ul")?.replaceChildren(...entries);
    this.alert.classList.remove("settled");
  }

  /** Keep it to one line: what does not fit there is counted. Listeners, and whoever tabs to the links, have all of them. */
  fold() {
    const list = this.alert.querySelector("ul");
    const heading = this.alert.querySelector("p");
    const entries = [...list?.children ?? []];
    if (!list || !heading || entries.length < 2 || entries.some((each) => each.matches(".said"))) return;
    const more = Object.assign(document.createElement("li"), { className: "and-more", ariaHidden: "true" });
    /** Whether it stands in the line with the heading, which moves when there are fewer lines. @param {Element} last */
    const fits = (last) => {
      const line = heading.getClientRects()[0];
      return !line || last.getBoundingClientRect().bottom < line.bottom + line.height / 2;
    };
    for (let shown = entries.length; shown > 1 && !fits(shown < entries.length ? more : entries[shown - 1]); shown -= 1) {
      entries[shown - 1].classList.add("folded");
      more.textContent = t("script.and_more", { n: entries.length - shown + 1 });
      list.append(more);
    }
    // How many there are stands before the first of them anyway.
    if (more.isConnected && !fits(more)) more.textContent = "…";
    if (!fits(more)) more.remove();
  }

  /** @returns {Question[]} what is still open, in the order of the page */
  markFirst() {
    const open = this.questions.all.filter((each) => this.reasons.has(each));
    for (const question of this.questions.all) question.classList.toggle("foremost", question === open[0]);
    return open;
  }

  /** Say something that no question stands for, and what to do then. @param {string} words @param {string} then */
  warn(words, then) {
    const lines = [...words.split("\n"), then].filter(Boolean)
      .map((line) => Object.assign(document.createElement("li"), { className: "said", textContent: line }));
    this.say("", lines);
    this.names = false;
    this.alert.ariaLive = null;
    this.alert.style.minHeight = "";
    this.alert.hidden = false;
  }

  /** Say something with a button to it, which takes both away. @param {string} words @param {string} label
   * @returns {HTMLButtonElement} */
  offer(words, label) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => { this.alert.hidden = true; });
    this.warn(words, "");
    this.alert.querySelector("li")?.append(" ", button);
    return button;
  }

  /** An answer was given or taken back: from now on the line names what is missing now. It keeps its height, so that
   * nothing moves on the page meanwhile: somebody may be about to click. @param {Question | undefined} changed */
  settle(changed) {
    if (this.alert.hidden || !this.names) return;
    const before = [...this.reasons.keys()];
    this.update(changed);
    const now = [...this.reasons.keys()];
    if (now.length === before.length && now.every((each) => before.includes(each))) return;
    this.alert.style.minHeight ||= `${this.alert.offsetHeight}px`;
    // How many are left is seen at each answer, and heard when it is none.
    this.alert.ariaLive = now.length > 0 ? "off" : null;
    this.list();
    this.markFirst();
  }

  /** What is put right goes; what answers have come to demand since, or was taken back, is missing too.
   * @param {Question | undefined} changed */
  update(changed) {
    const unfinished = this.questions.unfinished();
    const counts = this.counts;
    for (const question of this.reasons.keys()) {
      if (!question.hidden && (unfinished.has(question) || (question !== changed && this.onlySaid.has(question)))) continue;
      this.reasons.delete(question);
      this.flag(question, "");
    }
    for (const [question, reason] of counts ? unfinished : []) {
      if (this.reasons.has(question) || this.questions.value(question) !== null) continue;
      this.reasons.set(question, MISSING);
      this.flag(question, reason);
    }
  }

  /** @param {Question} question @param {string} reason @returns {HTMLElement} */
  entry(question, reason) {
    const link = document.createElement("a");
    link.href = `#${question.id}`;
    const name = [...question.querySelectorAll("legend .unseen, legend .title")].map((each) => each.textContent).join("");
    link.textContent = name;
    link.addEventListener("click", (event) => { event.preventDefault(); this.goTo(question); });
    const entry = document.createElement("li");
    entry.dataset.key = question.dataset.key ?? "";
    // That it is not answered is said once for all of them.
    entry.append(link, reason === MISSING ? "" : `: ${reason}`);
    entry.classList.toggle("said", reason !== MISSING);
    return entry;
  }

  /** @param {Question} question @param {string} reason nothing where it is right */
  flag(question, reason) {
    const error = question.querySelector(".error");
    if (error) error.textContent = reason;
    question.classList.toggle("invalid", reason !== "");
    // What belongs to an answer and is wrong by itself is marked by its kind: the others are not.
    const isPart = Boolean(kindOf(question)?.problem?.(question));
    for (const control of question.querySelectorAll("[name]")) {
      if (reason && !isPart) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
  }
}
