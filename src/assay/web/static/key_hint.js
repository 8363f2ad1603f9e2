// @ts-check
/** The line beside Submit says which keys mean something at the open question: its digits, or Enter where ticks are done. */

/** @typedef {import("./questions.js").Questions} Questions */

/** @param {Questions} questions */
export function showKeys(questions) {
  const send = questions.form.querySelector(".send");
  const { active } = questions;
  send?.classList.toggle("ticking", active !== undefined && goesOnFrom(questions, active));
  const hint = /** @type {HTMLElement | null | undefined} */ (send?.querySelector(".hint.digits"));
  const kbd = hint?.querySelector("kbd");
  if (!active || !hint || !kbd) return;
  const digits = Object.keys(JSON.parse(active.dataset.keys ?? "{}")).filter((key) => /^\d$/.test(key)).sort();
  const said = [...new Set([digits[0], digits.at(-1)])].join("-");
  hint.hidden = digits.length === 0;
  if (said && kbd.textContent !== said) kbd.textContent = said;
}

/** Whether these are ticks that Enter goes on from: made, or such that may be left out.
 * @param {Questions} questions @param {HTMLFieldSetElement} question */
export function goesOnFrom(questions, question) {
  return question.dataset.answer === "list" && ("optional" in question.dataset || questions.value(question) !== null);
}
