// @ts-check
/** The picture can be zoomed and moved, and opens to the whole window; its marks can be hidden, none covers another, and
 * the mark of the place at hand is brought into view. */
import { addKind } from "/static/kinds.js";
import { separateLabels, separateLikeCopy } from "/static/labels.js";
import { LargeView } from "/static/large_view.js";
import { wirePicture } from "/static/picture_load.js";
import { say } from "/static/places.js";
import { t } from "/static/words.js";

const ZOOMED = 2;
const MOVED = 4;

/** @type {HTMLElement} where the item's content is */
let content = document.body;
/** @type {HTMLElement | null} what had the focus before the zoom took it */
let before = null;
/** @type {Map<Element, LargeView>} by the viewport that the picture stands in */
let large = new Map();

addKind({ wire, measure, keys: { z: zoom, m: toggleMarks } });

/** @param {string} selector @returns {HTMLElement[]} */
function all(selector) {
  return [...content.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));
}

/** Connect the pictures of an item. @param {import("/static/kinds.js").Shown} shown */
function wire(shown) {
  [content, before, large] = [shown.content, null, new Map()];
  for (const image of content.querySelectorAll(".canvas img")) wirePicture(/** @type {HTMLImageElement} */ (image));
  for (const button of all("[data-zoom]")) button.addEventListener("click", () => shrink() || zoom());
  for (const button of all("[data-large]")) button.addEventListener("click", () => openLarge(button));
  for (const button of all("[data-marks]")) button.addEventListener("click", toggleMarks);
  for (const viewport of all(".viewport")) wireViewport(viewport);
  for (const mark of all(".drawn[data-outside]")) sayOutside(mark);
  content.addEventListener("walk", showMark);
  // Before the keys of the item: there Escape has other meanings.
  document.addEventListener("keydown", (event) => {
    const taken = event.target instanceof Element && event.target.closest("textarea, dialog, .drawer");
    if (event.key === "Escape" && !taken && shrink()) event.stopPropagation();
  }, { signal: shown.signal });
  const separate = new ResizeObserver((seen) => seen.forEach(({ target }) => separateLabels(target)));
  for (const marks of content.querySelectorAll(".marks")) separate.observe(marks);
  // A place that is gone to must not end up behind the picture that stays in view.
  let kept = 0;
  const leaveRoom = new ResizeObserver(([{ target }]) => {
    // Beside it nothing is behind it. Everything in the content is styled anew for this: only where it is of use.
    const isAbove = getComputedStyle(target).position === "sticky" && 2 * target.clientWidth > content.clientWidth;
    const height = isAbove ? target.clientHeight : 0;
    if (height !== kept) content.style.setProperty("--picture-height", `${height}px`);
    kept = height;
  });
  for (const block of all(".image").slice(0, 1)) leaveRoom.observe(block);
  // What fits is another size then: begin again.
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const viewport of all(".viewport.zoomed")) setZoom(viewport, 1);
  }, { signal: shown.signal });
  shown.signal.addEventListener("abort", () => [separate, leaveRoom].forEach((each) => each.disconnect()));
}

/** Where labels go is known before the item is shown. @param {Element} copy @param {Element} coming */
function measure(copy, coming) {
  const [there, own] = [copy, coming].map((each) => each.querySelectorAll(".marks"));
  own.forEach((marks, index) => separateLikeCopy(there[index], marks));
}

/** Hide the marks, or show them again. @returns {boolean} whether there are any */
function toggleMarks() {
  const marks = [...content.querySelectorAll(".marks")];
  if (marks.length === 0) return false;
  const off = !marks[0].classList.contains("off");
  for (const each of marks) each.classList.toggle("off", off);
  for (const button of all("[data-marks]")) button.classList.toggle("off", off);
  say(off ? t("script.marks_hidden") : t("script.marks_shown"));
  return true;
}

/** The next size of the picture: in its place, then in the whole window. @returns {boolean} whether there is a picture */
function zoom() {
  const viewport = all(".viewport").find((each) => each.getClientRects().length > 0);
  if (!viewport) return false;
  if (viewport.classList.contains("zoomed")) openLarge(viewport);
  else {
    setZoom(viewport, ZOOMED);
    say(t("script.zoom_and_move", { percent: ZOOMED * 100 }));
  }
  return true;
}

/** Back to the size that fits. @returns {boolean} whether it was another one */
function shrink() {
  const zoomed = all(".viewport.zoomed");
  for (const viewport of zoomed) setZoom(viewport, 1);
  if (zoomed.length > 0) say(t("script.zoom", { percent: 100 }));
  return zoomed.length > 0;
}

