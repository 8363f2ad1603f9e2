// @ts-check
/** What the next item will need is done while the one before it is read: its page is parsed, and how large it can be set
 * is measured. What was not done in time is done when it is shown. */
import { holdQuestions } from "./held_questions.js";
import { Questions } from "./questions.js";
import { Room } from "./room.js";

/** @typedef {import("./ready_items.js").ReadyItem} ReadyItem */

/** How long one waits for a moment without work, and where a browser does not tell of them. */
const PATIENCE_MS = 2000;
const LATER_MS = 300;

/** @param {() => void} work */
function whenIdle(work) {
  // Safari does not know it.
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: PATIENCE_MS });
  else setTimeout(work, LATER_MS);
}

/** An item's page as elements, which are not shown yet. They belong to this page already: to take them over from another
 * one takes its time, too. @param {ReadyItem} ready @returns {DocumentFragment} */
export function parsed(ready) {
  if (!ready.page) {
    ready.page = document.createDocumentFragment();
    ready.page.append(...new DOMParser().parseFromString(ready.html, "text/html").body.childNodes);
  }
  return ready.page;
}

/** Do ahead what can be done for the item that comes next. @param {() => ReadyItem | undefined} next */
export function prepareNext(next) {
  whenIdle(() => {
    const ready = next();
    if (!ready || ready.page) return;
    parsed(ready);
    whenIdle(() => { if (next() === ready) measure(ready); });
  });
}

/** Measure an item in the room of the one that is shown. All within one moment: nobody sees it, nothing else runs.
 * @param {ReadyItem} ready */
function measure(ready) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#judge.enhanced"));
  const next = parsed(ready).getElementById("judge");
  if (!form || !next || !Room.isOfUse) return;
  const copy = /** @type {HTMLFormElement} */ (next.cloneNode(true));
  copy.classList.add("enhanced");
  const { clientWidth: width, clientHeight: height } = form;
  Object.assign(copy.style, { position: "fixed", visibility: "hidden", width: `${width}px`, height: `${height}px` });
  form.after(copy);
  const over = new AbortController();
  const questions = new Questions(copy, JSON.parse(copy.querySelector("#rules")?.textContent ?? "[]"), over.signal);
  holdQuestions(copy, questions.all);
  questions.rules.obey(undefined);
  questions.mark();
  questions.open(questions.first);
  new Room(copy, questions, over.signal).remember();
  over.abort();
  copy.remove();
}
