// @ts-check
/** Places in the content, such as steps and turns: they are walked by key, and what belongs to the one at hand stands out
 * with it. A display marks its places by `data-place`, and by `data-of-place` what belongs to one. */
import { t } from "./words.js";

/** @type {HTMLElement} where the item's content is */
let content = document.body;
/** @type {HTMLElement} what is said to those who listen */
let voice;
/** The name of the place that has the focus. */
let held = "";

/** Connect the places of an item. @param {HTMLElement} root */
export function wirePlaces(root) {
  [content, held] = [root, ""];
  voice = Object.assign(document.createElement("p"), { className: "unseen", role: "status" });
  root.append(voice);
  root.addEventListener("focusin", (event) => hold(event.target));
  root.addEventListener("focusout", (event) => hold(event.relatedTarget));
  root.addEventListener("pointerover", (event) => point(nameAt(event.target) || held));
  root.addEventListener("pointerleave", () => point(held));
}

/** The name of the place that something is, or belongs to. @param {Element} part */
const nameOf = (part) => part.getAttribute("data-place") ?? part.getAttribute("data-of-place") ?? "";

/** @param {EventTarget | null} target */
function nameAt(target) {
  const found = target instanceof Element ? target.closest("[data-place], [data-of-place]") : null;
  return found ? nameOf(found) : "";
}

/** The place with the focus stands out, also while its picture is moved or zoomed. @param {EventTarget | null} target */
function hold(target) {
  if (!(target instanceof Element && target.closest("figure"))) held = nameAt(target);
  point(held);
}

/** Let one place stand out with what belongs to it, or none. @param {string} name */
function point(name) {
  for (const part of content.querySelectorAll("[data-place], [data-of-place]")) {
    part.classList.toggle("on", name !== "" && nameOf(part) === name);
  }
}

/** Let a place stand out although the focus is elsewhere. @param {string} name */
export function standOut(name) {
  held = name;
  point(name);
}

/** Go to the next or the previous place. There a `walk` event says so to the kind that it belongs to.
 * @param {1 | -1} step @param {(place: HTMLElement) => void} [go] how one gets there @returns {boolean} whether there are
 * any */
export function walk(step, go = (place) => place.focus()) {
  const all = [...content.querySelectorAll("[data-place]")].map((each) => /** @type {HTMLElement} */ (each));
  const places = all.filter((each) => each.getClientRects().length > 0);
  if (places.length === 0) return false;
  const at = document.activeElement;
  const current = places.findIndex((each) => each.contains(at) || (held && each.dataset.place === held));
  const next = current < 0 ? (step > 0 ? 0 : places.length - 1) : current + step;
  if (next < 0 || next >= places.length) {
    say(step > 0 ? t("script.last_one") : t("script.first_one"));
    return true;
  }
  const place = places[next];
  go(place);
  if (place.dataset.name) say(place.dataset.name);
  place.dispatchEvent(new Event("walk", { bubbles: true }));
  return true;
}

/** Say something to those who listen. @param {string} words */
export function say(words) {
  voice.textContent = voice.textContent === words ? `${words}\u00a0` : words;
}

/** Speak within something that is open over the page: what lies behind it is not heard. @param {HTMLElement} root */
export function sayIn(root) {
  voice.textContent = "";
  root.append(voice);
}

/** Speak on the page again. */
export const leaveVoice = () => sayIn(content);
