// @ts-check
/** Questions about a block that is shown only after other answers: they are closed until it is there. */
import { say } from "./places.js";
import { t } from "./words.js";

/** @typedef {import("./questions.js").Question} Question */

/** Close the questions whose block has not come yet, and open those for which it has.
 * @param {HTMLFormElement} form @param {Question[]} questions */
export function holdQuestions(form, questions) {
  const places = [...form.querySelectorAll(".waiting[data-before]")].map((each) => /** @type {HTMLElement} */ (each));
  for (const question of questions) {
    const named = question.dataset.dimension ?? "";
    const place = places.find((each) => each.dataset.before?.split(" ").includes(named));
    if (place) close(question, place);
    else if (question.dataset.held) open(question);
  }
}

/** Whether a question cannot be answered yet; to those who listen it is said why. @param {Question} question */
export function isHeld(question) {
  if (question.dataset.held) say(question.dataset.held);
  return Boolean(question.dataset.held);
}

/** @param {Question} question @param {HTMLElement} place where the block will stand */
function close(question, place) {
  const block = place.querySelector("h2")?.textContent;
  const why = block ? t("answers.after_block", { block }) : t("answers.too_early");
  if (question.disabled && question.dataset.held === why && question.querySelector(".waits")) return;
  question.dataset.held = why;
  question.disabled = true;
  const words = question.querySelector(".waits") ?? document.createElement("p");
  words.className = "waits";
  words.textContent = question.dataset.held;
  question.querySelector(".error")?.before(words);
}

/** @param {Question} question */
function open(question) {
  delete question.dataset.held;
  question.disabled = Boolean(question.hidden);
  question.querySelector(".waits")?.remove();
}
