// @ts-check
/** Active time: the tab is visible and something happened in the last minute. And where the study wants it, when the page
 * was looked at and when not. Both survive a reload of the page. */

const IDLE_MS = 60_000;
const MOST_EVENTS = 500;
const NARROW_PX = 700;

/** Milliseconds since the item was first shown here, and what happened. @typedef {[number, string]} Seen */

export class ActiveClock {
  /** @param {string} item @param {AbortSignal} signal when the item goes @param {boolean} watches whether to note
   * when the page is looked at @param {boolean} pasting whether to note that something was pasted */
  constructor(item, signal, watches = false, pasting = false) {
    this.key = `active-${item}`;
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
    this.total = Number(kept.total ?? 0);
    /** @type {number} */
    this.began = kept.began ?? Date.now();
    /** @type {Seen[]} */
    this.events = kept.events ?? [];
    /** How many answers were given by key, and by pointer. @type {[number, number]} */
    this.answers = kept.answers ?? [0, 0];
    this.watches = watches;
    this.since = performance.now();
    this.lastEvent = this.since;
    this.wasHidden = document.hidden;
    this.resting = false;
    for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"]) {
      addEventListener(name, () => this.move(), { passive: true, capture: true, signal });
    }
    document.addEventListener("visibilitychange", () => {
      this.move();
      this.note(document.hidden ? "hidden" : "visible");
    }, { signal });
    for (const name of ["focus", "blur"]) addEventListener(name, () => this.note(name), { signal });
    if (pasting) addEventListener("paste", () => this.note("paste"), { signal });
    addEventListener("pagehide", () => this.keep(), { signal });
    this.note(document.hidden ? "hidden" : "visible");
    this.note(document.hasFocus() ? "focus" : "blur");
  }

  /** An answer was given, by key or by pointer: only how many of each is kept. @param {boolean} byKey */
  count(byKey) {
    if (this.watches) this.answers[byKey ? 0 : 1] += 1;
  }

  /** Everything that was noted, and at its end by what the answers were given, on how wide a page.
   * @returns {Seen[]} */
  sum() {
    const [last] = this.events.at(-1) ?? [0];
    const how = `with:${this.answers.join("/")}/${innerWidth < NARROW_PX ? "narrow" : "wide"}`;
    return [...this.events.slice(0, MOST_EVENTS - 1), [Math.max(last, Date.now() - this.began), how]];
  }

  /** @param {string} what */
  note(what) {
    if (!this.watches || this.events.length >= MOST_EVENTS) return;
    const [last] = this.events.at(-1) ?? [0];
    this.events.push([Math.max(last, Date.now() - this.began), what]);
  }

  keep() {
    const { began, events, answers } = this;
    sessionStorage.setItem(this.key, JSON.stringify({ total: this.read(), began, events, answers }));
  }

  /** The item is submitted: whoever comes back to it begins anew. */
  done() {
    sessionStorage.removeItem(this.key);
  }

  /** Something happened; during a break that means nothing. */
  move() {
    if (!this.resting) this.touch();
  }

  /** Count nothing until something is done with the item again. */
  stop() {
    this.touch();
    this.resting = true;
    this.wasHidden = true;
  }

  /** Count the time up to now, unless nothing had happened for too long. */
  touch() {
    this.resting = false;
    this.total = this.read();
    this.since = performance.now();
    this.lastEvent = this.since;
    this.wasHidden = document.hidden;
  }

  /** @returns {number} milliseconds */
  read() {
    if (this.wasHidden) return this.total;
    return this.total + Math.max(0, Math.min(performance.now(), this.lastEvent + IDLE_MS) - this.since);
  }
}
