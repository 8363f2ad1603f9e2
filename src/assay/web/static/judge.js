// @ts-check
/** The judging page: puts questions, keys, saver, clock and dialogs together. */
import { ActiveClock } from "./clock.js";
import { Complaints } from "./complaints.js";
import { wireDialogs } from "./dialogs.js";
import { wireKeys } from "./keys.js";
import { wireMarks } from "./marks.js";
import { Questions } from "./questions.js";
import { Reveal } from "./reveal.js";
import { Saver } from "./saver.js";

document.documentElement.classList.remove("no-js");
const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
const rules = JSON.parse(document.getElementById("rules")?.textContent ?? "[]");
form.classList.add("enhanced");

const questions = new Questions(form, rules);
const complaints = new Complaints(questions, /** @type {HTMLElement} */ (document.getElementById("alert")));
const reveal = new Reveal(form);
const saver = new Saver(form, /** @type {HTMLElement} */ (document.getElementById("status")), (due) => void reveal.show(due));
const clock = new ActiveClock(form.dataset.item ?? "");

let warned = "";

async function submit() {
  if (saver.submitting || questions.goOn()) return;
  const missing = questions.missing();
  complaints.show(missing);
  if (missing.size > 0) return;
  const warnings = questions.keeper.warnings().join("\n");
  if (warnings && warnings !== warned) {
    // Said once; who submits again has read it.
    warned = warnings;
    complaints.warn(warnings);
    return;
  }
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("submit"));
  button.setAttribute("aria-disabled", "true");
  const reasons = await saver.submit(clock.read());
  if (reasons === null) return;
  button.removeAttribute("aria-disabled");
  complaints.show(new Map(Object.entries(reasons).map(([key, reason]) => [
    /** @type {HTMLFieldSetElement} */ (document.getElementById(`q-${key}`)), reason,
  ])));
}

/** @param {EventTarget | null} control */
function answered(control) {
  if (control instanceof HTMLInputElement) questions.keepApart(control);
  const question = questions.of(control);
  if (question) delete question.dataset.filled;
  questions.keeper.obey(question);
  questions.mark();
  complaints.settle(question);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void submit();
});
form.addEventListener("change", (event) => {
  answered(event.target);
  saver.changed();
});
form.addEventListener("input", (event) => {
  if (!(event.target instanceof HTMLTextAreaElement)) return;
  answered(event.target);
  saver.changed(400);
});
for (const phrase of form.querySelectorAll("[data-phrase-for]")) {
  phrase.addEventListener("click", (event) => {
    if (/** @type {MouseEvent} */ (event).detail > 1) return;
    const key = /** @type {HTMLElement} */ (phrase).dataset.phraseFor ?? "";
    const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(key));
    text.value = [text.value.trim(), phrase.textContent].filter(Boolean).join("; ");
    answered(text);
    saver.changed();
  });
}
// Declining is one click away for those who need it, and asks once, so that a slip does not cost an item.
document.getElementById("decline")?.addEventListener("submit", (event) => {
  if (window.confirm("Leave this item to somebody else? You will not see it again.")) saver.forget();
  else event.preventDefault();
});

wireDialogs(document.body);
wireMarks(/** @type {HTMLElement} */ (document.getElementById("content")));
questions.keeper.obey(undefined);
wireKeys(questions, () => void submit());
questions.open([...questions.missing().keys()][0] ?? questions.all[0]);
document.getElementById("heading")?.focus({ preventScroll: true });
