// @ts-check
/** The status line: what is saved, what is on its way, what is kept here. It says "Saved" only of what the server has
 * stored. */
import { t } from "./words.js";

const SLOW_MS = 8000;
const TOLD_MS = 8000;
/** So many letters are said in little room. */
const SHORT = 20;

/** Says to the next page that everything from the page before has arrived. */
export const ARRIVED = "arrived";

/** @typedef {"" | "saving" | "offline" | "error" | "held"} Way how a piece of work fares on its way to the server */

export class Status {
  /** @param {HTMLElement} line what is seen @param {HTMLElement} [announced] what is heard, where not every change is:
   * that an item is saved, and that something is wrong */
  constructor(line, announced) {
    this.line = line;
    this.announced = announced;
    this.waiting = 0;
    /** @type {Way} */
    this.parcels = "";
    /** @type {Way} */
    this.draft = "";
    this.timer = 0;
    this.slow = false;
    /** What the server says of the trouble: that the session has ended. */
    this.why = "";
    /** What was computed from the item that arrived last, where the study shows it. */
    this.computed = "";
    /** What was done with an item other than judging it, said for a while in the place of "Saved". */
    this.told = "";
    this.telling = 0;
    /** Called when that begins, and when it is over. @type {(ended: boolean) => void} */
    this.onEnded = () => {};
    const before = sessionStorage.getItem(ARRIVED);
    this.saved = line.textContent !== "" || before !== null;
    sessionStorage.removeItem(ARRIVED);
    if (before) this.tellOf(before);
    this.tell();
  }

  /** Say that something was reported or left out as soon as the server knows it; until the next answer, and not for
   * long. @param {string} words */
  tellOf(words) {
    this.told = words;
    clearTimeout(this.telling);
    if (words) this.telling = window.setTimeout(() => { this.told = ""; this.tell(); }, TOLD_MS);
  }

  /** @param {number} waiting @param {Way} way @param {string} [why] */
  ofParcels(waiting, way, why = "") {
    this.why = why;
    const arrived = this.waiting > waiting;
    if (arrived) this.saved = true;
    this.waiting = waiting;
    this.parcels = way;
    this.tell();
    if (arrived && waiting === 0) this.announce(this.savedWords());
  }

  /** @param {string} words */
  announce(words) {
    if (this.announced) this.announced.textContent = words;
  }

  /** @param {Way} way @param {boolean} [saved] @param {string} [why] */
  ofDraft(way, saved = this.saved, why = "") {
    this.why = why;
    // It was about the item before: the first answer to this one takes its place.
    if (way === "saving") {
      this.computed = "";
      this.tellOf("");
    }
    this.draft = way;
    this.saved = saved;
    this.tell();
  }

  /** Say something once, until the next change. @param {string} words */
  say(words) {
    this.line.textContent = words;
    this.line.dataset.state = "trouble";
  }

  /** The worst of what is going on. @param {Way[]} ways @returns {"offline" | "trouble" | "saving" | "saved"} */
  state(ways) {
    if (ways.includes("offline")) return "offline";
    if (ways.includes("error") || ways.includes("held")) return "trouble";
    return ways.includes("saving") ? "saving" : "saved";
  }

  tell() {
    const ways = [this.parcels, this.draft];
    const saving = ways.includes("saving");
    if (!saving) {
      clearTimeout(this.timer);
      this.timer = 0;
      this.slow = false;
    } else if (!this.timer) {
      this.timer = window.setTimeout(() => { this.slow = true; this.tell(); }, SLOW_MS);
    }
    if (this.why) this.onEnded(true);
    else if (this.state(ways) === "saved") this.onEnded(false);
    const words = this.words(ways, saving);
    if (this.line.textContent === words) return;
    this.line.textContent = words;
    const state = this.state(ways);
    this.line.toggleAttribute("data-long", words.length > SHORT);
    this.line.dataset.state = state === "saved" && this.told ? "told" : state;
    // Each answer is saved too: that is seen, and not said ten times for one item.
    if (state === "offline" || state === "trouble" || this.slow) this.announce(words);
    else if (state === "saving") this.announce("");
    else if (this.told) this.announce(words);
  }

  /** @param {Way[]} ways @param {boolean} saving @returns {string} */
  words(ways, saving) {
    if (ways.includes("offline")) {
      const kept = this.waiting + (this.draft ? 1 : 0);
      return t("status.offline", { n: kept });
    }
    if (ways.includes("error")) return this.why ? t("status.ended") : t("status.retrying");
    if (ways.includes("held")) return t("status.held");
    if (saving) return this.slow ? t("status.slow") : t("status.saving");
    return this.saved || this.told ? this.savedWords() : "";
  }

  /** @returns {string} */
  savedWords() {
    return this.told || (this.computed ? t("status.saved_with", { computed: this.computed }) : t("status.saved"));
  }
}
