// @ts-check
/** Fields for the number of a place, such as a turn: each takes one. What is wrong with one is said beside it. */

const MOST_PLACES = "999";
/** In a field for a number: what is no part of one, and what nothing can begin with. Signs between numbers are left, so
 * that two of them do not become one. */
const NO_NUMBER = /[^\d\s,;.+&/-]|^[^1-9]+/g;

/** @param {Element} within @returns {HTMLInputElement[]} */
export const fieldsOf = (within) => [...within.querySelectorAll(".where input")].map((field) => /** @type {HTMLInputElement} */ (field));

/** Why what stands in a field names no place of the item; nothing where it names one, or none.
 * @param {HTMLInputElement} field @returns {string} */
export function whyNot(field) {
  const { beyond = "", several = "" } = /** @type {HTMLElement} */ (field.closest(".options.counts")).dataset;
  const most = field.dataset.most ?? MOST_PLACES;
  const found = numbers(field);
  if (found.length > 1) return several.replace("{place}", field.value.trim());
  return Number(found[0] ?? 0) > Number(most) ? beyond.replace("{place}", found[0]).replace("{most}", most) : "";
}

/** @param {HTMLInputElement} field @returns {string[]} */
const numbers = (field) => field.value.match(/\d+/g) ?? [];

/** The number that a field names; nothing where it names none, or more than one. What can be no part of a number is not
 * taken. @param {HTMLInputElement} field @returns {string} */
export function placeIn(field) {
  const taken = field.value.replace(NO_NUMBER, "");
  if (taken !== field.value) field.value = taken;
  mark(field);
  const [place = "", ...others] = numbers(field);
  return others.length > 0 ? "" : place;
}

/** @param {HTMLInputElement} field */
export function mark(field) {
  const wrong = whyNot(field) !== "";
  if (wrong) field.ariaInvalid = "true";
  else field.removeAttribute("aria-invalid");
}

/** Say beside the fields of a row what is wrong with them. @param {HTMLElement} row */
export function say(row) {
  const why = fieldsOf(row).map(whyNot).find(Boolean) ?? "";
  const place = row.querySelector(".no-place");
  if (place && place.textContent !== why) place.textContent = why;
}
