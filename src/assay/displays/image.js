// @ts-check
/** The picture can be zoomed and moved, its marks can be hidden, and the mark of the place at hand is brought into view. */
import { addKind } from "/static/kinds.js";
import { say } from "/static/places.js";
import { t } from "/static/words.js";

const FACTORS = [1, 2, 4];

/** @type {HTMLElement} where the item's content is */
let content = document.body;
/** @type {HTMLElement | null} what had the focus before the zoom took it */
let before = null;

addKind({ wire, keys: { z: zoom, m: toggleMarks } });

/** @param {string} selector @returns {HTMLElement[]} */
function all(selector) {
  return [...content.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));
}

/** Connect the pictures of an item. @param {import("/static/kinds.js").Shown} shown */
function wire(shown) {
  [content, before] = [shown.content, null];
  for (const image of content.querySelectorAll("img")) wirePicture(image);
  for (const button of all("[data-zoom]")) button.addEventListener("click", zoom);
  for (const button of all("[data-marks]")) button.addEventListener("click", toggleMarks);
  for (const viewport of all(".viewport")) wireDrag(viewport);
  content.addEventListener("walk", showMark);
  // A place that is gone to must not end up behind the picture that stays in view.
  const leaveRoom = new ResizeObserver(([{ target }]) => {
    const stays = getComputedStyle(target).position === "sticky";
    content.style.setProperty("--picture-height", stays ? `${target.clientHeight}px` : "0px");
  });
  for (const block of all(".image").slice(0, 1)) leaveRoom.observe(block);
  // What fits is another size then: begin again.
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const viewport of all(".viewport.zoomed")) setZoom(viewport, 1);
  }, { signal: shown.signal });
  shown.signal.addEventListener("abort", () => leaveRoom.disconnect());
}

/** Hide the marks, or show them again. @returns {boolean} whether there are any */
function toggleMarks() {
  const marks = [...content.querySelectorAll(".marks")];
  if (marks.length === 0) return false;
  const off = !marks[0].classList.contains("off");
  for (const each of marks) each.classList.toggle("off", off);
  for (const button of all("[data-marks]")) button.setAttribute("aria-pressed", String(off));
  say(off ? t("script.marks_hidden") : t("script.marks_shown"));
  return true;
}

/** The next size of the picture: 100, 200, 400 %, and back. @returns {boolean} whether there is a picture */
function zoom() {
  const viewport = all(".viewport").find((each) => each.getClientRects().length > 0);
  if (!viewport) return false;
  const factor = FACTORS[(FACTORS.indexOf(Number(viewport.dataset.zoom ?? 1)) + 1) % FACTORS.length];
  setZoom(viewport, factor);
  say(factor > 1 ? t("script.zoom_and_move", { percent: factor * 100 }) : t("script.zoom", { percent: factor * 100 }));
  return true;
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
  const said = viewport.parentElement?.querySelector(".factor");
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

/** Bring the mark of the place at hand into view. */
function showMark() {
  for (const mark of content.querySelectorAll(".drawn.on")) reveal(mark);
}

/** Bring a mark to the middle of a picture that is zoomed in. @param {Element} mark */
function reveal(mark) {
  const viewport = mark.closest(".viewport.zoomed");
  if (!viewport) return;
  const [there, here] = [mark, viewport].map((each) => each.getBoundingClientRect());
  viewport.scrollLeft += there.x - here.x + (there.width - here.width) / 2;
  viewport.scrollTop += there.y - here.y + (there.height - here.height) / 2;
}

/** The mouse moves a zoomed picture by its grip; a finger scrolls it as anything else. @param {HTMLElement} viewport */
function wireDrag(viewport) {
  viewport.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button !== 0 || !viewport.classList.contains("zoomed")) return;
    viewport.setPointerCapture(event.pointerId);
    viewport.classList.add("dragged");
  });
  viewport.addEventListener("pointermove", (event) => {
    if (viewport.classList.contains("dragged")) viewport.scrollBy(-event.movementX, -event.movementY);
  });
  viewport.addEventListener("lostpointercapture", () => viewport.classList.remove("dragged"));
}

/** A picture that does not load says so, and can be asked for again. @param {HTMLImageElement} image */
function wirePicture(image) {
  const figure = image.closest("figure");
  const failed = /** @type {HTMLElement | null} */ (figure?.querySelector(".not-loaded") ?? null);
  /** @param {boolean} wrong */
  const tell = (wrong) => {
    if (failed) failed.hidden = !wrong;
    if (wrong) figure?.setAttribute("data-failed", t("script.picture_failed"));
    else figure?.removeAttribute("data-failed");
    for (const part of figure?.querySelectorAll(".viewport, .tools") ?? []) part.toggleAttribute("hidden", wrong);
  };
  image.addEventListener("error", () => tell(true));
  image.addEventListener("load", () => tell(false));
  if (image.complete && image.naturalWidth === 0) tell(true);
  failed?.querySelector("[data-retry]")?.addEventListener("click", () => { image.src = image.src; });
}
