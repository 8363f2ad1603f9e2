// @ts-check
/** What a digit does at the open question. */
import { isHeld } from "./held_questions.js";
import { kindOf } from "./kinds.js";

/** @typedef {import("./questions.js").Questions} Questions */

/** The answer that a digit stands for, where the open question has one. @param {Questions} questions
 * @param {string} digit @returns {string | undefined} */
const meant = ({ active }, digit) => JSON.parse(active?.dataset.keys ?? "{}")[digit];

/** Give an answer by its key on the keyboard; false where the open question has no such answer.
 * @param {Questions} questions @param {string} digit @returns {boolean} */
export function answer(questions, digit) {
  const question = questions.active;
  const wanted = meant(questions, digit);
  if (!question || wanted === undefined) return false;
  if (isHeld(question)) return true;
  if (kindOf(question)?.press?.(question, wanted, 1)) return true;
  const control = [...question.querySelectorAll("input")].find((input) => input.value === wanted);
  if (!control) return false;
  if (control.disabled) {
    questions.rules.say(question, /** @type {HTMLElement} */ (control.closest(".option")).title);
    return true;
  }
  choose(questions, control);
  return true;
}

/** @param {Questions} questions @param {HTMLInputElement} control */
function choose(questions, control) {
  const several = control.type === "checkbox";
  control.checked = several && control.value !== "none" ? !control.checked : true;
  control.dispatchEvent(new Event("change", { bubbles: true }));
  // Of several ticks more may follow: the answer that none applies, or Enter, goes on.
  const goesOn = (!several || control.value === "none") && questions.next();
  // The focus is not left at another answer, where Space would choose that one.
  if (!several && !goesOn && questions.of(document.activeElement) === questions.of(control)) control.focus();
}

/** Take one back of what is counted, or what was put in. @param {Questions} questions @param {string} digit
 * @returns {boolean} whether the digit stands for something at the open question that can be taken back */
export function takeBack(questions, digit) {
  const wanted = meant(questions, digit);
  const { active } = questions;
  return active !== undefined && wanted !== undefined && (kindOf(active)?.press?.(active, wanted, -1) ?? false);
}
