// @ts-check
/** The keyboard: digits answer the open question, Enter submits, letters open things. All of it can be switched off. */
import { rest } from "./break.js";
import { last, openDialog } from "./dialogs.js";
import { isControl, isInGuide } from "./enter_key.js";
import { closeHelp, scrollHelp, toggleHelp } from "./how_to_decide.js";
import { ofLetter } from "./key_hint.js";
import { pressLetter } from "./kinds.js";
import { walk } from "./places.js";
import { answer, takeBack } from "./press_digit.js";
import { keysAreOn } from "./settings.js";

const SOON_MS = 2000;

/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {import("./item.js").Item} Item */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./guide_drawer.js").GuideDrawer} GuideDrawer */

/** Keys that mean the text that has the focus, wherever it is. */
const OF_A_TEXT = ["Enter", "PageDown", "PageUp"];

/** @param {() => Item} item @param {Outbox} outbox @param {GuideDrawer} guide */
export function wireKeys(item, outbox, guide) {
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || document.querySelector("dialog[open]") || !isThere(item())) return;
    const inText = event.target instanceof HTMLTextAreaElement;
    const together = event.ctrlKey || event.metaKey;
    if (OF_A_TEXT.includes(event.key) && !together && isInGuide(event.target)) return;
    if (event.key === "Enter") {
      // Held down it counts once, also across the change to the next item.
      if (event.repeat && (together || !inText)) event.preventDefault();
      else if (together || (!inText && !isControl(event.target))) {
        event.preventDefault();
        item().submit(together);
      }
    } else if (inText) {
      if (event.key === "Escape") leave(item().questions);
    } else if (event.key === "Escape" && closeHelp(item().questions)) {
      event.preventDefault();
    } else if (!together && keysAreOn() && (single(event, item().questions) || ofPage(event, item(), outbox, guide))) {
      event.preventDefault();
    }
  });
  document.getElementById("take-rest")?.addEventListener("click", () => { if (isThere(item())) rest(item(), outbox); });
}

/** Whether there is an item to work on. @param {Item | undefined} item */
const isThere = (item) => item !== undefined && !item.gone.signal.aborted && !item.sent;

/** Opens how to decide a question. */
const HELP = "r";

/** Keys that leave the item. @param {KeyboardEvent} event @param {Item} item @param {Outbox} outbox
 * @param {GuideDrawer} guide */
function ofPage(event, item, outbox, guide) {
  // It comes here where a question has no help of its own: the guidelines have the word.
  if (event.key.toLowerCase() === HELP) return guide.toggle();
  switch (event.key) {
    case "g": case "G": return guide.toggle();
    case "b": case "B": rest(item, outbox); return true;
    case "f": case "F": return open("problem");
    case "l": case "L": return open("items") || open("earlier");
    case "u": case "U": return goBack(outbox);
    case "<": return step(-1);
    case ">": return step(1);
    default: return false;
  }
}

/** Back to the item submitted last, once it has arrived, where the study allows it. @param {Outbox} outbox */
function goBack(outbox) {
  const earlier = /** @type {HTMLElement | null} */ (document.querySelector("[data-earlier][data-dialog]"))?.dataset.earlier;
  if (!earlier) return false;
  // Without a connection the list says so. What comes much later than the key is not what was meant by it.
  if (!navigator.onLine) return open("items") || open("earlier");
  const since = performance.now();
  void outbox.empty().then(() => (performance.now() - since < SOON_MS ? last(new URL(earlier, location.href).href) : ""))
    .then((found) => { if (found) location.assign(found); });
  return true;
}

/** To the item before or after this one, where the study lets people move freely. @param {1 | -1} by */
function step(by) {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[data-step="${by}"]`));
  // Before the first and behind the last one there is nowhere to go.
  if (link && !link.href.endsWith("/at/0")) location.assign(link.href);
  return Boolean(link);
}

/** The digit that a key stands for: by its place too, so that layouts with other signs on the digit row work.
 * A keypad without NumLock moves about instead. @param {KeyboardEvent} event @returns {string} */
function digitOf(event) {
  if (/^\d$/.test(event.key)) return event.key;
  const place = /^(Digit|Numpad)(\d)$/.exec(event.code);
  return place && (place[1] === "Digit" || event.key.length === 1) ? place[2] : "";
}

/** The digit whose key is pressed with Shift, by its place alone: what it writes then is another sign on each layout.
 * @param {KeyboardEvent} event @returns {string} */
const shiftedDigit = (event) => (event.shiftKey && /^Digit(\d)$/.exec(event.code)?.[1]) || "";

/** @param {KeyboardEvent} event @param {Questions} questions @returns {boolean} whether the key meant something */
function single(event, questions) {
  const back = shiftedDigit(event);
  if (back && takeBack(questions, back)) return true;
  const digit = digitOf(event);
  // A digit held down answers one question, not all of them.
  if (digit) return event.repeat || answer(questions, digit);
  switch (event.key) {
    case "Escape": return leave(questions);
    case "Backspace": questions.step(event.shiftKey ? 1 : -1); return true;
    case "Delete": questions.clear(); return true;
    case "PageDown": return scrollHelp(questions, 1) || scroll(1);
    case "PageUp": return scrollHelp(questions, -1) || scroll(-1);
    case "r": case "R": return toggleHelp(questions);
    case "s": case "S": return open("support");
    case "j": case "J": return walk(1);
    case "k": case "K": return walk(-1);
    case "?": return open("keys");
    default: return goTo(questions, event.key.toLowerCase()) || pressLetter(event.key.toLowerCase());
  }
}

/** Out of the note or the ticks: to what still needs an answer. @param {Questions} questions */
function leave(questions) {
  const [missing] = questions.unfinished().keys();
  if (missing) questions.open(missing);
  document.getElementById("heading")?.focus({ preventScroll: true });
  return true;
}

/** @param {string} name */
function open(name) {
  const opener = /** @type {HTMLElement | null} */ (document.querySelector(`[data-dialog=${name}]`));
  void openDialog(opener);
  return Boolean(opener);
}

/** Open a question of the kind that a letter stands for. @param {Questions} questions @param {string} letter */
function goTo(questions, letter) {
  const question = ofLetter(questions, letter);
  if (question) questions.go(question);
  return Boolean(question);
}

/** Move the text, wherever the focus is: of two columns the one that has it, or the first that can be moved.
 * @param {1 | -1} way */
function scroll(way) {
  const texts = [...document.querySelectorAll("#content, #content > :is(.source, .output)")]
    .filter((each) => each.scrollHeight > each.clientHeight + 1);
  const text = texts.find((each) => each.contains(document.activeElement)) ?? texts[0];
  text?.scrollBy(0, way * 0.85 * text.clientHeight);
  return Boolean(text);
}
