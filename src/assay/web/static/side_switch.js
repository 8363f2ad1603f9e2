// @ts-check
/** On a phone the open sheet leaves little of the item in sight: buttons above it lead to either candidate, and a question
 * about one of them brings that one into view. */

/** @typedef {import("./questions.js").Question} Question */

/** What of a candidate has to be in sight, so that it need not be brought there. */
const SEEN_PX = 120;
/** What stays free above it. */
const EDGE_PX = 8;

export class SideSwitch {
  /** @param {HTMLElement} sheet @param {HTMLElement} content */
  constructor(sheet, content) {
    this.sheet = sheet;
    this.sides = [...content.querySelectorAll(".pair > .side")];
    /** The side that was brought last, by a button or by a question about it. */
    this.at = -1;
    /** The key of the question that is open. */
    this.open = "";
    for (const button of sheet.querySelectorAll(".to-sides button")) {
      button.addEventListener("click", () => {
        this.at = Number(button.getAttribute("data-side"));
        this.bring(this.at);
      });
    }
  }

  /** @param {number} side from the left */
  bring(side) {
    const there = this.sides[side];
    if (there) scrollBy(0, there.getBoundingClientRect().top - EDGE_PX);
  }

  /** Another question is open. @param {Question} question @param {boolean} covers whether the sheet is open */
  follow(question, covers) {
    const { key = "" } = question.dataset;
    // Whoever looks at the other side under one question is left there.
    if (key === this.open) return;
    this.open = key;
    const side = ["left", "right"].findIndex((name) => key.endsWith(`.${name}`));
    if (side < 0 || side === this.at) return;
    const isFirst = this.at < 0;
    this.at = side;
    if (covers && !isFirst && !this.isSeen(side)) this.bring(side);
  }

  /** @param {number} side */
  isSeen(side) {
    const [there, edge] = [this.sides[side], this.sheet].map((each) => each?.getBoundingClientRect());
    return there === undefined || (there.top >= 0 && edge.top - there.top >= Math.min(SEEN_PX, there.height));
  }
}
