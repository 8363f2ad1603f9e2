// @ts-check
/** Leaving an item out, and saying what is wrong with it. */
import { newName } from "./one_window.js";
import { t } from "./words.js";

/** @typedef {import("./item.js").Item} Item */
/** @typedef {import("./outbox.js").Outbox} Outbox */

/** @param {string} id @returns {any} */
const by = (id) => document.getElementById(id);

/** @param {() => Item} item @param {Outbox} outbox @param {(done: Item) => Promise<void>} goOn */
export function wireProblem(item, outbox, goOn) {
  /** @type {HTMLTextAreaElement} */
  const words = by("problem-words");

  const { status } = outbox;
  const number = () => item().form.dataset.position ?? "";

  /** @param {string} told what is said when it has arrived @returns {boolean} whether there was something to report */
  function report(told) {
    by("problem-error").textContent = words.value.trim() ? "" : t("answers.say_what_is_wrong");
    if (!words.value.trim()) {
      words.focus();
      return false;
    }
    status.tellOf(told);
    void outbox.add("problem", item().name, new URLSearchParams({ report: newName(), words: words.value.trim() }));
    words.value = "";
    by("problem").close();
    return true;
  }

  function leaveOut() {
    by("problem").close();
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "decline";
    field.value = "yes";
    item().form.append(field);
    if (!item().sent) {
      item().sent = true;
      void goOn(item());
    }
  }

  new MutationObserver(() => {
    // What is submitted can be changed, but not left out any more.
    for (const id of ["pass-part", "report-pass"]) by(id).hidden = "earlier" in item().form.dataset;
    // What is wrong is known already where something has not come.
    const failed = item().form.querySelector("[data-failed]");
    if (by("problem").open && !words.value && failed) words.value = failed.getAttribute("data-failed") ?? "";
  }).observe(by("problem"), { attributeFilter: ["open"] });
  by("pass").addEventListener("click", () => {
    status.tellOf(t("status.left_out", { number: number() }));
    leaveOut();
  });
  by("report").addEventListener("click", () => report(t("status.reported")));
  by("report-pass").addEventListener("click", () => {
    if (report(t("status.reported_and_left_out", { number: number() }))) leaveOut();
  });
  by("problem").addEventListener("close", () => { by("problem-error").textContent = ""; });
}
