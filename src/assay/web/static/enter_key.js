// @ts-check
/** Where Enter submits, and where it does something else: there the button says which keys do. */

/** Whether Enter presses what has the focus, and does not mean the item. @param {EventTarget | null} target */
export function isControl(target) {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement
    || (target instanceof HTMLElement && target.tagName === "SUMMARY");
}

/** Whether something stands in the guidelines beside the item. @param {EventTarget | null} target */
export const isInGuide = (target) => target instanceof Element && target.closest(".drawer") !== null;

/** A number that belongs to an answer, such as a turn: Enter leads out of it. @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLInputElement && target.type === "text";

/** @param {HTMLFormElement} form @param {AbortSignal} signal fires when the item goes */
export function tellOfEnter(form, signal) {
  const send = form.querySelector(".send");
  /** @param {EventTarget | null} at what has the focus */
  const say = (at) => {
    if (at instanceof Element && at.closest("dialog")) return; // there the item waits
    const elsewhere = isInGuide(at) || isField(at) || (isControl(at) && at !== form.querySelector("#submit"));
    send?.classList.toggle("writing", at instanceof HTMLTextAreaElement && form.contains(at));
    send?.classList.toggle("elsewhere", elsewhere);
    send?.classList.toggle("in-field", isField(at));
  };
  document.addEventListener("focusin", ({ target }) => say(target), { signal });
  document.addEventListener("focusout", ({ relatedTarget }) => say(relatedTarget), { signal });
  say(document.activeElement);
}
