// @ts-check
/** How this person likes the page, remembered on this device. */

const KEYS = "single-key-shortcuts";
const DENSITY = "density";

/** Whether keys without Ctrl mean something. */
export const keysAreOn = () => localStorage.getItem(KEYS) !== "off";

export function wireSettings() {
  const keys = /** @type {HTMLInputElement} */ (document.getElementById("shortcuts"));
  keys.checked = keysAreOn();
  keys.addEventListener("change", () => localStorage.setItem(KEYS, keys.checked ? "on" : "off"));
  const compact = /** @type {HTMLInputElement} */ (document.getElementById("compact"));
  const apply = () => {
    if (compact.checked) document.documentElement.dataset.density = "compact";
    else delete document.documentElement.dataset.density;
  };
  compact.checked = localStorage.getItem(DENSITY) === "compact";
  apply();
  compact.addEventListener("change", () => {
    localStorage.setItem(DENSITY, compact.checked ? "compact" : "comfortable");
    apply();
  });
}
