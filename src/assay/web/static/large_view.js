// @ts-check
/** Part of the content in the whole window: zoomed and moved there, with the places that belong to it walked by key. A
 * display brings the dialog: a frame (`.stage`), a place for what is walked to (`.large-step`), and buttons that name what
 * they do (`data-do`), those for one side's marks with their letter (`data-letter`). */
import { PanZoom } from "./pan_zoom.js";
import { leaveVoice, say, sayIn, standOut, walk } from "./places.js";
import { keysAreOn } from "./settings.js";
import { t } from "./words.js";

const SIZES = [1, 1.5, 2, 3, 4, 6, 8];
const MOST = 8;
const SHARE = 0.15;

export class LargeView {
  /** @param {HTMLDialogElement} dialog @param {HTMLElement} canvas what is shown large @param {{changed: () => void,
   * hide: (side: string, off: boolean) => void}} tell what to do when its size changes, and to hide one side's marks */
  constructor(dialog, canvas, tell) {
    this.dialog = dialog;
    this.canvas = canvas;
    this.home = /** @type {HTMLElement} */ (canvas.parentElement);
    this.stage = /** @type {HTMLElement} */ (dialog.querySelector(".stage"));
    this.tell = tell;
    this.over = new AbortController();
    /** @type {HTMLElement | null} what had the focus */
    this.before = null;
    /** @type {PanZoom | undefined} */
    this.view = undefined;
    dialog.addEventListener("keydown", (event) => this.press(event));
    dialog.addEventListener("close", () => this.closed());
    for (const button of this.buttons()) button.addEventListener("click", () => this.act(button.dataset.letter ?? button.dataset.do ?? ""));
  }

  /** @returns {HTMLElement[]} */
  buttons() {
    return [...this.dialog.querySelectorAll("[data-do]")].map((each) => /** @type {HTMLElement} */ (each));
  }

  /** Open it. @param {HTMLElement | null} before what gets the focus afterwards
   * @param {string} asked what the item asks, which stands over it */
  open(before, asked) {
    if (this.dialog.open) return;
    this.before = before;
    const line = /** @type {HTMLElement} */ (this.dialog.querySelector(".large-asked"));
    [line.textContent, line.title, line.hidden] = [asked, asked, !asked];
    this.over = new AbortController();
    this.view = new PanZoom(this.stage, this.canvas, MOST, () => this.told(), this.over.signal);
    this.stage.append(this.canvas);
    this.dialog.showModal();
    sayIn(this.dialog);
    this.stage.focus();
    this.view.fit();
    const at = document.querySelector("[data-place].on");
    if (at instanceof HTMLElement) this.show(at);
  }

  closed() {
    this.over.abort();
    this.home.append(this.canvas);
    this.canvas.removeAttribute("style");
    leaveVoice();
    for (const button of this.buttons()) if (button.hasAttribute("aria-pressed")) this.turn(button, true);
    const caption = /** @type {HTMLElement} */ (this.dialog.querySelector(".large-step"));
    caption.hidden = true;
    standOut("");
    this.before?.focus({ preventScroll: true });
    this.tell.changed();
  }

  told() {
    const said = this.dialog.querySelector(".factor");
    if (said) said.textContent = `${Math.round(100 * this.scale)} %`;
    this.tell.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = arrows[/** @type {keyof typeof arrows} */ (event.key)];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && this.view) {
      const { width, height } = this.view.frame;
      this.view.move(way[0] * SHARE * width, way[1] * SHARE * height);
    } else if (!keysAreOn() || !this.act(event.key === "=" ? "+" : event.key.toLowerCase())) {
      return;
    }
    event.preventDefault();
  }

  /** What a key or a button stands for. @param {string} name @returns {boolean} whether it stands for something */
  act(name) {
    switch (name) {
      case "+": this.zoom(SIZES.find((each) => each > this.scale + 0.01) ?? MOST); return true;
      case "-": this.zoom(SIZES.filter((each) => each < this.scale - 0.01).at(-1) ?? 1); return true;
      case "0": this.zoom(1); return true;
      case "j": case "k": return walk(name === "j" ? 1 : -1, (place) => this.show(place));
      case "z": case "close": this.dialog.close(); return true;
      case "m": return this.turnAll();
      default: return this.turnOne(name);
    }
  }

  /** How large it is, by the size that fits. */
  get scale() {
    return this.view?.scale ?? 1;
  }

  /** Zoom about the mark of the place at hand, as long as it is in sight. @param {number} scale */
  zoom(scale) {
    const mark = this.canvas.querySelector(".drawn.on");
    this.view?.zoom(scale / this.scale, mark ? this.view.middleOf(mark) : undefined);
    say(t("script.zoom", { percent: Math.round(100 * this.scale) }));
  }

  /** A place that is walked to: its mark stands out, and what it says stands below. @param {HTMLElement} place */
  show(place) {
    standOut(place.dataset.place ?? "");
    const caption = /** @type {HTMLElement} */ (this.dialog.querySelector(".large-step"));
    caption.className = `large-step ${place.className}`;
    caption.replaceChildren(...[...place.childNodes].map((each) => each.cloneNode(true)));
    caption.hidden = false;
    const mark = this.canvas.querySelector(".drawn.on");
    if (mark && this.scale > 1) this.view?.centre(mark);
  }

  /** @param {HTMLElement} button @param {boolean} on */
  turn(button, on) {
    button.setAttribute("aria-pressed", String(on));
    this.tell.hide(button.dataset.do ?? "", !on);
  }

  /** @param {string} name the letter of a side @returns {boolean} */
  turnOne(name) {
    const switches = this.buttons().filter((each) => each.hasAttribute("aria-pressed"));
    const button = switches.find(({ dataset }) => dataset.letter === name);
    if (button) this.turn(button, button.getAttribute("aria-pressed") !== "true");
    return Boolean(button);
  }

  /** All marks go, or come again. @returns {boolean} */
  turnAll() {
    const sides = this.buttons().filter((each) => each.hasAttribute("aria-pressed"));
    const on = !sides.some((each) => each.getAttribute("aria-pressed") === "true");
    for (const each of sides) this.turn(each, on);
    say(on ? t("script.marks_shown") : t("script.marks_hidden"));
    return sides.length > 0;
  }
}
