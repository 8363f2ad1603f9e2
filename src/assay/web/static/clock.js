// @ts-check
/** Active time: the tab is visible and something happened in the last minute. Survives a reload of the page. */

const IDLE_MS = 60_000;

export class ActiveClock {
  /** @param {string} item @param {AbortSignal} signal when the item goes */
  constructor(item, signal) {
    this.key = `active-${item}`;
    this.total = Number(sessionStorage.getItem(this.key) ?? 0);
    this.since = performance.now();
    this.lastEvent = this.since;
    this.wasHidden = document.hidden;
    this.resting = false;
    for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"]) {
      addEventListener(name, () => this.move(), { passive: true, capture: true, signal });
    }
    document.addEventListener("visibilitychange", () => this.move(), { signal });
    addEventListener("pagehide", () => sessionStorage.setItem(this.key, String(this.read())), { signal });
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
