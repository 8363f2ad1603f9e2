// @ts-check
/** Leaving an item out, saying what is wrong with it, and taking a break. */
import { newName } from "./seat.js";
import { t } from "./words.js";

/** @typedef {import("./item.js").Item} Item */
/** @typedef {import("./outbox.js").Outbox} Outbox */

/** @param {string} id @returns {any} */
const by = (id) => document.getElementById(id);

/** @param {() => Item} item @param {Outbox} outbox @param {(done: Item) => Promise<void>} goOn */
export function wireCare(item, outbox, goOn) {
  /** @type {HTMLTextAreaElement} */
  const words = by("problem-words");

  /** @returns {boolean} whether there was something to report */
  function report() {
    by("problem-error").textContent = words.value.trim() ? "" : t("answers.say_what_is_wrong");
    if (!words.value.trim()) {
      words.focus();
      return false;
    }
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
    // What is wrong is known already where a picture has not come.
    if (by("problem").open && !words.value && item().form.querySelector(".failed")) words.value = t("script.picture_failed");
  }).observe(by("problem"), { attributeFilter: ["open"] });
  by("pass").addEventListener("click", leaveOut);
  by("report").addEventListener("click", report);
  by("report-pass").addEventListener("click", () => { if (report()) leaveOut(); });
  by("problem").addEventListener("close", () => { by("problem-error").textContent = ""; });
  by("rest").addEventListener("close", () => {
    void outbox.add("break", "", new URLSearchParams({ ends: "yes" }));
    item().clock.touch();
    by("heading")?.focus({ preventScroll: true });
  });
}

/** Begin a break: nothing counts until it is over. @param {Item} item @param {Outbox} outbox @param {string} [title] */
export function rest(item, outbox, title) {
  item.clock.stop();
  by("rest-title").textContent = title ?? by("rest-title").dataset.usual;
  by("rest").showModal();
  void outbox.add("break", "", new URLSearchParams({ begins: "yes" }));
}

/** Between two batches: say that one is finished, before the next one is begun. @param {Item} item
 * @param {Outbox} outbox */
export function betweenBatches(item, outbox) {
  const { home, batch = "", batches = "" } = item.form.dataset;
  const before = Number(sessionStorage.getItem(`batch ${home}`) ?? batch);
  sessionStorage.setItem(`batch ${home}`, batch);
  if (before < Number(batch)) rest(item, outbox, t("script.batch_finished", { number: before, total: batches }));
}
