// @ts-check
/** Prepares the next item while the one before it is read: parses its page, and measures how large it can be set. What
 * was not done in time is done when the item is shown. */
import { holdQuestions } from "./held_questions.js";
import { measureKinds } from "./kinds.js";
import { putEnds } from "./more_below.js";
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
    begin(ready);
    // How large a picture is decides on the rest.
    void Promise.all([...parsed(ready).querySelectorAll("img")].map(loaded))
      .then(() => whenIdle(() => { if (next() === ready) measure(ready); }));
  });
}

/** @param {HTMLImageElement} picture @returns {Promise<unknown>} when it has come, or will not come */
function loaded(picture) {
  const come = ["load", "error"].map((name) => new Promise((done) => picture.addEventListener(name, done, { once: true })));
  return picture.complete ? Promise.resolve() : Promise.race(come);
}

/** Bring the questions of an item into the state in which it begins: what is done here changes nothing when it comes.
 * @param {ReadyItem} ready */
function begin(ready) {
  const form = /** @type {HTMLFormElement | null} */ (parsed(ready).querySelector("#judge"));
  if (!form) return;
  form.classList.add("enhanced");
  const over = new AbortController();
  const questions = questionsOf(form, over.signal);
  holdQuestions(form, questions.all);
  questions.rules.obey(undefined);
  questions.mark();
  questions.open(questions.first);
  putEnds(form);
  ready.folded = [...form.querySelectorAll(".boundaries:not([open]) > .decide")].map((help) => {
    const words = document.createDocumentFragment();
    words.append(...help.childNodes);
    return () => help.append(words);
  });
  over.abort();
}

/** What is folded away on an item, which is often more than what is seen of it, comes when the item has been painted.
 * @param {ReadyItem} ready */
export function bringFolded(ready) {
  const bring = () => ready.folded?.splice(0).forEach((put) => put());
  // In a window that is not seen nothing is painted.
  if (document.hidden) bring();
  else requestAnimationFrame(() => setTimeout(bring));
}

/** @param {HTMLFormElement} form @param {AbortSignal} signal */
function questionsOf(form, signal) {
  return new Questions(form, JSON.parse(form.querySelector("#rules")?.textContent ?? "[]"), signal);
}

/** Measure an item in the room of the one that is shown. All within one moment: nobody sees it, nothing else runs.
 * @param {ReadyItem} ready */
function measure(ready) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#judge.enhanced"));
  const next = parsed(ready).getElementById("judge");
  if (!form || !next || !Room.isOfUse) return;
  const copy = /** @type {HTMLFormElement} */ (next.cloneNode(true));
  const { clientWidth: width, clientHeight: height } = form;
  Object.assign(copy.style, { position: "fixed", visibility: "hidden", width: `${width}px`, height: `${height}px` });
  form.after(copy);
  const over = new AbortController();
  new Room(copy, questionsOf(copy, over.signal), over.signal).remember();
  measureKinds(copy, next);
  over.abort();
  copy.remove();
}
