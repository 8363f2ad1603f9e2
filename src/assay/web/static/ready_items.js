// @ts-check
/** Prefetches the items that come next, so that the next one is shown at once, and work can go on offline. */
import { address, send } from "./send.js";

/** @typedef {{item: string, position: number, total: number, heading: string, batch: number, html: string,
 * at: number, page?: DocumentFragment, folded?: (() => void)[]}} ReadyItem the page is there once it was parsed, and what
 * puts into it what is folded away */

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
    /** @type {Promise<void> | null} the filling that is under way */
    this.filling = null;
    /** Whether more may have come to be there since it was asked for last. */
    this.more = false;
    /** Whether an item came back: the server then says what is next. */
    this.reopened = false;
    this.closed = false;
  }

  /** The next item, if there is one here. @returns {ReadyItem | undefined} */
  take() {
    return this.items.shift();
  }

  /** How many items come before another batch begins, with the one on the page; infinite where nothing here is of another.
   * @param {string} [batch] that of the item on the page, where batches come in order */
  leftOfBatch(batch) {
    const other = batch === undefined ? -1 : this.items.findIndex((ready) => ready.batch !== Number(batch));
    return other < 0 ? Infinity : other + 1;
  }

  /** Something has arrived: only now does the server give out what comes after it. */
  async refill() {
    if (this.items.length < FEW) await this.fill();
  }

  /** Nothing more is to be begun. */
  close() {
    this.items = [];
    this.closed = true;
  }

  /** Get what comes after the last one here. @param {number} [after] the position of the item on the page
   * @returns {Promise<void>} */
  fill(after = 0) {
    this.last = Math.max(this.last, after);
    this.more = true;
    this.filling ??= this.work();
    return this.filling;
  }

  async work() {
    await null; // so that what is under way is known before it is over
    while (this.more && this.items.length < ENOUGH && !this.closed) {
      this.more = false;
      const found = await this.ask();
      for (const ready of found) this.put(ready);
      this.more ||= found.length > 0;
    }
    this.filling = null;
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
