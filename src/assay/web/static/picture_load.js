// @ts-check
/** Whether a picture has loaded, with a button to retry. */
import { t } from "./words.js";

/** A picture that does not load says so, and can be asked for again. @param {HTMLImageElement} image */
export function wirePicture(image) {
  const figure = image.closest("figure");
  const failed = /** @type {HTMLElement | null} */ (figure?.querySelector(".not-loaded") ?? null);
  /** @param {boolean} wrong */
  const tell = (wrong) => {
    if (failed) failed.hidden = !wrong;
    if (wrong) figure?.setAttribute("data-failed", t("script.picture_failed"));
    else figure?.removeAttribute("data-failed");
    for (const part of figure?.querySelectorAll(".viewport, .tools") ?? []) part.toggleAttribute("hidden", wrong);
  };
  image.addEventListener("error", () => tell(true));
  image.addEventListener("load", () => tell(false));
  if (image.complete && image.naturalWidth === 0) tell(true);
  failed?.querySelector("[data-retry]")?.addEventListener("click", () => { image.src = image.src; });
}
