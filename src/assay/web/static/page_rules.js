// @ts-check
/** Keeps the rules on the page: shows what is asked, closes options, takes back what is no longer allowed, fills in
 * what follows. */
import { Rules } from "./rules.js";
import { t } from "./words.js";

/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("./rules.js").Rule} Rule */

/** What somebody answers who cannot judge. */
export const UNABLE = "unable";

export class PageRules {
  /** @param {Questions} questions @param {Rule[]} rules */
  constructor(questions, rules) {
    this.questions = questions;
    this.rules = new Rules(rules);
  }

  /** What a rule says now of a question that may else be left out.
   * @param {Question} question @param {Record<string, any>} values @returns {string | undefined} */
  demand(question, values) {
    return this.rules.demand(question.dataset.key ?? "", values);
  }

  /** Whether an answer follows from others. @param {Question} question @param {Record<string, any>} values */
  follows(question, values) {
    return this.rules.follows(question.dataset.key ?? "", this.options(question), values) !== undefined;
  }

  /** Why the answer to a question is not allowed, if it is not. @param {Question} question
   * @param {Record<string, any>} values @param {boolean} refuses @returns {string | undefined} */
  broken(question, values, refuses = true) {
    const key = question.dataset.key ?? "";
    return values[key] === UNABLE ? undefined : this.rules.broken(key, this.options(question), values, refuses);
  }

  /** The controls that stand for an answer. @param {Question} question @returns {HTMLInputElement[]} */
  controls(question) {
    return [...question.querySelectorAll("input")].filter((input) => input.value !== UNABLE);
  }

  /** The answers of a question, where it takes one out of several. @param {Question} question @returns {any[] | null} */
  options(question) {
    if (!question.classList.contains("one")) return null;
    return this.controls(question).map((input) => this.questions.typed(question, input.value));
  }

  /** Show the questions that are asked after the answers before them, and put the others away: a form does not send
   * them, and what was answered there comes back with the question. @returns {boolean} whether something has changed */
  ask() {
    const values = this.questions.values();
    let moved = false;
    for (const question of this.questions.all) {
      const key = question.dataset.key ?? "";
      const asked = this.rules.isAsked(key, values);
      if (asked !== question.hidden) continue;
      question.hidden = !asked;
      question.disabled = !asked || "held" in question.dataset;
      values[key] = this.questions.value(question);
      moved = true;
    }
    return moved;
  }

  /** Whether nobody need wait for the answers to a dimension. @param {string} dimension @returns {boolean} */
  isDone(dimension) {
    const done = this.rules.done(this.questions.values());
    return this.questions.all.every((each) => each.dataset.dimension !== dimension || done.has(each.dataset.key ?? ""));
  }

  /** Let the rules act: show what is asked, close options, take back answers that are no longer allowed, fill in what
   * follows.
   * @param {Question | undefined} changed the question that was just answered: only a person's act fills in others
   * @returns {Question[]} the questions whose answer the rules have changed */
  obey(changed) {
    const touched = new Set();
    for (let round = 0; round <= this.questions.all.length; round += 1) {
      const shown = this.ask();
      const values = this.questions.values();
      const moved = this.questions.asked.filter((question) => this.obeyOne(question, values, changed));
      for (const question of moved) touched.add(question);
      if (moved.length === 0 && !shown) break;
    }
    this.sayOnce();
    return [...touched];
  }

  /** @param {Question} question @param {Record<string, any>} values @param {Question | undefined} changed
   * @returns {boolean} whether the answer was changed */
  obeyOne(question, values, changed) {
    const options = this.options(question);
    if (options) return this.close(question, options, values) || this.fill(question, values, changed);
    // Ticks and texts are a person's own work: what is wrong with them is said, and nothing is taken from them.
    const moved = this.fill(question, values, changed);
    this.say(question, moved ? "" : this.broken(question, values) ?? "");
    return moved;
  }

  /** Close the options that are not allowed, and take back the answer where it is one of them. @param {Question} question
   * @param {any[]} options @param {Record<string, any>} values @returns {boolean} whether it was taken back */
  close(question, options, values) {
    const controls = this.controls(question);
    const closed = this.rules.closed(question.dataset.key ?? "", options, values);
    const given = values[question.dataset.key ?? ""]; // as it was before options are closed: a form does not send closed ones
    let reason = "";
    controls.forEach((control, index) => {
      const why = closed.get(options[index]);
      // What is the same is not written: the browser would look at its style anew.
      if (control.disabled !== (why !== undefined)) control.disabled = why !== undefined;
      const option = control.closest(".option");
      option?.classList.toggle("closed", why !== undefined);
      if (option instanceof HTMLElement && option.title !== (why ?? "")) option.title = why ?? "";
      reason ||= why ?? "";
    });
    // That an answer was taken back stays said until there is another.
    if (given !== null || !reason) delete question.dataset.takenBack;
    this.say(question, question.dataset.takenBack ?? reason);
    if (given === null || given === UNABLE || !closed.has(given)) return false;
    this.questions.put(question, null);
    // A person's own answer is remembered: what was ticked by mistake can be unticked without harm.
    if (!question.dataset.filled) question.dataset.own = String(given);
    delete question.dataset.filled;
    question.dataset.takenBack = t("script.taken_back", { reason: closed.get(given) ?? "" });
    this.say(question, question.dataset.takenBack);
    return true;
  }

  /** @param {Question} question @param {Record<string, any>} values @param {Question | undefined} changed
   * @returns {boolean} */
  fill(question, values, changed) {
    const rule = this.rules.follows(question.dataset.key ?? "", this.options(question), values);
    const given = values[question.dataset.key ?? ""];
    if (rule && given === null && changed && changed !== question) {
      this.questions.put(question, rule.value);
      question.dataset.filled = "yes";
      return true;
    }
    if (!rule && question.dataset.filled && given !== null) {
      // What only followed from something goes when that goes.
      this.questions.put(question, null);
      delete question.dataset.filled;
      this.giveBack(question);
      return true;
    }
    return !rule && given === null && this.giveBack(question);
  }

  /** Give the answer again that a rule took back, once it is allowed. @param {Question} question @returns {boolean} */
  giveBack(question) {
    const own = this.controls(question).find((each) => each.value === question.dataset.own && !each.disabled);
    if (!own) return false;
    own.checked = true;
    delete question.dataset.own;
    delete question.dataset.takenBack;
    this.say(question, "");
    return true;
  }

  /** A word at a question about what the rules make of it. @param {Question} question @param {string} words */
  say(question, words) {
    let place = question.querySelector(".limit");
    if (!place && words) {
      place = document.createElement("p");
      place.className = "limit";
      place.setAttribute("role", "status");
      question.querySelector(".error")?.before(place);
    }
    if (place && place.textContent !== words) place.textContent = words;
  }

  /** What holds for several questions is seen at the first of them, and at another one while it is open. */
  sayOnce() {
    const said = new Set();
    for (const place of this.questions.asked.flatMap((question) => [...question.querySelectorAll(".limit")])) {
      place.classList.toggle("repeated", said.has(place.textContent));
      said.add(place.textContent);
    }
  }

  /** What rules that only warn have to say of the answers. @returns {string[]} */
  warnings() {
    const values = this.questions.values();
    return this.questions.asked.flatMap((question) => {
      const key = question.dataset.key ?? "";
      const why = values[key] === null ? this.rules.demand(key, values, false) : this.broken(question, values, false);
      return why ? [`${question.querySelector(".title")?.textContent}: ${why}`] : [];
    });
  }
}