/** Open the picture to the whole window. @param {Element} part something of its figure */
function openLarge(part) {
  const viewport = part.closest("figure")?.querySelector(".viewport");
  const open = viewport && large.get(viewport);
  if (!(viewport instanceof HTMLElement) || !open) return;
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const back = active === viewport ? before : active;
  if (viewport.classList.contains("zoomed")) setZoom(viewport, 1);
  // What has gone from the page holds its place, so that nothing around it moves.
  const { width, height } = viewport.getBoundingClientRect();
  [viewport.style.width, viewport.style.height] = [`${width}px`, `${height}px`];
  open.open(back, asked());
}

/** What is asked about the picture: the first text of the item, one that was there from the start. @returns {string} */
function asked() {
  const [block] = all(":scope > .text:not(.revealed)");
  const [label, text] = ["h2", ".prose"].map((part) => block?.querySelector(part)?.textContent?.trim() ?? "");
  return label && text ? t("script.asked", { label, text }) : text;
}

/** @param {HTMLElement} viewport @param {number} factor */
function setZoom(viewport, factor) {
  const canvas = /** @type {HTMLElement} */ (viewport.querySelector(".canvas"));
  const old = Number(viewport.dataset.zoom ?? 1);
  if (old === 1) viewport.dataset.fit = String(canvas.getBoundingClientRect().width);
  const { width, height } = viewport.getBoundingClientRect();
  const half = { x: viewport.clientWidth / 2, y: viewport.clientHeight / 2 };
  const middle = { x: (viewport.scrollLeft + half.x) * factor / old, y: (viewport.scrollTop + half.y) * factor / old };
  viewport.dataset.zoom = String(factor);
  viewport.classList.toggle("zoomed", factor > 1);
  // The box keeps its size, so that nothing around it moves.
  viewport.style.width = factor > 1 ? `${width}px` : "";
  viewport.style.height = factor > 1 ? `${height}px` : "";
  canvas.style.width = factor > 1 ? `${Number(viewport.dataset.fit) * factor}px` : "";
  viewport.scrollTo(middle.x - half.x, middle.y - half.y);
  showMark();
  const said = viewport.parentElement?.querySelector(".tools .factor");
  if (said) said.textContent = `${factor * 100} %`;
  if (factor > 1) {
    if (document.activeElement !== viewport) before = /** @type {HTMLElement | null} */ (document.activeElement);
    viewport.tabIndex = 0;
    viewport.setAttribute("role", "region");
    viewport.setAttribute("aria-label", t("script.zoomed"));
    viewport.focus({ preventScroll: true });
  } else {
    const leaves = document.activeElement === viewport;
    for (const name of ["tabindex", "role", "aria-label"]) viewport.removeAttribute(name);
    if (leaves) before?.focus({ preventScroll: true });
  }
}

/** Bring the mark of the place at hand into view, in a picture that is zoomed in. */
function showMark() {
  for (const mark of content.querySelectorAll(".viewport.zoomed .drawn.on")) {
    const viewport = /** @type {Element} */ (mark.closest(".viewport"));
    const [there, here] = [mark, viewport].map((each) => each.getBoundingClientRect());
    viewport.scrollLeft += there.x - here.x + (there.width - here.width) / 2;
    viewport.scrollTop += there.y - here.y + (there.height - here.height) / 2;
  }
}

/** That a step points outside is said beside where it points. @param {Element} mark */
function sayOutside(mark) {
  const step = content.querySelector(`[data-place="${mark.getAttribute("data-of-place")}"] .did`);
  if (!step || step.querySelector(".outside")) return;
  step.append(" ", Object.assign(document.createElement("span"), { className: "outside" }));
  /** @type {Element} */ (step.lastElementChild).textContent = mark.getAttribute("data-outside");
}

/** The mouse moves a zoomed picture by its grip; a finger scrolls it as anything else. A click opens it to the whole
 * window. @param {HTMLElement} viewport */
function wireViewport(viewport) {
  const dialog = /** @type {HTMLDialogElement} */ (viewport.parentElement?.querySelector("dialog.large"));
  const canvas = /** @type {HTMLElement} */ (viewport.querySelector(".canvas"));
  large.set(viewport, new LargeView(dialog, canvas, {
    changed: () => { if (!dialog.open) [viewport.style.width, viewport.style.height] = ["", ""]; },
    hide: (side, off) => canvas.classList.toggle(`hide-${side}`, off),
  }));
  let moved = 0;
  viewport.addEventListener("pointerdown", (event) => {
    moved = 0;
    if (event.pointerType === "touch" || event.button !== 0 || !viewport.classList.contains("zoomed")) return;
    viewport.setPointerCapture(event.pointerId);
    viewport.classList.add("dragged");
  });
  viewport.addEventListener("pointermove", (event) => {
    if (!viewport.classList.contains("dragged")) return;
    moved += Math.abs(event.movementX) + Math.abs(event.movementY);
    viewport.scrollBy(-event.movementX, -event.movementY);
  });
  viewport.addEventListener("lostpointercapture", () => viewport.classList.remove("dragged"));
  viewport.addEventListener("click", () => { if (moved < MOVED) openLarge(viewport); });
}
