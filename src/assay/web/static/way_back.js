// @ts-check
/** The way back to a panel: the code is shown once everything that was answered here is on the server, and copied by one
 * click; then the panel's page opens by itself. */

import { forget, parcels } from "./device_store.js";

const SECONDS = 10;

/** Let the code be copied. */
export function offerCopy() {
  const code = /** @type {HTMLInputElement | null} */ (document.getElementById("code"));
  const button = document.getElementById("copy-code");
  const part = document.getElementById("way-back");
  if (!code || !button || !part) return;
  button.hidden = false;
  code.addEventListener("focus", () => code.select());
  button.addEventListener("click", async () => {
    code.select();
    try {
      await navigator.clipboard.writeText(code.value);
    } catch {
      document.execCommand("copy");
    }
    button.textContent = part.dataset.copied ?? "";
  });
}

/** Show the code, and go back after some seconds, which are counted; any key or click stays here.
 * @param {Promise<unknown>} sent done when nothing is left to send
 * @param {Promise<unknown>} [refused] done when the server does not take something: the code is shown, and nobody is led
 * away from the reason */
export async function goBack(sent, refused = sent) {
  const link = /** @type {HTMLAnchorElement | null} */ (document.getElementById("go-back"));
  const when = document.getElementById("go-back-when");
  const part = document.getElementById("way-back");
  if (!part) return;
  await Promise.race([sent, refused]);
  part.classList.add("sent");
  await sent;
  if (!link || !when) return;
  let left = SECONDS;
  const say = () => { when.textContent = (part.dataset.seconds ?? "").replace("{n}", String(left)); };
  const timer = setInterval(() => {
    left -= 1;
    say();
    if (left <= 0) {
      clearInterval(timer);
      location.assign(link.href);
    }
  }, 1000);
  const stay = () => {
    clearInterval(timer);
    when.textContent = "";
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, stay, { once: true });
  say();
}

/** Done at once where nothing of this person waits on this device; otherwise never. */
async function nothingWaits() {
  const { home = "", who = "", called } = document.getElementById("way-back")?.dataset ?? {};
  if (who && (await parcels(home, who, called)).length > 0) await new Promise(() => {});
}

document.documentElement.classList.remove("no-js");
offerCopy();
const deleted = document.getElementById("deleted");
// Whoever had everything deleted leaves nothing on this device either.
if (deleted) await forget(deleted.dataset.home ?? "", deleted.dataset.who ?? "", deleted.dataset.called);
// A page that sends nothing itself shows the code, and leads nobody away from what still waits on this device.
if (!document.getElementById("state")) void goBack(nothingWaits(), Promise.resolve());
