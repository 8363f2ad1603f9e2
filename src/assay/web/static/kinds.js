// @ts-check
/** What the scripts of kinds add to the judging page. Such a script lies beside the module of its kind and calls
 * `addKind`; the page runs all of them before its own. */

/** An item on the page; the signal fires when it goes.
 * @typedef {{form: HTMLFormElement, content: HTMLElement, signal: AbortSignal}} Shown */
/** `wire` connects what the kind has put on the page; `keys` says what letters do, and returns whether there was
 * something to do. An input whose controls are not simply chosen or ticked says by `of` what its questions are called,
 * by `press` what a digit does there (with the form value that it stands for, and whether it is one more or one less;
 * false: as everywhere), by `put` how it takes an answer, and by `problem` why what stands there cannot be one. `measure` is called while the item before is still
 * read, with a copy that is laid out and the form that comes: what is found at the one can be put into the other.
 * @typedef {{wire?: (shown: Shown) => void, keys?: Record<string, () => boolean>, of?: string,
 *   press?: (question: HTMLFieldSetElement, wanted: string, by: 1 | -1) => boolean,
 *   put?: (question: HTMLFieldSetElement, raw: string[]) => void,
 *   problem?: (question: HTMLFieldSetElement) => string, measure?: (copy: Element, coming: Element) => void}} Kind */

/** @type {Kind[]} */
const kinds = [];

/** @param {Kind} kind */
export function addKind(kind) {
  kinds.push(kind);
}

/** @param {Shown} shown */
export function wireKinds(shown) {
  for (const kind of kinds) kind.wire?.(shown);
}

/** @param {Element} copy @param {Element} coming */
export function measureKinds(copy, coming) {
  for (const kind of kinds) kind.measure?.(copy, coming);
}

/** The kind that a question is of, where its script has something to say. @param {Element} question
 * @returns {Kind | undefined} */
export const kindOf = (question) => kinds.find((kind) => kind.of !== undefined && question.classList.contains(kind.of));

/** @param {string} letter @returns {boolean} whether it meant something to a kind */
export const pressLetter = (letter) => kinds.some((kind) => kind.keys?.[letter]?.() ?? false);
