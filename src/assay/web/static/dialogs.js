// @ts-check
/** Dialogs: the list of keys, and the guide or support text fetched when it is asked for. */
import { t } from "./words.js";

/** @param {HTMLElement} root */
export function wireDialogs(root) {
  for (const opener of root.querySelectorAll("[data-dialog]")) {
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      void openDialog(/** @type {HTMLElement} */ (opener));
    });
  }
}

/** Open the dialog that a button or link stands for.
 * @param {HTMLElement | null} opener */
export async function openDialog(opener) {
  if (!opener) return;
  const own = document.getElementById(opener.dataset.dialog ?? "");
  if (own instanceof HTMLDialogElement) {
    if (!own.open) own.showModal();
    /** @type {HTMLElement | null} */ (own.querySelector("[autofocus]") ?? own.querySelector("button"))?.focus();
    return;
  }
  const reader = /** @type {HTMLDialogElement} */ (document.getElementById("reader"));
  const place = /** @type {HTMLElement} */ (document.getElementById("reader-text"));
  reader.setAttribute("aria-label", opener.firstChild?.textContent?.trim() ?? t("script.help"));
  place.replaceChildren(...await textAt(/** @type {HTMLAnchorElement} */ (opener).href));
  if (!reader.open) reader.showModal(); // pressed twice it may be open by now
  place.scrollTop = 0;
}

/** The first link of a page: of the items judged before, the last one. @param {string} address
 * @returns {Promise<string>} */
export async function last(address) {
  const [text] = (await textAt(address)).filter((node) => node instanceof Element && node.querySelector("a"));
  return text instanceof Element ? text.querySelector("a")?.getAttribute("href") ?? "" : "";
}

/** The text of a page, without the page around it.
 * @param {string} address @returns {Promise<(Node | string)[]>} */
async function textAt(address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const text = page.getElementById("fragment");
    if (answer.ok && text) return [...text.childNodes];
  } catch { /* said below */ }
  return [t("script.not_loaded")];
}
