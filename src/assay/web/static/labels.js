// @ts-check
/** Labels beside what they name, such that none covers another, nor what is named. */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** What a label stands beside, how large it is, how far it stays away, and where it would stand best: the direction from
 * what it names, as [-1, 0 or 1 to the right, -1, 0 or 1 downwards].
 * @typedef {{x: number, y: number, width: number, height: number, gap: number, first: [number, number]}} Label */

const DOT = 16;
const ROUNDS = 6;
const APART = 2;
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
  const labels = shown.map((each) => {
    const { x = "0", y = "0" } = /** @type {SVGElement} */ (each).dataset;
    const plate = /** @type {SVGRectElement} */ (each.querySelector(".plate"));
    const of = { x: Number(x) / 100 * width, y: Number(y) / 100 * height, point: each.classList.contains("of-point") };
    const [right, down] = each.classList.contains("second") ? [1, 1] : [-1, -1];
    /** @type {[number, number]} a box has its label on its edge, within its corners */
    const first = of.point ? [right, down] : [-right, down];
    return { ...of, width: plate.width.baseVal.value, height: plate.height.baseVal.value, gap: of.point ? DOT / 2 : 0, first };
  });
  const dots = labels.filter((each) => each.point).map(({ x, y }) => ({ x: x - DOT / 2, y: y - DOT / 2, width: DOT, height: DOT }));
  placeLabels(labels, dots, { width, height }).forEach((box, index) => {
    const at = { x: box.x - labels[index].x, y: box.y - labels[index].y };
    shown[index].querySelector(".sign")?.setAttribute("transform", `translate(${at.x} ${at.y})`);
    const lead = shown[index].querySelector(".lead");
    lead?.setAttribute("x2", String(box.far ? at.x + box.width / 2 : 0));
    lead?.setAttribute("y2", String(box.far ? at.y + box.height / 2 : 0));
  });
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

/** Where each label goes, in the order in which they are given: as near as there is room.
 * @param {Label[]} labels @param {Box[]} taken what must stay free @param {{width: number, height: number}} frame
 * @returns {(Box & {far: boolean})[]} */
export function placeLabels(labels, taken, frame) {
  /** @type {(Box & {far: boolean})[]} */
  const placed = [];
  for (const label of labels) {
    const boxes = candidates(label, frame);
    const free = boxes.find((box) => ![...taken, ...placed].some((other) => cover(box, other)));
    placed.push(free ?? boxes[0]);
  }
  return placed;
}

/** @param {Label} label @param {{width: number, height: number}} frame @returns {(Box & {far: boolean})[]} */
function candidates(label, frame) {
  const ways = [label.first, ...DIRECTIONS.filter(([x, y]) => x !== label.first[0] || y !== label.first[1])];
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const away = label.gap + round * (label.height + APART);
    for (const [right, down] of ways) {
      const x = label.x + right * away - label.width * (1 - right) / 2;
      const y = label.y + down * away - label.height * (1 - down) / 2;
      const { width, height } = label;
      found.push({ x: within(x, frame.width - width), y: within(y, frame.height - height), width, height, far: round > 0 });
    }
  }
  return found;
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(most, value));

/** @param {Box} one @param {Box} other */
function cover(one, other) {
  return one.x < other.x + other.width + APART && other.x < one.x + one.width + APART
    && one.y < other.y + other.height && other.y < one.y + one.height;
}
