// @ts-check
/** What the rules make of the answers: which options are closed, which answers follow, what must be said.
 * The server decides by the same rules (judgments/rules.py); here they only show at once what it will say. */
import { holds } from "./expression.js";

/** @typedef {{kind: "required" | "allowed" | "value", key: string, when: any[], allow: any[], value: any,
 *   message: string, refuses: boolean}} Rule */
/** @typedef {Record<string, any>} Values */

export class Rules {
  /** @param {Rule[]} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** What a rule says of a question that may else be left out. @param {string} key @param {Values} values
   * @returns {string | undefined} */
  demand(key, values) {
    return this.rules.find((each) => each.kind === "required" && each.key === key && each.refuses
      && holds(each.when, values))?.message;
  }

  /** Which of a question's answers are still open, and why the others are not. Of rules that collide the earlier wins.
   * @param {string} key @param {any[]} options @param {Values} values @param {boolean} refuses
   * @returns {Map<any, string>} the closed ones, each with the reason */
  closed(key, options, values, refuses = true) {
    let open = options;
    const closed = new Map();
    for (const rule of this.rules) {
      if (rule.kind === "required" || rule.key !== key || rule.refuses !== refuses || !holds(rule.when, values)) continue;
      const after = open.filter((option) => holds(rule.allow, { ...values, [key]: option }));
      if (after.length === 0) continue;
      for (const option of open) if (!after.includes(option)) closed.set(option, rule.message);
      open = after;
    }
    return closed;
  }

  /** The answer that follows for a question, with the reason, if one does. @param {string} key @param {Values} values
   * @returns {Rule | undefined} */
  follows(key, values) {
    return this.rules.find((each) => each.kind === "value" && each.key === key && each.refuses
      && holds(each.when, values));
  }
}
