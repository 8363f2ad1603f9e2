// @ts-check
/** A click on a phrase adds it to its note, once, and leads into the note. */
import { addKind } from "/static/kinds.js";

addKind({
  wire: ({ form }) => form.addEventListener("click", (event) => {
    const { target, detail, pointerType } = /** @type {PointerEvent} */ (event);
    const phrase = target instanceof HTMLElement ? target.closest("[data-phrase-for]") : null;
    // The second click of a double click adds nothing more.
    if (!(phrase instanceof HTMLElement) || detail > 1) return;
    const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(phrase.dataset.phraseFor ?? ""));
    const said = text.value.split(/;|\n/).map((each) => each.trim());
    if (!said.includes(phrase.textContent.trim())) {
      text.value = [text.value.trim(), phrase.textContent].filter(Boolean).join("; ");
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }
    // A finger would have a keyboard come up over the item.
    if (pointerType !== "touch") text.focus();
  }),
});
