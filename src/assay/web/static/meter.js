// @ts-check
/** How much is answered of what must be, beside a button that is outlined until nothing is missing. */
import { t } from "./words.js";

/** @typedef {import("./questions.js").Questions} Questions */

/** @param {Questions} questions @param {Record<string, any>} values */
export function showMeter(questions, values) {
  const unfinished = questions.unfinished(values);
  const needed = questions.asked.filter((each) => !("optional" in each.dataset) || questions.rules.demand(each, values));
  const meter = questions.form.querySelector(".meter");
  const n = needed.filter((each) => !unfinished.has(each)).length;
  if (meter) write(meter, t("script.answered", { n, total: needed.length }));
  questions.form.toggleAttribute("data-complete", unfinished.size === 0);
}

/** What is the same is not written: the browser would look at its style anew. @param {Element} element @param {string} words */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
