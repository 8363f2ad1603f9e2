// @ts-check
/** The guidelines beside the item: open as long as one wants, while work goes on. They follow the open question until
 * somebody moves in them. Whether they are open is kept for as long as the window is. */
import { textAt } from "./dialogs.js";
import { OPENED } from "./open_question.js";

const KEPT = "guide-is-open";

export class GuideDrawer {
  /** @param {HTMLElement} drawer @param {HTMLAnchorElement} link where the guidelines are */
  constructor(drawer, link) {
    this.drawer = drawer;
    this.link = link;
    this.text = /** @type {HTMLElement} */ (document.getElementById("drawer-text"));
    /** The dimension of the open question. */
    this.dimension = "";
    /** Whether somebody has moved in the guidelines: then they stay where they are. */
    this.moved = false;
    /** @type {Element | null} what had the focus before */
    this.before = null;
    this.wire();
  }

  wire() {
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      this.toggle();
    });
    document.getElementById("drawer-close")?.addEventListener("click", () => this.close());
    for (const name of ["wheel", "touchmove"]) this.text.addEventListener(name, () => { this.moved = true; }, { passive: true });
    this.text.addEventListener("keydown", ({ key }) => { this.moved ||= /^(Arrow|Page|Home|End| )/.test(key); });
    this.drawer.addEventListener("click", (event) => this.goTo(event));
    document.addEventListener(OPENED, (event) => this.follow(/** @type {CustomEvent<string>} */ (event).detail));
    // Before the keys of the item: there Escape has other meanings.
    addEventListener("keydown", (event) => {
      const taken = event.target instanceof HTMLTextAreaElement || document.querySelector("dialog[open]");
      if (event.key !== "Escape" || !this.isOpen || taken) return;
      event.stopImmediatePropagation();
      this.close();
    });
  }

  get isOpen() {
    return !this.drawer.hidden;
  }

  toggle() {
    if (this.isOpen) this.close();
    else void this.open();
    return true;
  }

  /** Open as it was left before a reload: the focus stays with the item. */
  restore() {
    if (sessionStorage.getItem(KEPT)) void this.open(false);
  }

  async open(focused = true) {
    this.before = document.activeElement;
    if (!this.text.hasChildNodes()) await this.load();
    this.show(true);
    if (focused) this.text.focus({ preventScroll: true });
    this.moved = false;
    this.find(this.dimension);
  }

  /** Get the text; its contents stand above it, where they are always at hand. */
  async load() {
    this.text.replaceChildren(...await textAt(this.link.href));
    const contents = this.text.querySelector(".contents");
    if (contents) document.getElementById("drawer-title")?.after(contents);
  }

  close() {
    const inside = this.drawer.contains(document.activeElement);
    this.show(false);
    if (!this.text.querySelector(".guide")) this.text.replaceChildren(); // what could not be had is asked for again
    if (!inside) return;
    const back = this.before?.isConnected ? this.before : document.getElementById("heading");
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  }

  /** @param {boolean} on */
  show(on) {
    this.drawer.hidden = !on;
    document.body.classList.toggle("with-guide", on);
    this.link.setAttribute("aria-expanded", String(on));
    if (on) sessionStorage.setItem(KEPT, "yes");
    else sessionStorage.removeItem(KEPT);
  }

  /** Another question is open. @param {string} dimension */
  follow(dimension) {
    if (dimension === this.dimension) return;
    this.dimension = dimension;
    if (this.isOpen && !this.moved) this.find(dimension);
  }

  /** Go to where a dimension is spoken of: what only prepares the next question, such as a count of failures, is spoken of
   * with that one. @param {string} dimension */
  find(dimension) {
    const asked = [...document.querySelectorAll("#judge fieldset.question")].map((each) => each.getAttribute("data-dimension"));
    const wanted = [dimension, asked[asked.lastIndexOf(dimension) + 1] ?? ""].filter((each) => asked.includes(each));
    const links = [...this.drawer.querySelectorAll("[data-of]")];
    const found = wanted.map((name) => links.find((each) => (each.getAttribute("data-of") ?? "").split(" ").includes(name)));
    const link = found.find(Boolean);
    if (link) this.bring(link.getAttribute("href") ?? "");
  }

  /** @param {string} place */
  bring(place) {
    const heading = this.text.querySelector(place);
    if (heading) this.text.scrollTop += heading.getBoundingClientRect().top - this.text.getBoundingClientRect().top - 12;
  }

  /** A link of the contents moves the guidelines and not the page. @param {MouseEvent} event */
  goTo(event) {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (!link) return;
    event.preventDefault();
    this.moved = true;
    link.closest("details")?.removeAttribute("open");
    this.bring(link.getAttribute("href") ?? "");
    this.text.focus({ preventScroll: true });
  }
}
