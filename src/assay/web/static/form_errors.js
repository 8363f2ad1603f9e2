// @ts-check
/** What keeps the answers from being submitted: one line above Submit, with a link to each question. The first of them is
 * marked strongly, the others lightly. */
import { MISSING } from "./questions.js";
import { t } from "./words.js";

/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {import("./questions.js").Question} Question */

export class FormErrors {
  /** @param {Questions} questions @param {HTMLElement} alert */
  constructor(questions, alert) {
    this.questions = questions;
    this.alert = alert;
    /** Whether the page itself sees what is wrong with each question, or only the server has said it.
     * @type {Map<Question, boolean>} */
    this.open = new Map();
  }

  /** Say what is wrong, and go to the first of it. An empty list takes back what was said before.
   * @param {Map<Question, string>} reasons */
  show(reasons) {
    const seen = this.questions.unfinished();
    this.open = new Map([...reasons.keys()].map((question) => [question, seen.has(question)]));
    const missing = [...reasons.values()].every((reason) => reason === MISSING);
    this.say(missing ? t("script.missing", { n: reasons.size }) : t("script.look_at"), [...reasons].map((each) => this.entry(...each)));
    this.alert.hidden = reasons.size === 0;
    this.fold();
    for (const question of this.questions.all) {
      const error = question.querySelector(".error");
      if (error) error.textContent = reasons.get(question) ?? "";
      this.flag(question, reasons.has(question));
    }
    const [first] = this.markFirst();
    if (first) this.questions.go(first);
  }

  /** @param {string} heading @param {HTMLElement[]} entries */
  say(heading, entries) {
    const place = this.alert.querySelector("p");
    if (place) place.textContent = heading;
    this.alert.querySelector("ul")?.replaceChildren(...entries);
    this.alert.classList.remove("settled");
    this.alert.ariaLive = null;
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
    const open = this.questions.all.filter((each) => this.open.has(each));
    for (const question of this.questions.all) question.classList.toggle("foremost", question === open[0]);
    return open;
  }

  /** Say something that no question stands for, and what to do then. @param {string} words @param {string} then */
  warn(words, then) {
    const lines = [...words.split("\n"), then].filter(Boolean)
      .map((line) => Object.assign(document.createElement("li"), { className: "said", textContent: line }));
    this.say("", lines);
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

  /** Tick off what has been put right. Nothing moves on the page meanwhile: somebody may be about to click.
   * @param {Question | undefined} changed */
  settle(changed) {
    const unfinished = this.questions.unfinished();
    for (const [question, isSeen] of this.open) {
      if (!question.hidden && (unfinished.has(question) || (question !== changed && !isSeen))) continue;
      this.open.delete(question);
      this.flag(question, false);
      const error = question.querySelector(".error");
      if (error) error.textContent = "";
      this.alert.querySelector(`li[data-key="${question.dataset.key}"]`)?.classList.add("settled");
    }
    const { length } = this.markFirst();
    if (!this.alert.querySelector("li.settled")) return;
    this.alert.classList.toggle("settled", length === 0);
    this.countDown(length);
  }

  /** How many are left is seen at each answer, and heard when it is none. @param {number} left */
  countDown(left) {
    this.alert.ariaLive = left > 0 ? "off" : null;
    const heading = this.alert.querySelector("p");
    const counts = !this.alert.querySelector("li.said");
    if (heading && left === 0) heading.textContent = t("script.settled");
    else if (heading && counts) heading.textContent = t("script.missing", { n: left });
    const more = this.alert.querySelector(".and-more");
    const n = this.alert.querySelectorAll(".folded:not(.settled)").length;
    if (more && n === 0) more.remove();
    else if (more && more.textContent !== "…") more.textContent = t("script.and_more", { n });
  }

  /** @param {Question} question @param {string} reason @returns {HTMLElement} */
  entry(question, reason) {
    const link = document.createElement("a");
    link.href = `#${question.id}`;
    const name = [...question.querySelectorAll("legend .unseen, legend .title")].map((each) => each.textContent).join("");
    link.textContent = name;
    link.addEventListener("click", (event) => { event.preventDefault(); this.questions.go(question); });
    const entry = document.createElement("li");
    entry.dataset.key = question.dataset.key ?? "";
    // That it is not answered is said once for all of them.
    entry.append(link, reason === MISSING ? "" : `: ${reason}`);
    entry.classList.toggle("said", reason !== MISSING);
    return entry;
  }

  /** @param {Question} question @param {boolean} wrong */
  flag(question, wrong) {
    question.classList.toggle("invalid", wrong);
    for (const control of question.querySelectorAll("input, textarea")) {
      if (wrong) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
  }
}
