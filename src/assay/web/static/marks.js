// @ts-check
/** Steps and turns are walked by key; the step at hand stands out on the picture, which can be zoomed and moved. */
import { t } from "./words.js";

const FACTORS = [1, 2, 4];

/** @type {HTMLElement} where the item's content is */
let content = document.body;
/** @type {HTMLElement} what is said to those who listen */
let voice;
/** The step that has the focus. */
let held = "";
/** @type {HTMLElement | null} what had the focus before the zoom took it */
let before = null;

/** @param {string} selector @returns {HTMLElement[]} */
function all(selector) {
  return [...content.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));
}

/** Connect steps, marks and pictures. @param {HTMLElement} root @param {AbortSignal} signal when they go */
export function wireMarks(root, signal = new AbortController().signal) {
  [content, held, before] = [root, "", null];
  voice = Object.assign(document.createElement("p"), { className: "unseen", role: "status" });
  root.append(voice);
  root.addEventListener("focusin", (event) => hold(event.target));
  root.addEventListener("focusout", (event) => hold(event.relatedTarget));
  root.addEventListener("pointerover", (event) => point(nameAt(event.target) || held));
  root.addEventListener("pointerleave", () => point(held));
  for (const image of root.querySelectorAll("img")) wirePicture(image);
  for (const button of all("[data-zoom]")) button.addEventListener("click", zoom);
  for (const button of all("[data-marks]")) button.addEventListener("click", toggleMarks);
  for (const viewport of all(".viewport")) wireDrag(viewport);
  // A step that is gone to must not end up behind the picture that stays in view.
  const leaveRoom = new ResizeObserver(([{ target }]) => {
    const stays = getComputedStyle(target).position === "sticky";
    root.style.setProperty("--picture-height", stays ? `${target.clientHeight}px` : "0px");
  });
  for (const block of all(".image").slice(0, 1)) leaveRoom.observe(block);
  // What fits is another size then: begin again.
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const viewport of all(".viewport.zoomed")) setZoom(viewport, 1);
  }, { signal });
  signal.addEventListener("abort", () => leaveRoom.disconnect());
}

/** The step that something belongs to, on the picture or beside it. @param {EventTarget | null} target */
function nameAt(target) {
  const found = target instanceof Element ? target.closest("[data-step], [data-mark]") : null;
  return found?.getAttribute("data-step") ?? found?.getAttribute("data-mark") ?? "";
}

/** The step with the focus stands out, also while its picture is moved or zoomed. @param {EventTarget | null} target */
function hold(target) {
  if (!(target instanceof Element && target.closest("figure"))) held = nameAt(target);
  point(held);
}

/** Let one step stand out, or none. A step without a place leaves the picture as it is. @param {string} name */
function point(name) {
  for (const marks of content.querySelectorAll(".marks")) {
    let found = false;
    for (const mark of marks.querySelectorAll("[data-mark]")) {
      const on = name !== "" && mark.getAttribute("data-mark") === name;
      mark.classList.toggle("on", on);
      found ||= on;
    }
    marks.classList.toggle("pointing", found);
  }
  for (const step of all("[data-step]")) step.classList.toggle("on", name !== "" && step.dataset.step === name);
}

/** Go to the next or the one before of the steps and turns.
 * @param {1 | -1} step @returns {boolean} whether there are any */
export function walk(step) {
  const places = all("[data-step], [data-turn]").filter((each) => each.getClientRects().length > 0);
  if (places.length === 0) return false;
  const at = document.activeElement;
  const current = places.findIndex((each) => each.contains(at) || (held && each.dataset.step === held));
  const next = current < 0 ? (step > 0 ? 0 : places.length - 1) : current + step;
  if (next < 0 || next >= places.length) {
    say(step > 0 ? t("script.last_one") : t("script.first_one"));
    return true;
  }
  const place = places[next];
  place.focus();
  for (const mark of content.querySelectorAll(".drawn.on")) reveal(mark);
  say(place.dataset.step ? saidOfStep(place) : t("script.turn", { number: place.dataset.turn ?? "", total: all("[data-turn]").length }));
  return true;
}

/** @param {HTMLElement} step */
function saidOfStep(step) {
  const [operation, place, result] = [".operation", ".place", ".gave"].map((part) => textOf(step.querySelector(part)));
  const mark = content.querySelector(`[data-mark="${step.dataset.step}"]`);
  const outside = mark?.getAttribute("data-outside") ?? "";
  const what = [operation, place.replace(/[()]/g, "")].filter(Boolean).join(" ");
  return [[step.dataset.step, what, outside].filter(Boolean).join(", "), result].filter(Boolean).join(": ");
}

/** What is seen of a text: its start, where it is folded. @param {Element | null} part */
const textOf = (part) => (part?.querySelector("summary .start") ?? part)?.textContent?.trim() ?? "";

/** @param {string} words */
function say(words) {
  voice.textContent = voice.textContent === words ? `${words}\u00a0` : words;
}

/** Hide the marks, or show them again. @returns {boolean} whether there are any */
export function toggleMarks() {
  const marks = [...content.querySelectorAll(".marks")];
  if (marks.length === 0) return false;
  const off = !marks[0].classList.contains("off");
  for (const each of marks) each.classList.toggle("off", off);
  for (const button of all("[data-marks]")) button.setAttribute("aria-pressed", String(off));
  say(off ? t("script.marks_hidden") : t("script.marks_shown"));
  return true;
}

/** The next size of the picture: 100, 200, 400 %, and back. @returns {boolean} whether there is a picture */
export function zoom() {
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
  for (const mark of viewport.querySelectorAll(".drawn.on")) reveal(mark);
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
    figure?.classList.toggle("failed", wrong);
    for (const part of figure?.querySelectorAll(".viewport, .tools") ?? []) part.toggleAttribute("hidden", wrong);
  };
  image.addEventListener("error", () => tell(true));
  image.addEventListener("load", () => tell(false));
  if (image.complete && image.naturalWidth === 0) tell(true);
  failed?.querySelector("[data-retry]")?.addEventListener("click", () => { image.src = image.src; });
}
