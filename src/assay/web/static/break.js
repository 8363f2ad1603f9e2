// @ts-check
/** Taking a break: in the middle of an item, because somebody wants one, or between two, because the study says so. */
import { t } from "./words.js";

/** @typedef {import("./item.js").Item} Item */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./pace.js").Pace} Pace */
/** @typedef {import("./pace.js").Planned} Planned */
/** @typedef {import("./ready_items.js").ReadyItem} ReadyItem */

/** @param {string} id @returns {any} */
const by = (id) => document.getElementById(id);

const DOUBLE_MS = 400;

/** When the break under way began. */
let began = 0;

/** @param {() => Item} item @param {Outbox} outbox @param {Pace} pace */
export function wireBreak(item, outbox, pace) {
  by("rest").addEventListener("close", () => {
    void outbox.add("break", "", new URLSearchParams({ ends: "yes" }));
    const inside = !item().sent;
    pace.rested(Date.now() - began, inside);
    if (!inside) return;
    item().clock.touch();
    by("heading")?.focus({ preventScroll: true });
  });
  // Enter held down, or the second press of a double click, was meant for the item: it does not end its break.
  by("rest").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.repeat) event.preventDefault();
  });
  by("rest").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.detail > 1 && Date.now() - began < DOUBLE_MS) event.preventDefault();
  });
}

/** What the card of a break says, if there is something to say. @param {string} part @param {string} words */
function put(part, words) {
  const place = by(`rest-${part}`);
  place.textContent = words;
  place.hidden = !words;
}

/** Begin a break: nothing counts until it is over. @param {Outbox} outbox */
function begin(outbox) {
  began = Date.now();
  by("rest").showModal();
  by("rest").querySelector("[data-first]").focus();
  void outbox.add("break", "", new URLSearchParams({ begins: "yes" }));
}

/** A break in the middle of an item, because somebody wants one. @param {Item} item @param {Outbox} outbox */
export function rest(item, outbox) {
  item.clock.stop();
  put("title", by("rest-title").dataset.usual);
  put("done", "");
  put("planned", "");
  by("rest").classList.remove("between");
  begin(outbox);
}

/** The card between two items: what is done, what is left, what to ask oneself. Done when the break is over.
 * @param {Planned} planned @param {Item} before @param {ReadyItem} next @param {Outbox} outbox @returns {Promise<void>} */
export function restBetween(planned, before, next, outbox) {
  const { batch = "", batches = "" } = before.form.dataset;
  before.leave();
  document.getElementById("main")?.replaceChildren();
  const finished = planned.between_batches && Number(batch) < next.batch;
  put("title", finished ? t("pace.batch", { number: batch, total: batches }) : t("pace.heading"));
  const done = t("pace.done", { n: next.position - 1, total: next.total });
  put("done", `${done} ${t("pace.left", { n: next.total - next.position + 1 })}`);
  put("planned", t("pace.planned", { n: planned.minutes }));
  by("rest").classList.add("between");
  begin(outbox);
  return new Promise((over) => { by("rest").addEventListener("close", () => over(), { once: true }); });
}
