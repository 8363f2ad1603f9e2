// @ts-check
/** On a phone the sheet of questions hides the content. Where a question is about a block at its end, such as a
 * reference, the sheet shows that block again, with the result of the side that is asked about. */

/** @param {HTMLElement} place where in the sheet @param {HTMLElement} content
 * @param {import("./questions.js").Question} question the open one */
export function seenAgain(place, content, question) {
  const { dimension = "", key = "" } = question.dataset;
  const blocks = [...content.querySelectorAll("[data-before]:not(.waiting)")]
    .filter((each) => each.getAttribute("data-before")?.split(" ").includes(dimension));
  const side = ["left", "right"].findIndex((name) => key.endsWith(`.${name}`));
  const results = content.querySelectorAll(".side")[side]?.querySelectorAll("[data-result]") ?? [];
  const shown = blocks.length > 0 ? [...results, ...blocks] : [];
  const now = shown.length > 0 ? key : "";
  if (place.dataset.of === now) return;
  place.dataset.of = now;
  place.hidden = shown.length === 0;
  place.replaceChildren(...shown.map(copyOf));
}

/** @param {Element} part @returns {Element} the same, which is not taken for it */
function copyOf(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const name of ["role", "data-before", "data-result"]) copy.removeAttribute(name);
  copy.classList.remove("revealed");
  return copy;
}
