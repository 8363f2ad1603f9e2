// @ts-check
/** Where a text or the questions are cut off at the lower edge, a word says that there is more; a click leads to it. */
import { t } from "./words.js";

/** @param {HTMLFormElement} form @param {AbortSignal} signal fires when the item goes */
export function tellOfMore(form, signal) {
  for (const part of form.querySelectorAll(".content, .content > :is(.source, .output), .questions")) {
    const end = Object.assign(document.createElement("div"), { className: "end" });
    const more = Object.assign(document.createElement("div"), { className: "more", ariaHidden: "true" });
    const button = Object.assign(document.createElement("button"), { type: "button", tabIndex: -1, textContent: t("script.more") });
    button.addEventListener("click", () => part.scrollBy(0, 0.85 * part.clientHeight));
    more.append(button);
    part.append(end, more);
    const watcher = new IntersectionObserver(([seen]) => part.classList.toggle("cut", !seen.isIntersecting), { root: part });
    watcher.observe(end);
    signal.addEventListener("abort", () => watcher.disconnect());
  }
}
