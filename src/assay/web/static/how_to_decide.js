// @ts-check
/** How to decide a question: opened and closed by key, as high as there is room, and moved before the text is. */
import { tellOfMoreIn } from "./more_below.js";
import { OPENED } from "./open_question.js";
import { SET } from "./room.js";

/** @typedef {import("./questions.js").Questions} Questions */

/** What one press of a key for pages moves, of what is seen. */
const PAGE = 0.85;
/** What is left free below, where it lies over the page. */
const EDGE_PX = 8;
/** With less room below an entry it stands above it, where there is more. */
const LEAST_PX = 220;

/** @param {HTMLFormElement} form @param {AbortSignal} signal fires when the item goes */
export function wireHelp(form, signal) {
  // A click opens it too. The event does not rise.
  form.addEventListener("toggle", ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.matches(".boundaries")) show(target, signal);
  }, { capture: true });
  const refit = () => {
    for (const each of form.querySelectorAll(".boundaries[open]")) fit(/** @type {HTMLDetailsElement} */ (each));
  };
  addEventListener("resize", refit, { signal });
  // Rows are set for another window after it has changed: only then it is known how much they leave.
  form.addEventListener(SET, refit);
  document.addEventListener(OPENED, refit, { signal });
}

/** @param {HTMLDetailsElement} details @param {AbortSignal} signal */
function show(details, signal) {
  const text = details.querySelector(".decide");
  if (!details.open || !text) return;
  fit(details);
  if (scrolls(text) && !text.querySelector(":scope > .more")) tellOfMoreIn(text, signal);
}

/** Let it take the room that nothing else needs. @param {HTMLDetailsElement} details */
function fit(details) {
  const text = /** @type {HTMLElement | null} */ (details.querySelector(".decide"));
  const form = details.closest("form");
  if (!text || !form || !scrolls(text)) return;
  if (getComputedStyle(text).position === "absolute") {
    putByEntry(text, form);
    return;
  }
  text.style.setProperty("--free", "0px"); // as low as can be: what else there is keeps its own room
  const [here, whole, send] = [text, form, form.querySelector(".send") ?? form].map((each) => each.getBoundingClientRect());
  const below = form.querySelector(".sided > .part")?.getBoundingClientRect();
  const free = below ? below.top - here.top - EDGE_PX : here.height + whole.bottom - send.bottom;
  text.style.setProperty("--free", `${Math.floor(free)}px`);
}

/** Of many entries the first holds the help for all: it lies below the open one, or above it where there is more room, so
 * that no entry moves. @param {HTMLElement} text @param {HTMLFormElement} form */
function putByEntry(text, form) {
  const [panel, open] = [form.querySelector(".questions"), form.querySelector(".question.active")];
  if (!panel || !open || text.getClientRects().length === 0) return;
  const [seen, at] = [panel, open].map((each) => each.getBoundingClientRect());
  const [above, below] = [at.top - seen.top - EDGE_PX, seen.bottom - at.bottom - EDGE_PX];
  const isBelow = below >= Math.min(LEAST_PX, above);
  text.style.setProperty("--free", `${Math.floor(isBelow ? below : above)}px`);
  const top = isBelow ? at.bottom : at.top - text.offsetHeight;
  text.style.setProperty("--at", `${Math.round(top - seen.top + panel.scrollTop)}px`);
}

/** Whether it moves within itself. @param {Element} part */
const scrolls = (part) => ["auto", "scroll"].includes(getComputedStyle(part).overflowY);

/** The help for the open question: of many entries only the first holds it for all. @param {Questions} questions
 * @returns {HTMLDetailsElement | undefined} */
function helpFor(questions) {
  const { active } = questions;
  const same = questions.all.filter((each) => each.dataset.dimension === active?.dataset.dimension);
  return [active, ...same].map((each) => each?.querySelector("details")).find(Boolean) ?? undefined;
}

/** @param {Questions} questions @returns {boolean} whether the open question has such help */
export function toggleHelp(questions) {
  const details = helpFor(questions);
  if (details) details.open = !details.open;
  return Boolean(details);
}

/** @param {Questions} questions @returns {boolean} whether it was open */
export function closeHelp(questions) {
  const details = helpFor(questions);
  if (!details?.open) return false;
  if (details.querySelector(".decide")?.contains(document.activeElement)) questions.active?.focus();
  details.open = false;
  return true;
}

/** Move the help that is open, by itself or with the questions that it stands among. @param {Questions} questions
 * @param {1 | -1} way @returns {boolean} whether there was more of it that way */
export function scrollHelp(questions, way) {
  const details = helpFor(questions);
  const text = details?.open ? details.querySelector(".decide") : null;
  const frame = text && (scrolls(text) && text.scrollHeight > text.clientHeight ? text : text.closest(".questions"));
  if (!text || !frame || !scrolls(frame)) return false;
  if (!isMore(text, frame, way)) return false;
  frame.scrollBy(0, way * PAGE * frame.clientHeight);
  return true;
}

/** @param {Element} text @param {Element} frame what it moves in @param {1 | -1} way */
function isMore(text, frame, way) {
  if (text === frame) {
    return way < 0 ? text.scrollTop > 0 : text.scrollTop + text.clientHeight < text.scrollHeight - 1;
  }
  const [there, seen] = [way < 0 ? text.closest(".question") ?? text : text, frame].map((each) => each.getBoundingClientRect());
  return way < 0 ? there.top < seen.top - 1 && frame.scrollTop > 0 : there.bottom > seen.bottom + 1;
}
