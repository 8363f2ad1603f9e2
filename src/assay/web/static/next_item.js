// @ts-check
/** Going on from one item to the next without a new page. */
import { bringFolded, parsed } from "./ahead.js";
import { Room, takeRoom } from "./room.js";
import { ARRIVED } from "./status.js";
import { t } from "./words.js";

/** @typedef {import("./ready_items.js").ReadyItem} ReadyItem */
/** @typedef {import("./outbox.js").Outbox} Outbox */

const SOON_MS = 300;
const SLOW_MS = 8000;

const main = () => /** @type {HTMLElement} */ (document.getElementById("main"));

/** Put an item that was kept ready on the page. @param {ReadyItem} ready */
export function showReady(ready) {
  const page = parsed(ready);
  const coming = /** @type {HTMLFormElement} */ (page.getElementById("judge"));
  coming.classList.add("enhanced");
  takeRoom(coming, /** @type {HTMLFormElement | null} */ (document.getElementById("judge")));
  // Before the next one is there: to move a page is to have it laid out. Where there is room only parts of it move.
  if (!Room.isOfUse) scrollTo(0, 0);
  main().replaceChildren(page);
  bringFolded(ready);
  const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
  const shown = /** @type {HTMLInputElement} */ (form.querySelector("[name=shown_at]"));
  // It was made ready some time ago and is shown only now.
  shown.value = String(Number(shown.value) + Math.round(performance.now() - ready.at));
  const progress = /** @type {HTMLProgressElement} */ (document.getElementById("progress"));
  progress.hidden = false;
  progress.max = ready.total;
  progress.value = Math.min(ready.position - 1, progress.value + 1);
  for (const link of document.querySelectorAll("a[data-step]")) {
    const to = ready.position + Number(link.getAttribute("data-step"));
    // Behind the last one there is none: nothing stands at 0, and such a way is not shown.
    /** @type {HTMLAnchorElement} */ (link).href = `${form.dataset.home}/at/${to > ready.total ? 0 : to}`;
  }
  const said = document.getElementById("place");
  if (said) said.textContent = ready.heading;
  document.title = document.title.replace(/^[^:]*/, () => ready.heading);
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

/** Nothing is ready: wait until everything has arrived. A word comes only where it takes longer than a moment.
 * @param {Outbox} outbox @param {string} home @returns {Promise<void>} */
export function showLoading(outbox, home) {
  const box = Object.assign(document.createElement("div"), { className: "loading" });
  const heading = document.createElement("h1");
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  const retry = Object.assign(document.createElement("button"), { type: "button", hidden: true, textContent: t("script.try_again") });
  retry.addEventListener("click", () => location.replace(home));
  box.append(heading, words, retry);
  main().replaceChildren(box);
  setTimeout(() => {
    const { onLine } = navigator;
    heading.textContent = onLine ? t("script.loading") : t("script.offline");
    words.textContent = onLine ? "" : t("script.all_judged");
    box.classList.toggle("said", !onLine);
  }, SOON_MS);
  setTimeout(() => {
    if (navigator.onLine) words.textContent = t("script.slow");
    retry.hidden = false;
  }, SLOW_MS);
  return outbox.empty();
}

/** What comes is not another item: see what the server has. @param {string} home @param {string} told what was said last,
 * and is still to be read there */
export function goHome(home, told) {
  sessionStorage.setItem(ARRIVED, told);
  location.replace(home);
}
