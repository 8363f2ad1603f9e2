// @ts-check
/** Active time: the tab is visible and something happened in the last minute. Survives a reload of the page. */

const IDLE_MS = 60_000;

export class ActiveClock {
  /** @param {string} item */
  constructor(item) {
    this.key = `active-${item}`;
    this.total = Number(sessionStorage.getItem(this.key) ?? 0);
    this.since = performance.now();
    this.lastEvent = this.since;
    this.wasHidden = document.hidden;
    for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"]) {
      addEventListener(name, () => this.touch(), { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => this.touch());
    addEventListener("pagehide", () => sessionStorage.setItem(this.key, String(this.read())));
  }

  /** Count the time up to now, unless nothing had happened for too long. */
  touch() {
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
