// @ts-check
/** Something large in a frame: zoomed by wheel and by two fingers, moved by the mouse and by one finger. */

/** @typedef {{x: number, y: number}} Point */

const WHEEL = 0.0015;

export class PanZoom {
  /** @param {HTMLElement} stage the frame @param {HTMLElement} canvas what is in it, of a fixed aspect
   * @param {number} most how large it may become, by the size that fits @param {() => void} changed
   * @param {AbortSignal} signal when it is over */
  constructor(stage, canvas, most, changed, signal) {
    this.stage = stage;
    this.canvas = canvas;
    this.most = most;
    this.changed = changed;
    const { width, height } = canvas.getBoundingClientRect();
    this.aspect = width / height;
    this.scale = 1;
    /** @type {Point} where the canvas begins in the frame */
    this.at = { x: 0, y: 0 };
    /** @type {Map<number, Point>} the fingers, or the mouse */
    this.pointers = new Map();
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      stage.addEventListener(name, (event) => this.point(/** @type {PointerEvent} */ (event)), { signal });
    }
    stage.addEventListener("dblclick", (event) => this.zoom(2, this.inside(event)), { signal });
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * WHEEL * (event.deltaMode === 1 ? 16 : 1)), this.inside(event));
    }, { signal, passive: false });
    const resized = new ResizeObserver(() => this.apply());
    resized.observe(stage);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  /** The frame's size. */
  get frame() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  /** The size of what is in it, as it is zoomed now. */
  get size() {
    const { width, height } = this.frame;
    const fits = Math.min(width, height * this.aspect);
    return { width: fits * this.scale, height: fits * this.scale / this.aspect };
  }

  /** @param {MouseEvent} event @returns {Point} where in the frame */
  inside(event) {
    const { left, top } = this.stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** Zoom by a factor, such that what lies at a point of the frame stays there. @param {number} factor
   * @param {Point} [about] left out: the middle */
  zoom(factor, about = { x: this.frame.width / 2, y: this.frame.height / 2 }) {
    const before = this.scale;
    this.scale = Math.max(1, Math.min(this.most, before * factor));
    const by = this.scale / before;
    this.at = { x: about.x - (about.x - this.at.x) * by, y: about.y - (about.y - this.at.y) * by };
    this.apply();
  }

  /** All of it, as large as it fits. */
  fit() {
    this.zoom(0);
  }

  /** @param {number} right @param {number} down */
  move(right, down) {
    this.at = { x: this.at.x + right, y: this.at.y + down };
    this.apply();
  }

  /** The middle of something of the canvas, where that is in the frame. @param {Element} part @returns {Point | undefined} */
  middleOf(part) {
    const { x, y, width, height } = part.getBoundingClientRect();
    const here = this.stage.getBoundingClientRect();
    const at = { x: x + width / 2 - here.x, y: y + height / 2 - here.y };
    return at.x >= 0 && at.y >= 0 && at.x <= here.width && at.y <= here.height ? at : undefined;
  }

  /** Bring something of the canvas to the middle. @param {Element} part */
  centre(part) {
    const [there, here] = [part, this.stage].map((each) => each.getBoundingClientRect());
    this.move(here.x - there.x + (here.width - there.width) / 2, here.y - there.y + (here.height - there.height) / 2);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const now = this.inside(event);
    if (event.type === "pointerdown") {
      if (event.button !== 0) return;
      this.stage.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, now);
    } else if (event.type === "pointermove") {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      this.pointers.set(event.pointerId, now);
      if (other) this.pinch(before, now, other);
      else this.move(now.x - before.x, now.y - before.y);
    } else {
      this.pointers.delete(event.pointerId);
    }
    this.stage.classList.toggle("dragged", this.pointers.size > 0);
  }

  /** One of two fingers moves. @param {Point} before @param {Point} now @param {Point} other */
  pinch(before, now, other) {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    this.at = { x: this.at.x + (now.x - before.x) / 2, y: this.at.y + (now.y - before.y) / 2 };
    this.zoom(Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, apart), middle);
  }

  /** Draw it. Nothing empty comes into the frame where there is something to fill it; what is smaller stands in the
   * middle. */
  apply() {
    const { frame, size } = this;
    /** @param {number} at @param {number} room @param {number} length */
    const held = (at, room, length) => (length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at)));
    this.at = { x: held(this.at.x, frame.width, size.width), y: held(this.at.y, frame.height, size.height) };
    this.canvas.style.width = `${size.width}px`;
    this.canvas.style.transform = `translate(${this.at.x}px, ${this.at.y}px)`;
    this.changed();
  }
}
