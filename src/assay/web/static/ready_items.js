// @ts-check
/** The items that come next, kept ready: the next one is there at once, and there are some to go on with offline. */
import { address, send } from "./send.js";

/** @typedef {{item: string, position: number, total: number, heading: string, batch: number, html: string,
 * at: number}} ReadyItem */

const ENOUGH = 20;
const FEW = 12;

export class ReadyItems {
  /** @param {{home: string, csrf: string}} page @param {(item: string) => boolean} done whether an item is dealt with */
  constructor(page, done) {
    this.page = page;
    this.done = done;
    /** @type {ReadyItem[]} */
    this.items = [];
    this.last = 0;
    this.filling = false;
    /** Whether an item came back: the server then says what is next. */
    this.reopened = false;
    this.closed = false;
  }

  /** The next item, if there is one here. @returns {ReadyItem | undefined} */
  take() {
    const next = this.items.shift();
    if (this.items.length < FEW) void this.fill();
    return next;
  }

  /** Nothing more is to be begun. */
  close() {
    this.items = [];
    this.closed = true;
  }

  /** Get what comes after the last one here. @param {number} [after] the position of the item on the page */
  async fill(after = 0) {
    if (this.filling || this.closed) return;
    this.filling = true;
    this.last = Math.max(this.last, after);
    while (this.items.length < ENOUGH && !this.closed) {
      const found = await this.ask();
      for (const ready of found) this.put(ready);
      if (found.length === 0) break;
    }
    this.filling = false;
  }

  /** @returns {Promise<ReadyItem[]>} */
  async ask() {
    const body = new URLSearchParams({ csrf: this.page.csrf, after: String(this.last) });
    const answer = await send(address(this.page.home, "ahead", ""), body);
    if (!answer?.ok) return [];
    const at = performance.now();
    return (await answer.json()).items.map((/** @type {ReadyItem} */ each) => ({ ...each, at }));
  }

  /** @param {ReadyItem} ready */
  put(ready) {
    this.last = Math.max(this.last, ready.position);
    if (this.done(ready.item)) return;
    this.items.push(ready);
    // Their pictures too: asked for now, they are in the browser's cache when the item comes.
    for (const [, source] of ready.html.matchAll(/<img[^>]+src="([^"]+)"/g)) new Image().src = source;
  }
}
