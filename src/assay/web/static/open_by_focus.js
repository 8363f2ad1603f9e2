// @ts-check
/** @typedef {HTMLFieldSetElement} Question */

/** A question opens when the keyboard brings the focus into it, or by a click. What a finger or the mouse presses must
 * not move before the click is done, so the focus that comes with a press opens nothing; nor does the second click of a
 * double click reach the question that has come under it meanwhile.
 * @param {{ all: Question[], open: (question: Question) => void }} questions
 * @param {AbortSignal} signal ends it: the same questions are asked for by somebody else when an item was made ready ahead */
export function openByFocusOrClick(questions, signal) {
  let pointing = false;
  /** @type {Question | null} */
  let clicked = null;
  addEventListener("pointerdown", () => { pointing = true; }, { capture: true, signal });
  addEventListener("keydown", () => { pointing = false; }, { capture: true, signal });
  for (const question of questions.all) {
    question.addEventListener("focusin", () => { if (!pointing) questions.open(question); }, { signal });
    question.addEventListener("click", (event) => {
      if (event.detail > 1 && question !== clicked) {
        event.preventDefault();
        return;
      }
      // A label passes its click on to its control: that one has no count.
      if (event.detail > 0) clicked = question;
      questions.open(question);
    }, { signal });
  }
}
