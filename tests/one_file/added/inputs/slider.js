// @ts-check
/** The mark says where it is. */
import { addKind } from "/static/kinds.js";

addKind({
  wire: ({ form }) => form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".slider-mark")) target.title = target.value;
  }),
});
