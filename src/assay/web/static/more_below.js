// @ts-check
/** Where a text or the questions are cut off at the lower edge, a word says that there is more; a click leads to it. */
import { t } from "./words.js";

/** What scrolls. @param {HTMLFormElement} form */
const parts = (form) => form.querySelectorAll(".content, .content > :is(.source, .output), .questions");

/** The last elements of something that scrolls: its end, and the button that leads there.
 * @param {Element} part @returns {{end: Element, button: Element}} */
function endOf(part) {
  const [there, word] = [":scope > .end", ":scope > .more > button"].map((each) => part.querySelector(each));
  if (there && word) return { end: there, button: word };
  const end = Object.assign(document.createElement("div"), { className: "end" });
  const more = Object.assign(document.createElement("div"), { className: "more", ariaHidden: "true" });
  const button = Object.assign(document.createElement("button"), { type: "button", tabIndex: -1, textContent: t("script.more") });
  more.append(button);
  part.append(end, more);
  return { end, button };
}

/** Put there ahead what `tellOfMore` needs. @param {HTMLFormElement} form */
export function putEnds(form) {
  for (const part of parts(form)) endOf(part);
}

/** @param {HTMLFormElement} form @param {AbortSignal} signal fires when the item goes */
export function tellOfMore(form, signal) {
  for (const part of parts(form)) tellOfMoreIn(part, signal);
}

/** @param {Element} part what scrolls @param {AbortSignal} signal fires when the item goes */
export function tellOfMoreIn(part, signal) {
  const { end, button } = endOf(part);
  button.addEventListener("click", () => part.scrollBy(0, 0.85 * part.clientHeight));
  const watcher = new IntersectionObserver(([seen]) => part.classList.toggle("cut", !seen.isIntersecting), { root: part });
  watcher.observe(end);
  signal.addEventListener("abort", () => watcher.disconnect());
}
