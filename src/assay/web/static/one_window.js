// @ts-check
/** One window at a time: the newest one works, the others stand aside until somebody continues there. */

/** A name for this window, or for a report: nobody needs to guess it. @returns {string} */
export const newName = () => [...crypto.getRandomValues(new Uint8Array(12))].map((each) => each.toString(36).padStart(2, "0")).join("");

/** @param {string} home @param {string} seat @param {(words?: string) => void} standAside */
export function takeOver(home, seat, standAside) {
  const channel = new BroadcastChannel(`assay ${home}`);
  channel.addEventListener("message", (event) => {
    if (event.data !== seat) standAside();
  });
  channel.postMessage(seat);
  // A page that the browser has kept and shows again is behind: it starts anew.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}

/** Says once that the session has ended and what to do, and goes when it has begun again elsewhere.
 * @returns {(ended: boolean) => void} */
export function endedSession() {
  const card = /** @type {HTMLDialogElement} */ (document.getElementById("ended"));
  let said = false;
  return (ended) => {
    if (!ended) card.close();
    else if (!said && !document.querySelector("dialog[open]")) card.showModal();
    said = ended;
  };
}

/** Make the page read-only, with the way back to it. @param {string} [words] */
export function standAside(words) {
  const away = /** @type {HTMLDialogElement} */ (document.getElementById("away"));
  const place = document.getElementById("away-words");
  if (words && place) place.textContent = words;
  if (away.open) return;
  for (const other of document.querySelectorAll("dialog")) if (other.open) other.close();
  // Escape does not lead back to a page that would keep nothing.
  away.addEventListener("close", () => away.showModal());
  document.getElementById("here")?.addEventListener("click", () => location.reload());
  away.showModal();
}
