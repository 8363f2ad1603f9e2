// @ts-check
/** When a break is due: the page counts on from where the server stands, also without a connection. The rules are those
 * of pace.py. No clock runs on the page: what it says of the next break changes from item to item. */
import { t } from "./words.js";

/** A break of the study, and what was done since it was restarted.
 * @typedef {{after_items: number | null, after_ms: number | null, between_batches: boolean, minutes: number,
 *   items: number, active_ms: number, skip?: boolean}} Planned */
/** @typedef {import("./device_store.js").Parcel} Parcel */

const MINUTE_MS = 60_000;
const GAP_MS = 30 * MINUTE_MS;
const NEARLY = 0.8;
const LEAST_BETWEEN = 2;

/** @param {Planned} planned @param {number} [share] */
const isReached = (planned, share = 1) => (planned.after_items !== null && planned.items >= planned.after_items * share)
  || (planned.after_ms !== null && planned.active_ms >= planned.after_ms * share);

/** @param {Planned} planned */
const isOfBatches = (planned) => planned.after_items === null && planned.after_ms === null;

export class Pace {
  /** @param {HTMLElement | null} place where the page says when the next break comes */
  constructor(place) {
    this.place = place;
    const given = JSON.parse(place?.dataset.pace ?? "{}");
    /** @type {Planned[]} */
    this.breaks = given.breaks ?? [];
    /** Active time that is left in this session and this day. @type {number} */
    this.left = given.left_ms ?? Infinity;
    /** Items that are left of the batch at hand, with the one on the page, where the server knows. @type {number} */
    this.ofBatch = given.of_batch ?? Infinity;
    /** Whether nothing comes behind the item on the page, which was judged before. @type {boolean} */
    this.nothingLeft = given.nothing_left ?? false;
    /** What the server had already when it made the page: the revision of each item. @type {Record<string, number>} */
    this.arrived = given.arrived ?? {};
    /** When something was finished last. */
    this.ended = Date.now() - (given.idle_ms ?? 0);
  }

  /** Something was submitted. @param {number} active milliseconds @param {boolean} isNew whether for the first time */
  count(active, isNew) {
    if (Date.now() - active - this.ended >= GAP_MS) for (const each of this.breaks) restart(each);
    for (const each of this.breaks) {
      // The item at which a break was taken counts as before it.
      if (!each.skip) {
        each.items += isNew ? 1 : 0;
        each.active_ms += active;
      }
      each.skip = false;
    }
    this.ended = Date.now();
    this.left -= active;
    // Of the batch that begins then the page knows as soon as its items are here.
    if (isNew) this.ofBatch = this.ofBatch > 1 ? this.ofBatch - 1 : Infinity;
  }

  /** What is still on its way from an earlier visit, and what the server has not counted. What it has counted may be
   * here all the same, where the page before went at the moment of delivery. @param {Parcel[]} parcels */
  catchUp(parcels) {
    for (const parcel of parcels) {
      const sent = new URLSearchParams(parcel.body);
      if (parcel.path === "submit" && Number(sent.get("revision")) <= (this.arrived[parcel.item] ?? 0)) continue;
      if (parcel.path === "submit" && !sent.has("decline")) {
        this.count(Number(sent.get("active_ms")), sent.get("revision") === "1");
      } else if (parcel.path === "break" && sent.has("begins")) this.rested(0, false);
    }
  }

  /** The break that is due before an item of a batch: of several, the longest.
   * @param {number} before @param {number} after the batches of the item before and after @returns {Planned | undefined} */
  due(before, after) {
    const found = this.breaks.filter((each) => isReached(each)
      || (each.between_batches && before < after && each.items >= LEAST_BETWEEN));
    return found.sort((one, other) => other.minutes - one.minutes)[0];
  }

  /** Whether nothing new is to be begun. */
  isEnough() {
    return this.left <= 0;
  }

  /** There was a rest: whatever was due or nearly so has had it, and whatever it was long enough for.
   * @param {number} ms @param {boolean} inside whether an item was open */
  rested(ms, inside) {
    for (const each of this.breaks) {
      if (isOfBatches(each) || isReached(each, NEARLY) || ms >= each.minutes * MINUTE_MS) {
        restart(each);
        each.skip = inside;
      }
    }
  }

  /** Say when the next break comes. @param {number} [ready] how many items are left of a batch, by what is ready
   * @param {number} [all] how many are left in all, with the one on the page: after the last one there is no break */
  say(ready = Infinity, all = Infinity) {
    if (!this.place || this.nothingLeft) return;
    const ofBatch = ready < Infinity ? ready : this.ofBatch;
    const items = this.breaks.flatMap((each) => [
      ...(each.after_items === null ? [] : [each.after_items - each.items]),
      ...(each.between_batches && ofBatch < Infinity && each.items + ofBatch >= LEAST_BETWEEN ? [ofBatch] : []),
    ]);
    const left = this.breaks.flatMap((each) => (each.after_ms === null ? [] : [each.after_ms - each.active_ms]));
    const next = Math.max(1, Math.min(...items));
    if (next < all) this.place.textContent = t("pace.in_items", { n: next });
    else if (left.length > 0) {
      const n = Math.max(1, Math.round(Math.min(...left) / MINUTE_MS));
      this.place.textContent = t("pace.in_minutes", { n });
    } else if (items.length > 0) this.place.textContent = "";
  }
}

/** @param {Planned} planned */
function restart(planned) {
  planned.items = 0;
  planned.active_ms = 0;
}
