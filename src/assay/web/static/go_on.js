// @ts-check
/** A page that is read: Enter goes on, wherever the focus is not on something that takes Enter itself. The button does
 * not get the focus: who scrolls by Space would press it. As long as the end of the page, where the button stands, was
 * not in view, Enter leads on towards it. */

const SOON_MS = 400;
const MOST_OF_A_SCREEN = 0.85;

document.documentElement.classList.remove("no-js");
const since = performance.now();
const [next] = document.querySelectorAll(".choices .primary");
let isEndSeen = false;
if (next) {
  new IntersectionObserver((seen) => { isEndSeen ||= seen.some((each) => each.isIntersecting); }).observe(next);
}
addEventListener("keydown", (event) => {
  const taken = event.target instanceof Element && event.target.closest("a, button, input, textarea, select, summary");
  // Neither one that is held down nor the one that has brought this page.
  if (event.key !== "Enter" || taken || event.repeat || performance.now() - since < SOON_MS) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  if (isEndSeen) next.click();
  else scrollBy(0, MOST_OF_A_SCREEN * innerHeight);
});
