// @ts-check
/** Of ticks either those of tags are set or the one that says that none applies, never both. */
import { addKind } from "/static/kinds.js";

addKind({
  // Before the page looks at the answer.
  wire: ({ form }) => form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.checked && target.closest(".tags")) keepApart(target);
  }, { capture: true }),
});

/** @param {HTMLInputElement} tick */
function keepApart(tick) {
  const none = tick.hasAttribute("data-none");
  for (const other of tick.closest(".tags")?.querySelectorAll("input") ?? []) {
    if (other !== tick && other.hasAttribute("data-none") !== none) other.checked = false;
  }
}
