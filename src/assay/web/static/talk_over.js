// @ts-check
/** Talking items over by keyboard: a digit chooses for the question at hand, S leaves it open, M agrees on what most
 * said, U takes back what was kept last, Enter goes on, also from the reason; Shift and Enter make a new line in it. */
document.documentElement.classList.remove("no-js");

/** What agrees on values or takes them back counts from here on: what came sooner was meant for the item before. */
const SOON_MS = 600;
const AT_ONCE = ["m", "u", "Enter"];

const form = document.getElementById("talk");
const reason = document.getElementById("reason");
const hint = document.getElementById("hint");
const most = form?.querySelector("button[name=most]");

/** @type {HTMLElement[]} */
const questions = [...document.querySelectorAll("[data-question]")].filter((each) => each instanceof HTMLElement);
/** Whoever comes back to an item has its open questions left; where none is, all of them may be agreed on anew. */
const someOpen = questions.some(isOpen);
let at = someOpen ? questions.findIndex(isOpen) : 0;
/** What is sent once the reason is written that alone is awaited.
 * @type {Element | null | undefined} */
let awaited;

/** The reason is the same for most items of a meeting: it stays until it is changed. */
const kept = form instanceof HTMLFormElement ? `assay-reason-${form.dataset.study}` : "";
if (reason instanceof HTMLTextAreaElement) {
  if (!reason.value) reason.value = sessionStorage.getItem(kept) ?? "";
  reason.addEventListener("input", () => sessionStorage.setItem(kept, reason.value));
}

/** @param {HTMLElement} question */
function isOpen(question) {
  return !question.hasAttribute("data-agreed");
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
  do at += 1;
  while (at < questions.length && someOpen && !isOpen(questions[at]));
  if (at < questions.length) show();
  else send();
}

/** @param {Element | null} [button] */
function send(button) {
  if (!(form instanceof HTMLFormElement) || !(reason instanceof HTMLTextAreaElement)) return;
  if (form.querySelector("input:checked") && !reason.value.trim()) {
    at = Math.min(at, questions.length - 1);
    awaited = button ?? form.querySelector("button.primary");
    if (hint) hint.textContent = hint.dataset.lacking ?? "";
    reason.focus();
  } else {
    // Also what was typed before this script was here.
    sessionStorage.setItem(kept, reason.value);
    form.requestSubmit(button instanceof HTMLButtonElement ? button : undefined);
  }
}

/** A question that is left open by hand stays so, whatever most have said. */
function leaveOpen() {
  const key = questions[at]?.dataset.question;
  if (most instanceof HTMLButtonElement && key) {
    const seen = new URLSearchParams(most.value);
    seen.delete(key);
    most.value = seen.toString();
  }
  goOn();
}

/** Whoever has written the reason goes on: with the item where it was awaited, else with its questions. */
function leaveReason() {
  if (awaited) send(awaited);
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

function takeBack() {
  const last = document.getElementById("last-kept");
  if (last instanceof HTMLFormElement) last.requestSubmit();
}

/** Whether keys are for what has the focus: letters for a field, Enter for whatever can be pressed.
 * @param {KeyboardEvent} event */
function isForFocus(event) {
  const focus = document.activeElement;
  if (!(focus instanceof HTMLElement)) return false;
  if (event.key === "Enter" && focus.matches("a, button, summary, select")) return true;
  return focus.matches("textarea, select, input:not([type=radio])");
}

/** Whether nobody can have meant this item: a key that is held down counts once, also across the change to the next item.
 * Whoever is in a field has come to this page. @param {KeyboardEvent} event */
function isHeldOrTooSoon(event) {
  const isTooSoon = performance.now() < SOON_MS && !isForFocus(event);
  return event.repeat || (AT_ONCE.includes(event.key) && isTooSoon);
}

addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  // In a field letters and new lines repeat, but Enter in the reason goes on.
  const goesOn = event.key === "Enter" && !event.shiftKey;
  if (isHeldOrTooSoon(event) && (goesOn || !isForFocus(event))) {
    if (goesOn) event.preventDefault();
    return;
  }
  if (event.key === "Enter" && event.ctrlKey) send();
  else if (event.key === "Enter" && !event.shiftKey && document.activeElement === reason) leaveReason();
  else if (event.ctrlKey || event.altKey || event.metaKey || isForFocus(event)) return;
  else if (event.key === "Enter") send();
  else if (event.key === "s") leaveOpen();
  else if (event.key === "m" && most) send(most);
  else if (event.key === "u") takeBack();
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
if (someOpen && !questions.every(isOpen)) questions[at].focus();

export {};
