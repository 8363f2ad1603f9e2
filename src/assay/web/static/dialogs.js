// @ts-check
/** Dialogs: the list of keys, and texts such as the support text, fetched when they are asked for. */
import { markThisOne } from "./item_list.js";
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
    /** @type {HTMLElement | null} */ (own.querySelector("[data-first]") ?? own.querySelector("button"))?.focus();
    return;
  }
  const reader = /** @type {HTMLDialogElement} */ (document.getElementById("reader"));
  const place = /** @type {HTMLElement} */ (document.getElementById("reader-text"));
  reader.setAttribute("aria-label", opener.firstChild?.textContent?.trim() ?? t("script.help"));
  place.replaceChildren(...await textAt(/** @type {HTMLAnchorElement} */ (opener).href));
  markThisOne(place, document.getElementById("judge")?.dataset.item ?? "");
  if (!reader.open) reader.showModal(); // pressed twice it may be open by now
  if (!place.querySelector("[autofocus]")) place.scrollTop = 0;
}

/** The first link of a page: of the items judged before, the last one. @param {string} address
 * @returns {Promise<string>} */
export async function last(address) {
  const [text] = (await textAt(address)).filter((node) => node instanceof Element && node.querySelector("a"));
  return text instanceof Element ? text.querySelector("a")?.getAttribute("href") ?? "" : "";
}

/** Texts that are the same for the whole study, kept for when there is no connection. @type {Map<string, string>} */
export const texts = new Map();

export async function keepTexts() {
  for (const link of document.querySelectorAll("[data-drawer], [data-dialog=support]")) {
    const { href } = /** @type {HTMLAnchorElement} */ (link);
    const html = await htmlAt(href);
    if (html) texts.set(href, html);
  }
}

/** @param {string} address @returns {Promise<string>} nothing where it cannot be had */
async function htmlAt(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

/** The text of a page, without the page around it.
 * @param {string} address @returns {Promise<(Node | string)[]>} */
export async function textAt(address) {
  const html = texts.get(address) ?? await htmlAt(address);
  const text = new DOMParser().parseFromString(html, "text/html").getElementById("fragment");
  return text ? [...text.childNodes] : [t("script.not_loaded")];
}
