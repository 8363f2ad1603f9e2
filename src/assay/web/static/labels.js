// @ts-check
/** Labels beside what they name, such that none covers another, nor what is named. Twin of `displays/drawn_marks.py`. */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** What a label stands beside, how large it is, how far it stays away, and where it would stand best: the direction from
 * what it names, as [-1, 0 or 1 to the right, -1, 0 or 1 downwards]; and what it names, which is a dot or a frame.
 * @typedef {{x: number, y: number, width: number, height: number, gap: number, first: [number, number],
 *   mark: Box & {frame: boolean}}} Label */
/** Whether a line has to say what a label belongs to. @typedef {Box & {far: boolean}} Place */

const DOT = 16;
const ROUNDS = 6;
const APART = 2;
/** As much of a marked box may lie under a label. */
const HIDDEN = 0.04;
/** What it costs to hide more, or to stand as near to another mark, in steps away from the mark. */
const HIDES = 100;
const UNCLEAR = 0.5;
/** @type {[number, number][]} */
const DIRECTIONS = [[-1, -1], [1, -1], [1, 1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]];

/** Drawings whose labels were put before they are shown, each with the size that holds for.
 * @type {WeakMap<Element, string>} */
const putAhead = new WeakMap();

/** @param {DOMRect} rect */
const sizeOf = ({ width, height }) => `${width} ${height}`;

/** Put each label of a drawing where it covers neither another one nor a dot. A label (`.label`) says by `data-x` and
 * `data-y` where it belongs, in per cent; what is moved is its `.sign`, and a line (`.lead`) leads to it where it is far.
 * @param {Element} marks the drawing */
export function separateLabels(marks) {
  const rect = marks.getBoundingClientRect();
  const { width, height } = rect;
  const isDone = putAhead.get(marks) === sizeOf(rect);
  putAhead.delete(marks); // from now on it is looked at whenever the size is another one
  if (width === 0 || isDone) return;
  const shown = [...marks.querySelectorAll(".label")].filter((each) => each.getClientRects().length > 0);
  const labels = shown.map((each) => labelOf(/** @type {SVGElement} */ (each), width, height));
  placeLabels(labels, { width, height }).forEach((box, index) => {
    const at = { x: box.x - labels[index].x, y: box.y - labels[index].y };
    shown[index].querySelector(".sign")?.setAttribute("transform", `translate(${at.x} ${at.y})`);
    const lead = shown[index].querySelector(".lead");
    lead?.setAttribute("x2", String(box.far ? at.x + box.width / 2 : 0));
    lead?.setAttribute("y2", String(box.far ? at.y + box.height / 2 : 0));
  });
}

/** A label as its element says it. @param {SVGElement} each @param {number} width of the drawing @param {number} height
 * @returns {Label} */
function labelOf(each, width, height) {
  const { x = "0", y = "0", box = "" } = each.dataset;
  const plate = /** @type {SVGRectElement} */ (each.querySelector(".plate"));
  const at = { x: Number(x) / 100 * width, y: Number(y) / 100 * height };
  const size = { width: plate.width.baseVal.value, height: plate.height.baseVal.value };
  const [right, down] = each.classList.contains("second") ? [1, 1] : [-1, -1];
  if (each.classList.contains("of-point")) {
    const mark = { x: at.x - DOT / 2, y: at.y - DOT / 2, width: DOT, height: DOT, frame: false };
    return { ...at, ...size, gap: DOT / 2, first: [right, down], mark };
  }
  const [left, top, wide, high] = box.split(" ").map((share, index) => Number(share) / 100 * (index % 2 ? height : width));
  // A box has its label on its edge, within its corners.
  return { ...at, ...size, gap: 0, first: [-right, down], mark: { x: left, y: top, width: wide, height: high, frame: true } };
}

