// @ts-check
/** What the rules make of the answers: which options are closed, which answers follow, what must be said.
 * The server decides by the same rules (judgments/rules.py); here they only show at once what it will say. */
import { holds, names } from "./expression.js";

/** @typedef {{kind: "asked" | "required" | "allowed" | "value", key: string, when: any[], allow: any[], value: any,
 *   message: string, refuses: boolean}} Rule */
/** @typedef {Record<string, any>} Values */
/** The answers of a question one by one; null where they cannot be listed, as ticks and texts.
 * @typedef {any[] | null} Options */

export class Rules {
  /** @param {Rule[]} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** Whether a question is asked, as the answers before it stand. @param {string} key @param {Values} values
   * @returns {boolean} */
  isAsked(key, values) {
    return this.rules.every((each) => each.kind !== "asked" || each.key !== key || holds(each.when, values));
  }

  /** The keys of questions that nobody need wait for: answered, or not asked for good. What is not asked may be asked
   * yet, as long as something is open that this depends on. @param {Values} values @returns {Set<string>} */
  done(values) {
    const done = new Set(Object.keys(values).filter((key) => values[key] !== null && values[key] !== undefined));
    for (const rule of this.rules) {
      if (rule.kind === "asked" && !holds(rule.when, values) && names(rule.when).every((name) => done.has(name))) {
        done.add(rule.key);
      }
    }
    return done;
  }

  /** What a rule says of a question that may else be left out. @param {string} key @param {Values} values
   * @param {boolean} refuses @returns {string | undefined} */
  demand(key, values, refuses = true) {
    return this.rules.find((each) => each.kind === "required" && each.key === key && each.refuses === refuses
      && holds(each.when, values))?.message;
  }

  /** The rules that limit or fix a question's answer now, without those that an earlier one rules out.
   * @param {string} key @param {Options} options @param {Values} values @param {boolean} refuses @returns {Rule[]} */
  inForce(key, options, values, refuses) {
    let left = options ?? [];
    /** @type {Rule[]} */
    let taken = [];
    /** @param {Rule} rule @param {any} value */
    const allows = (rule, value) => holds(rule.allow, { ...values, [key]: value });
    for (const rule of this.rules) {
      if (rule.kind !== "allowed" && rule.kind !== "value") continue;
      if (rule.key !== key || rule.refuses !== refuses || !holds(rule.when, values)) continue;
      const both = [...taken, rule];
      const open = left.filter((option) => allows(rule, option));
      const follow = both.filter((each) => each.kind === "value").map((each) => each.value);
      const fits = options ? open.length > 0 : both.every((each) => follow.every((value) => allows(each, value)));
      if (!fits) continue;
      left = open;
      taken = both;
    }
    return taken;
  }

  /** Which of a question's answers are closed, each with the reason. Of rules that collide the earlier wins.
   * @param {string} key @param {any[]} options @param {Values} values @param {boolean} refuses
   * @returns {Map<any, string>} */
  closed(key, options, values, refuses = true) {
    const rules = this.inForce(key, options, values, refuses);
    const closed = new Map();
    for (const option of options) {
      const rule = rules.find((each) => !holds(each.allow, { ...values, [key]: option }));
      if (rule) closed.set(option, rule.message);
    }
    return closed;
  }

  /** Why the answer that a question has is not allowed, if it is not. @param {string} key @param {Options} options
   * @param {Values} values @param {boolean} refuses @returns {string | undefined} */
  broken(key, options, values, refuses = true) {
    if (values[key] === null || values[key] === undefined) return undefined;
    return this.inForce(key, options, values, refuses).find((each) => !holds(each.allow, values))?.message;
  }

  /** The answer that follows for a question, with the reason, if one does. @param {string} key @param {Options} options
   * @param {Values} values @returns {Rule | undefined} */
  follows(key, options, values) {
    return this.inForce(key, options, values, true).find((each) => each.kind === "value");
  }
}
