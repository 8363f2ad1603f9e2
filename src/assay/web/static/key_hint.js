// @ts-check
/** The line beside Submit says which keys mean something at the open question: its digits, or Enter where ticks are done. */

/** @typedef {import("./questions.js").Questions} Questions */

/** @param {Questions} questions */
export function showKeys(questions) {
  const send = questions.form.querySelector(".send");
  placeLetters(questions);
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

/** The question that a letter opens: the last one of its kind before the open question, else the first; at one of them the
 * next one. @param {Questions} questions @param {string} letter @returns {HTMLFieldSetElement | undefined} */
export function ofLetter({ asked, active }, letter) {
  const found = asked.filter((each) => each.dataset.letter === letter);
  const at = active ? found.indexOf(active) : -1;
  const before = found.filter((each) => active && asked.indexOf(each) < asked.indexOf(active)).at(-1);
  return at < 0 ? before ?? found[0] : found[(at + 1) % found.length];
}

/** Each letter stands at the question that it opens. @param {Questions} questions */
function placeLetters(questions) {
  for (const badge of questions.form.querySelectorAll("legend > kbd")) {
    const letter = /** @type {HTMLElement | null} */ (badge.closest(".question"))?.dataset.letter ?? "";
    const legend = ofLetter(questions, letter)?.querySelector("legend");
    if (!legend || badge.parentElement === legend) continue;
    if (badge.previousSibling instanceof Text) badge.previousSibling.remove();
    legend.append(" ", badge);
  }
}

/** Whether these are ticks that Enter goes on from: made, or such that may be left out.
 * @param {Questions} questions @param {HTMLFieldSetElement} question */
export function goesOnFrom(questions, question) {
  return question.dataset.answer === "list" && ("optional" in question.dataset || questions.value(question) !== null);
}
