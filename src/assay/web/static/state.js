// @ts-check
/** A page without an item: what an earlier visit has left on this device is sent from here too. */
import { Outbox } from "./outbox.js";
import { Status } from "./status.js";

document.documentElement.classList.remove("no-js");
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const page = { home: state.dataset.home ?? "", who: state.dataset.who ?? "", csrf: state.dataset.csrf ?? "" };
const status = new Status(/** @type {HTMLElement} */ (document.getElementById("status")));
const outbox = new Outbox(page, status, async (_, refusal) => {
  status.say(refusal.error);
  return "wait";
});
await outbox.open();
