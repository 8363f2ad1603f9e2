// @ts-check
/** A page that is read: Enter goes on, wherever the focus is not on something that takes Enter itself. The button does
 * not get the focus: who scrolls by Space would press it. */

const SOON_MS = 400;

document.documentElement.classList.remove("no-js");
const since = performance.now();
addEventListener("keydown", (event) => {
  const [next] = document.querySelectorAll(".choices .primary");
  const taken = event.target instanceof Element && event.target.closest("a, button, input, textarea, select, summary");
  // Neither one that is held down nor the one that has brought this page.
  if (event.key !== "Enter" || taken || event.repeat || performance.now() - since < SOON_MS) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.click();
});
