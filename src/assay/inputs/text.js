// @ts-check
/** A click on a phrase adds it to its note. */
import { addKind } from "/static/kinds.js";

addKind({
  wire: ({ form }) => form.addEventListener("click", ({ target, detail }) => {
    const phrase = target instanceof HTMLElement ? target.closest("[data-phrase-for]") : null;
    // The second click of a double click adds nothing more.
    if (!(phrase instanceof HTMLElement) || detail > 1) return;
    const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(phrase.dataset.phraseFor ?? ""));
    text.value = [text.value.trim(), phrase.textContent].filter(Boolean).join("; ");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }),
});
