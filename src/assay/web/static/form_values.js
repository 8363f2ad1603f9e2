// @ts-check
/** What a form would send. Not by FormData: for the sake of text areas a browser lays the page out before it says what is
 * in a form. */

/** The controls within something that a form would send as they are. @param {Element} within
 * @returns {HTMLInputElement[]} */
export function sentControls(within) {
  return [...within.querySelectorAll("[name]")].map((each) => /** @type {HTMLInputElement} */ (each)).filter((control) => {
    if (control.matches("button, :disabled")) return false;
    return !["radio", "checkbox"].includes(control.type) || control.checked;
  });
}
