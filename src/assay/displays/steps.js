// @ts-check
/** A step that is walked to is said to those who listen. */
import { addKind } from "/static/kinds.js";
import { say } from "/static/places.js";

addKind({
  wire: ({ content }) => content.addEventListener("walk", ({ target }) => {
    if (target instanceof HTMLElement && target.matches(".step")) say(inWords(content, target));
  }),
});

/** What was done, where, and what came of it. @param {HTMLElement} content @param {HTMLElement} step */
function inWords(content, step) {
  const [operation, place, result] = [".operation", ".place", ".gave"].map((part) => textOf(step.querySelector(part)));
  const mark = content.querySelector(`[data-of-place="${step.dataset.place}"]`);
  const outside = mark?.getAttribute("data-outside") ?? "";
  const what = [operation, place.replace(/[()]/g, "")].filter(Boolean).join(" ");
  return [[step.dataset.place, what, outside].filter(Boolean).join(", "), result].filter(Boolean).join(": ");
}

/** What is seen of a text: its start, where it is folded. @param {Element | null} part */
const textOf = (part) => (part?.querySelector("summary .start") ?? part)?.textContent?.trim() ?? "";
