// @ts-check
/** A page without an item: submissions that are still on this device are sent from here, too. A break ends here, and
 * the time at which work can go on is given by the clock of this device. */
import { Outbox } from "./outbox.js";
import { Status } from "./status.js";
import { goBack } from "./way_back.js";

const SOON_MS = 600;

document.documentElement.classList.remove("no-js");
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const { home = "", who = "", called, csrf = "" } = state.dataset;
const page = { home, who, called, csrf };
const status = new Status(/** @type {HTMLElement} */ (document.getElementById("status")));
/** @type {() => void} */
let refuse = () => {};
const refused = new Promise((done) => { refuse = () => done(undefined); });
const outbox = new Outbox(page, status, async (_, refusal) => {
  status.say(refusal.error);
  refuse();
  return "wait";
});
// A break ends by Escape too.
addEventListener("keydown", (event) => { if (event.key === "Escape") document.getElementById("go-on")?.click(); });
// What one chooses from has digits, and the links of the bar their letters. Neither a key that is held down counts, nor one typed ahead for an item.
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || performance.now() < SOON_MS) return;
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-hotkey="${CSS.escape(event.key.toLowerCase())}"]`))?.click();
});
const until = document.getElementById("until");
const time = until?.querySelector("time");
if (until && time) {
  const at = new Date(Number(state.dataset.until));
  time.dateTime = at.toISOString();
  const weekday = at.toDateString() === new Date().toDateString() ? undefined : "long";
  time.textContent = at.toLocaleString(document.documentElement.lang, { weekday, hour: "numeric", minute: "2-digit" });
  until.hidden = false;
}
await outbox.open();
void goBack(outbox.empty(), refused);
