// @ts-check
/** Counting by click and by digit. What the form sends are the boxes behind the buttons: one ticked box for each time,
 * whose value may say where (`omission @3`). */
import { addKind } from "/static/kinds.js";
import { fieldsOf, mark, placeIn, say, whyNot } from "/static/place_fields.js";

/** @typedef {HTMLFieldSetElement} Question */

const AT = " @";
const MOST = 99;

addKind({
  of: "counts",
  wire: ({ form }) => {
    for (const row of form.querySelectorAll(".counted")) wireRow(/** @type {HTMLElement} */ (row));
    // Before the page looks at the answer; a rule and Delete change boxes too.
    form.addEventListener("change", ({ target }) => {
      const counts = target instanceof HTMLElement ? target.closest(".options.counts") : null;
      if (counts && target instanceof HTMLInputElement) keepApart(counts, target);
    }, { capture: true });
  },
  press: (question, wanted, by) => {
    const row = rowOf(question, wanted);
    if (row) change(row, by);
    return Boolean(row);
  },
  put: (question, raw) => {
    for (const row of rows(question)) {
      const marks = raw.filter((mark) => nameOf(mark) === row.dataset.name);
      while (boxes(row).length < marks.length) addBox(row);
      boxes(row).forEach((box, index) => {
        box.checked = index < marks.length;
        box.value = marks[index] ?? row.dataset.name ?? "";
      });
      for (const field of row.querySelectorAll(".where")) field.remove();
      show(row);
    }
    const none = question.querySelector("[data-none]");
    if (none instanceof HTMLInputElement) none.checked = raw.includes(none.value);
  },
  problem: (question) => fieldsOf(question).map(whyNot).find(Boolean) ?? "",
  keys: { w: sayWhere },
});

/** What was counted last, or taken back. @type {HTMLElement | undefined} */
let latest;

/** @param {string} mark */
const nameOf = (mark) => (mark.includes(AT) ? mark.slice(0, mark.lastIndexOf(AT)) : mark);

/** @param {Element} within @returns {HTMLElement[]} */
const rows = (within) => [...within.querySelectorAll(".counted")].map((row) => /** @type {HTMLElement} */ (row));

/** @param {Element} within @param {string} name */
const rowOf = (within, name) => rows(within).find((row) => row.dataset.name === name);

/** @param {HTMLElement} row @returns {HTMLInputElement[]} */
const boxes = (row) => [...row.querySelectorAll(".mark")].map((box) => /** @type {HTMLInputElement} */ (box));

/** @param {HTMLElement} row */
const ticked = (row) => boxes(row).filter((box) => box.checked);

/** @param {HTMLElement} row @returns {HTMLInputElement} */
function addBox(row) {
  const last = boxes(row).at(-1);
  const box = /** @type {HTMLInputElement} */ (last?.cloneNode());
  Object.assign(box, { checked: false, value: row.dataset.name ?? "" });
  last?.after(box);
  return box;
}

/** @param {HTMLElement} row */
function wireRow(row) {
  // What was found is shown while the question is closed too: a click there opens it, and counts nothing.
  const isOpen = () => row.closest(".question")?.classList.contains("active");
  row.querySelector(".count-more")?.addEventListener("click", () => { if (isOpen()) change(row, 1); });
  row.querySelector(".count-less")?.addEventListener("click", () => { if (isOpen()) change(row, -1); });
  show(row);
}

/** Count one more, or one less: then the last one goes. @param {HTMLElement} row @param {1 | -1} by */
function change(row, by) {
  latest = row;
  const found = ticked(row);
  const box = by < 0 ? found.at(-1) : found.length < MOST && (boxes(row).find((each) => !each.checked) ?? addBox(row));
  if (!box) return;
  box.checked = by > 0;
  box.value = row.dataset.name ?? "";
  box.dispatchEvent(new Event("change", { bubbles: true }));
  const counts = row.closest(".options.counts");
  const voice = counts?.querySelector(".voice");
  const name = row.querySelector(".label")?.textContent ?? "";
  const said = /** @type {HTMLElement | null} */ (counts)?.dataset.said ?? "";
  if (voice) voice.textContent = said.replace("{name}", name).replace("{n}", String(ticked(row).length));
}

/** Either something was found or nothing was: never both. @param {Element} counts @param {HTMLInputElement} changed */
function keepApart(counts, changed) {
  const none = counts.querySelector("[data-none]");
  if (changed.checked && none instanceof HTMLInputElement) {
    if (changed === none) for (const box of rows(counts).flatMap(boxes)) box.checked = false;
    else if (changed.classList.contains("mark")) none.checked = false;
  }
  rows(counts).forEach(show);
}

/** Show how often, and for each time a field for where. @param {HTMLElement} row */
function show(row) {
  const marks = ticked(row);
  row.classList.toggle("some", marks.length > 0);
  const often = row.querySelector(".often");
  if (often) often.textContent = marks.length > 0 ? String(marks.length) : "";
  const fields = [...row.querySelectorAll(".where")];
  for (const spare of fields.splice(marks.length)) spare.remove();
  const counts = row.closest(".options.counts");
  const template = counts?.querySelector("template");
  while (template && fields.length < marks.length) {
    const field = /** @type {Element} */ (template.content.firstElementChild?.cloneNode(true));
    wireWhere(row, field);
    row.append(field);
    fields.push(field);
  }
  marks.forEach((box, index) => {
    const field = fields[index]?.querySelector("input");
    if (!field) return;
    if (document.activeElement !== field && !whyNot(field)) field.value = box.value.slice(nameOf(box.value).length + AT.length);
    mark(field);
  });
  say(row);
  if (counts) nameKey(counts);
}

/** The number in a field belongs to the box at its place. @param {HTMLElement} row @param {Element} field */
function wireWhere(row, field) {
  const number = /** @type {HTMLInputElement} */ (field.querySelector("input"));
  number.addEventListener("input", () => {
    const box = ticked(row)[[...row.querySelectorAll(".where")].indexOf(field)];
    const place = placeIn(number);
    if (box) box.value = (row.dataset.name ?? "") + (place && AT + place);
    // While it is typed nothing is said yet; what is put right is no longer said.
    if (!whyNot(number)) say(row);
  });
  number.addEventListener("change", () => say(row));
  number.addEventListener("keydown", (event) => {
    // Digits are a number here; Enter and Esc lead back to the counting.
    if (event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Enter" && whyNot(number)) {
      say(row);
      number.select();
    } else {
      /** @type {HTMLElement | null} */ (row.closest("fieldset"))?.focus();
    }
  });
}

/** The field that a key leads to: an empty one of what was counted last, any other empty one, else the one that was filled
 * last. @param {Element} within @returns {HTMLInputElement | undefined} */
function fieldAtHand(within) {
  const all = fieldsOf(within);
  const own = latest && within.contains(latest) ? fieldsOf(latest) : [];
  const empty = (/** @type {HTMLInputElement[]} */ fields) => fields.filter((field) => field.value === "").at(-1);
  return empty(own) ?? empty(all) ?? own.at(-1) ?? all.at(-1);
}

/** Show the key at that field. @param {Element} counts */
function nameKey(counts) {
  const next = fieldAtHand(counts);
  for (const field of fieldsOf(counts)) field.parentElement?.classList.toggle("by-key", field === next);
}

/** @returns {boolean} whether there is a field */
function sayWhere() {
  const question = document.querySelector(".question.counts.active");
  const field = question ? fieldAtHand(question) : undefined;
  field?.focus();
  field?.select();
  return field !== undefined;
}
