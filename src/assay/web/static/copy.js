// @ts-check
/** Buttons that copy the text of a field. */
document.documentElement.classList.remove("no-js");
const said = document.getElementById("copied");

for (const button of document.querySelectorAll("button[data-copies]")) {
  button.addEventListener("click", () => void copy(/** @type {HTMLElement} */ (button)));
}

/** @param {HTMLElement} button */
async function copy(button) {
  const field = document.getElementById(button.dataset.copies ?? "");
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  for (const each of document.querySelectorAll("button[data-copied]")) each.removeAttribute("data-copied");
  try {
    await navigator.clipboard.writeText(field.value);
    button.dataset.copied = "";
    if (said) said.textContent = button.dataset.said ?? "";
  } catch {
    // Without TLS there is no clipboard: what is to be copied is chosen, for the key that copies.
    field.select();
    if (said) said.textContent = button.dataset.chosen ?? "";
  }
}
