// @ts-check
/** Dialogs: the list of keys, and the guide or support text fetched when it is asked for. */

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
  if (opener.dataset.dialog === "keys") {
    const keys = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
    keys.showModal();
    keys.querySelector("button")?.focus();
    return;
  }
  const reader = /** @type {HTMLDialogElement} */ (document.getElementById("reader"));
  const place = /** @type {HTMLElement} */ (document.getElementById("reader-text"));
  reader.setAttribute("aria-label", opener.firstChild?.textContent?.trim() ?? "Help");
  place.replaceChildren(...await textAt(/** @type {HTMLAnchorElement} */ (opener).href));
  if (!reader.open) reader.showModal(); // pressed twice it may be open by now
  place.scrollTop = 0;
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
  return ["This text could not be loaded. Please try again when you are online."];
}
