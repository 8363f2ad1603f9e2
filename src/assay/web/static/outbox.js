// @ts-check
/** A queue of finished submissions: sends them in order, one after the other, and retries until the server has stored
 * each. One that the server refuses comes back to the page, and the rest waits for that. */
import * as device from "./device_store.js";
import { address, isFinal, pause, refusal, send } from "./send.js";

/** @typedef {import("./device_store.js").Parcel} Parcel */
/** @typedef {import("./status.js").Status} Status */
/** @typedef {{status: number, error: string, code: string, reasons: Record<string, string>}} Refusal */

export class Outbox {
  /** @param {{home: string, who: string, called?: string, csrf: string}} page @param {Status} status
   * @param {(parcel: Parcel, refusal: Refusal) => Promise<"drop" | "wait">} refused what becomes of what is refused
   * @param {(state: string) => void} taken called with the state of the study after something has arrived */
  constructor(page, status, refused, taken = () => {}) {
    this.page = page;
    this.status = status;
    this.refused = refused;
    this.taken = taken;
    /** @type {import("./status.js").Way} how it goes at the moment */
    this.way = "saving";
    /** @type {Parcel[]} */
    this.parcels = [];
    this.busy = false;
    this.held = false;
    /** Whether to let somebody go without a warning. */
    this.quiet = false;
    /** @type {Promise<void>} */
    this.keeping = Promise.resolve();
    /** @type {(() => void)[]} */
    this.waiting = [];
    addEventListener("beforeunload", (event) => {
      if (this.parcels.length > 0 && !this.quiet) event.preventDefault();
    });
  }

  /** Find what an earlier visit has left behind. */
  async open() {
    this.parcels = await device.parcels(this.page.home, this.page.who, this.page.called);
    if (this.parcels.length > 0) this.tell("saving");
    void this.work();
  }

  /** Whether an item is on its way. @param {string} item */
  has(item) {
    return this.parcels.some((parcel) => parcel.item === item && parcel.path === "submit");
  }

  /** @param {import("./status.js").Way} way @param {string} [why] */
  tell(way, why = "") {
    // A break or a report travels too, but nobody counts it as an answer.
    this.status.ofParcels(this.parcels.filter((parcel) => parcel.path === "submit").length, way, why);
  }

  /** Take something on. It is on the disk of this device when this is done; where a browser keeps nothing, it is at
   * least sent.
   * @param {string} path @param {string} item @param {URLSearchParams} body @param {Promise<unknown>} [after] what is
   * to reach the server first */
  async add(path, item, body, after) {
    body.delete("csrf");
    const known = this.parcels.find((each) => each.item === item && each.path === path && path === "submit");
    const { home, who } = this.page;
    const parcel = known ?? { number: 0, home, who, item, path, body: "", at: Date.now() };
    parcel.body = String(body);
    if (!known) this.parcels.push(parcel);
    this.tell(this.way);
    this.held = false;
    this.keeping = this.keeping.then(() => device.keepParcel(parcel)).catch(() => {});
    await this.keeping;
    void Promise.resolve(after).then(() => this.work());
  }

  /** Done when nothing is left to send. @returns {Promise<void>} */
  empty() {
    if (this.parcels.length === 0) return Promise.resolve();
    return new Promise((done) => { this.waiting.push(done); });
  }

  async work() {
    if (this.busy || this.held) return;
    this.busy = true;
    for (let attempt = 0; this.parcels.length > 0 && !this.held;) {
      await this.keeping;
      const answer = await this.send(this.parcels[0]);
      this.way = "saving";
      if (answer?.ok) {
        const { state = "open", computed = "" } = await answer.json();
        this.status.computed = computed;
        await this.done();
        this.taken(state);
        attempt = 0;
      } else if (answer && isFinal(answer)) {
        const what = await this.refused(this.parcels[0], { status: answer.status, ...await refusal(answer) });
        if (what === "drop") await this.done();
        else {
          this.held = true;
          this.tell("held");
        }
      } else {
        const why = answer?.status === 401 ? (await refusal(answer)).error : "";
        this.way = answer ? "error" : "offline";
        this.tell(this.way, why);
        await pause(attempt);
        attempt += 1;
      }
    }
    this.busy = false;
    if (this.parcels.length === 0) for (const done of this.waiting.splice(0)) done();
  }

  /** @param {Parcel} parcel */
  send(parcel) {
    const body = new URLSearchParams(parcel.body);
    body.set("csrf", this.page.csrf);
    body.set("late_ms", String(Math.max(0, Date.now() - parcel.at)));
    return send(address(parcel.home, parcel.path, parcel.item), body);
  }

  async done() {
    const [parcel] = this.parcels.splice(0, 1);
    await device.delivered(parcel.number);
    this.tell(this.parcels.length > 0 ? "saving" : "");
  }
}