/** Put the labels of a drawing as those of a copy of it, which is laid out. @param {Element} copy @param {Element} marks */
export function separateLikeCopy(copy, marks) {
  separateLabels(copy);
  const [own, others] = [marks, copy].map((each) => [...each.querySelectorAll(".sign, .lead")]);
  own.forEach((part, index) => {
    for (const name of ["transform", "x2", "y2"]) {
      const value = others[index]?.getAttribute(name);
      if (value) part.setAttribute(name, value);
    }
  });
  putAhead.set(marks, sizeOf(copy.getBoundingClientRect()));
}

/** Where each label goes, in the order in which they are given: as near as there is room, not upon what is marked where
 * there is room elsewhere, and rather where no other mark is as near as its own.
 * @param {Label[]} labels @param {{width: number, height: number}} frame @returns {Place[]} */
export function placeLabels(labels, frame) {
  const dots = labels.map(({ mark }) => mark).filter((mark) => !mark.frame);
  /** @type {Place[]} */
  const placed = [];
  for (const label of labels) {
    const others = labels.map(({ mark }) => mark).filter((mark) => mark !== label.mark);
    const boxes = candidates(label, frame);
    let best = { ...boxes[0], far: isUnclear(boxes[0], label, others) };
    let least = Infinity;
    for (const box of boxes) {
      if (box.round >= least) break;
      if ([...dots, ...placed].some((other) => cover(box, other))) continue;
      const unclear = isUnclear(box, label, others);
      const cost = box.round + (unclear ? UNCLEAR : 0) + HIDES * hidden(box, labels);
      if (cost < least) [best, least] = [{ ...box, far: box.round > 0 || unclear }, cost];
    }
    placed.push(best);
  }
  return placed;
}

/** @param {Label} label @param {{width: number, height: number}} frame @returns {(Box & {round: number})[]} */
function candidates(label, frame) {
  const ways = [label.first, ...DIRECTIONS.filter(([x, y]) => x !== label.first[0] || y !== label.first[1])];
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const away = label.gap + round * (label.height + APART);
    for (const [right, down] of ways) {
      const x = label.x + right * away - label.width * (1 - right) / 2;
      const y = label.y + down * away - label.height * (1 - down) / 2;
      const { width, height } = label;
      found.push({ x: within(x, frame.width - width), y: within(y, frame.height - height), width, height, round });
    }
  }
  return found;
}

/** How much of the boxes that are marked lies under a label, each by its own size; next to nothing is nothing.
 * @param {Box} box @param {Label[]} labels */
function hidden(box, labels) {
  const shares = labels.filter(({ mark }) => mark.frame).map(({ mark }) => {
    const across = Math.min(box.x + box.width, mark.x + mark.width) - Math.max(box.x, mark.x);
    const down = Math.min(box.y + box.height, mark.y + mark.height) - Math.max(box.y, mark.y);
    return across > 0 && down > 0 ? across * down / (mark.width * mark.height) : 0;
  });
  return shares.filter((share) => share > HIDDEN).reduce((sum, share) => sum + share, 0);
}

/** Whether another mark is as near to a label as its own. @param {Box} box @param {Label} label
 * @param {Label["mark"][]} others */
function isUnclear(box, { mark }, others) {
  const own = apart(box, mark);
  return others.some((other) => apart(box, other) <= own);
}

/** How far a label is from the middle of a dot, or from the line of a frame. @param {Box} box @param {Label["mark"]} mark */
function apart(box, mark) {
  const inside = mark.frame ? 0 : DOT / 2;
  const [right, down] = [mark.x + inside - box.x, mark.y + inside - box.y];
  const [left, up] = [box.x + box.width - mark.x - mark.width + inside, box.y + box.height - mark.y - mark.height + inside];
  if (mark.frame && Math.max(right, left, down, up) < 0) return -Math.max(right, left, down, up);
  return Math.hypot(Math.max(0, right - box.width, left - box.width), Math.max(0, down - box.height, up - box.height));
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(most, value));

/** @param {Box} one @param {Box} other */
function cover(one, other) {
  return one.x < other.x + other.width + APART && other.x < one.x + one.width + APART
    && one.y < other.y + other.height && other.y < one.y + one.height;
}
