// @ts-check
/** The feedback on an item: Enter goes on, but not the Enter that has submitted the item. */

const SOON_MS = 400;

document.documentElement.classList.remove("no-js");
const next = /** @type {HTMLButtonElement} */ (document.getElementById("next"));
next.focus({ preventScroll: true });
const since = performance.now();
next.addEventListener("keydown", (event) => {
  if (event.repeat || performance.now() - since < SOON_MS) event.preventDefault();
});
