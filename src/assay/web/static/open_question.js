// @ts-check
/** What follows the open question about: the place it speaks of is tinted, and what its answers mean is shown. */

/** @typedef {import("./questions.js").Questions} Questions */

/** The event that says that another question is open, and of which dimension. */
export const OPENED = "questionopened";

/** @param {HTMLFormElement} form @param {Questions} questions @param {AbortSignal} signal fires when the item goes */
export function followOpenQuestion(form, questions, signal) {
  const follow = () => {
    const { active } = questions;
    const { dimension, ofPlace } = active?.dataset ?? {};
    keepFocusInView(active);
    document.dispatchEvent(new CustomEvent(OPENED, { detail: dimension ?? "" }));
    for (const rubric of form.querySelectorAll(".rubric")) {
      rubric.classList.toggle("on", rubric.getAttribute("data-dimension") === dimension);
    }
    for (const place of form.querySelectorAll("[data-place]")) {
      const meant = ofPlace !== undefined && place.getAttribute("data-place") === ofPlace;
      if (meant && !place.classList.contains("tinted")) bringIntoView(place);
      place.classList.toggle("tinted", meant);
    }
  };
  // Which question is open can be seen at its class, whoever has opened it.
  const watcher = new MutationObserver(follow);
  for (const question of questions.all) watcher.observe(question, { attributeFilter: ["class"] });
  signal.addEventListener("abort", () => watcher.disconnect());
  follow();
}

/** As one question opens another closes, and the control that has just got the focus may be moved out of sight by it.
 * @param {Element | undefined} question */
function keepFocusInView(question) {
  const at = document.activeElement;
  if (!at || at === question || !question?.contains(at)) return;
  (at.closest("label") ?? at).scrollIntoView({ block: "nearest" });
}

/** Where the content scrolls by itself the place comes into view; the page as a whole is never moved.
 * @param {Element} place */
function bringIntoView(place) {
  const content = place.closest(".content");
  if (!content || getComputedStyle(content).overflowY === "visible") return;
  const [there, here] = [place, content].map((each) => each.getBoundingClientRect());
  if (there.top < here.top) content.scrollTop += there.top - here.top - 8;
  else if (there.bottom > here.bottom) content.scrollTop += there.bottom - here.bottom + 8;
}
