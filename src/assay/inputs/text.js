// @ts-check
/** A click on a phrase adds it to its note, once, and leads into the note. By key the note is opened at its phrases, and
 * digits are theirs. */
import { addKind } from "/static/kinds.js";

/** Between two phrases, and around what else stands in the note. */
const BETWEEN = "; ";

/** @param {HTMLElement} phrase */
const wordsOf = (phrase) => (phrase.querySelector(".phrase-text")?.textContent ?? "").trim();

/** A phrase that stands by itself in a note, with the separator before it. @param {string} phrase */
const alone = (phrase) => {
  const words = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|[;\\n])[^\\S\\n]*${words}[^\\S\\n]*(?=$|[;\\n])`);
};

/** Put a phrase in, once, or take it out; what else stands in the note stays as it is.
 * @param {HTMLTextAreaElement} text @param {string} phrase @param {1 | -1} by */
function change(text, phrase, by) {
  const { value } = text;
  const there = alone(phrase).exec(value);
  if ((by > 0) === (there !== null)) return;
  if (there) {
    const rest = value.slice(there.index + there[0].length);
    // At the beginning no separator stands before it: the one after it goes.
    text.value = value.slice(0, there.index) + (there[1] ? rest : rest.replace(/^[;\n][^\S\n]*/, ""));
  } else text.value = [value.trim(), phrase].filter(Boolean).join(BETWEEN);
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

addKind({
  of: "text",
  wire: ({ form }) => form.addEventListener("click", (event) => {
    const { target, detail, pointerType } = /** @type {PointerEvent} */ (event);
    const phrase = target instanceof HTMLElement ? target.closest("[data-phrase-for]") : null;
    // The second click of a double click adds nothing more.
    if (!(phrase instanceof HTMLElement) || detail > 1) return;
    const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(phrase.dataset.phraseFor ?? ""));
    change(text, wordsOf(phrase), 1);
    // A finger would have a keyboard come up over the item.
    if (pointerType !== "touch") text.focus();
  }),
  press: (question, wanted, by) => {
    const [text, phrases] = [question.querySelector("textarea"), [...question.querySelectorAll(".phrase")]];
    const isOne = phrases.some((each) => wordsOf(/** @type {HTMLElement} */ (each)) === wanted);
    if (text && isOne) change(text, wanted, by);
    return isOne;
  },
  keys: { p: toPhrases },
});

/** Open a note at its phrases: the focus is not in the text, where a digit would be one of its signs.
 * @returns {boolean} whether there are any */
function toPhrases() {
  const notes = [...document.querySelectorAll("#judge .question.text:has(.phrase):not([hidden])")];
  const at = notes.findIndex((each) => each.classList.contains("active"));
  const note = /** @type {HTMLElement | undefined} */ (notes[(at + 1) % notes.length]);
  note?.focus();
  return note !== undefined;
}
