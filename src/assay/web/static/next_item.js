// @ts-check
/** Going on from one item to the next without a new page. */
import { ARRIVED } from "./status.js";
import { t } from "./words.js";

/** @typedef {import("./ready_items.js").ReadyItem} ReadyItem */
/** @typedef {import("./outbox.js").Outbox} Outbox */

const SOON_MS = 300;
const SLOW_MS = 8000;

const main = () => /** @type {HTMLElement} */ (document.getElementById("main"));

/** Put an item that was kept ready on the page. @param {ReadyItem} ready */
export function showReady(ready) {
  const page = new DOMParser().parseFromString(ready.html, "text/html");
  main().replaceChildren(...page.body.childNodes);
  const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
  const shown = /** @type {HTMLInputElement} */ (form.elements.namedItem("shown_at"));
  // It was made ready some time ago and is shown only now.
  shown.value = String(Number(shown.value) + Math.round(performance.now() - ready.at));
  const progress = /** @type {HTMLProgressElement} */ (document.getElementById("progress"));
  progress.hidden = false;
  progress.max = ready.total;
  progress.value = ready.position - 1;
  const said = document.getElementById("place");
  if (said) said.textContent = ready.heading;
  document.title = document.title.replace(/^[^:]*/, () => ready.heading);
  scrollTo(0, 0);
}

/** Bring an item back that the server has refused, as the server has it. @param {string} home @param {string} item
 * @returns {Promise<boolean>} */
export async function reopen(home, item) {
  try {
    const answer = await fetch(`${home}/again/${item}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return false;
    showReady({ ...await answer.json(), at: performance.now() });
    return true;
  } catch {
    return false;
  }
}

/** Nothing is ready: wait until everything has arrived, then see what the server has. A word comes only where it takes
 * longer than a moment. @param {Outbox} outbox @param {string} home */
export function showLoading(outbox, home) {
  const box = document.createElement("div");
  const words = document.createElement("p");
  const retry = document.createElement("button");
  box.className = "loading";
  words.setAttribute("role", "status");
  retry.type = "button";
  retry.hidden = true;
  retry.textContent = t("script.try_again");
  retry.addEventListener("click", () => location.replace(home));
  box.append(words, retry);
  main().replaceChildren(box);
  setTimeout(() => {
    words.textContent = navigator.onLine
      ? t("script.loading")
      : t("script.all_judged");
  }, SOON_MS);
  setTimeout(() => {
    if (navigator.onLine) words.textContent = t("script.slow");
    retry.hidden = false;
  }, SLOW_MS);
  void outbox.empty().then(() => {
    sessionStorage.setItem(ARRIVED, "yes");
    location.replace(home);
  });
}
