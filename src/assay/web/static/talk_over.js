// @ts-check
/** Talking items over by keyboard: a digit chooses for the question at hand, S leaves it open, Enter goes on, also
 * from the reason; Shift and Enter make a new line in it. */
document.documentElement.classList.remove("no-js");

const form = document.getElementById("talk");
const reason = document.getElementById("reason");
const hint = document.getElementById("hint");

/** @type {HTMLElement[]} */
const questions = [...document.querySelectorAll("[data-question]")].filter((each) => each instanceof HTMLElement);
let at = 0;
/** Whether everything is answered and the reason alone is awaited. */
let awaited = false;

/** The reason is the same for most items of a meeting: it stays until it is changed. */
const kept = form instanceof HTMLFormElement ? `assay-reason-${form.dataset.study}` : "";
if (reason instanceof HTMLTextAreaElement) {
  if (!reason.value) reason.value = sessionStorage.getItem(kept) ?? "";
  reason.addEventListener("input", () => sessionStorage.setItem(kept, reason.value));
}

function mark() {
  questions.forEach((each, index) => each.toggleAttribute("data-at", index === at));
}

function show() {
  mark();
  questions[at]?.scrollIntoView({ block: "nearest" });
}

/** To the next question; behind the last one the item is done. */
function goOn() {
  at += 1;
  if (at < questions.length) show();
  else send();
}

function send() {
  if (!(form instanceof HTMLFormElement) || !(reason instanceof HTMLTextAreaElement)) return;
  if (form.querySelector("input:checked") && !reason.value.trim()) {
    at = Math.min(at, questions.length - 1);
    awaited = true;
    if (hint) hint.textContent = hint.dataset.lacking ?? "";
    reason.focus();
  } else {
    // Also what was typed before this script was here.
    sessionStorage.setItem(kept, reason.value);
    form.requestSubmit();
  }
}

/** Whoever has written the reason goes on: with the item where it was awaited, else with its questions. */
function leaveReason() {
  if (awaited) send();
  else questions[at]?.focus();
}

/** @param {string} key */
function choose(key) {
  for (const each of questions[at]?.querySelectorAll("input") ?? []) {
    if (each.dataset.cap === key && !each.disabled) {
      each.checked = true;
      return true;
    }
  }
  return false;
}

/** @param {"next" | "prev"} rel */
function follow(rel) {
  const way = document.querySelector(`main a[rel="${rel}"]`);
  if (way instanceof HTMLAnchorElement) location.assign(way.href);
}

addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && event.ctrlKey) send();
  else if (event.key === "Enter" && !event.shiftKey && document.activeElement === reason) leaveReason();
  else if (event.ctrlKey || event.altKey || event.metaKey || document.activeElement === reason) return;
  else if (event.key === "Enter" && !(document.activeElement instanceof HTMLAnchorElement)) send();
  else if (event.key === "s") goOn();
  else if (event.key === "j") follow("next");
  else if (event.key === "k") follow("prev");
  else if (choose(event.key)) goOn();
  else return;
  event.preventDefault();
});

/** Whoever points works on the question that was pointed at. */
questions.forEach((each, index) => each.addEventListener("change", () => {
  at = index;
  show();
}));
mark();

export {};
