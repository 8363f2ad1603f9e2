// @ts-check
/** What the scripts of kinds add to the judging page. Such a script lies beside the module of its kind and calls
 * `addKind`; the page runs all of them before its own. */

/** An item on the page; the signal fires when it goes.
 * @typedef {{form: HTMLFormElement, content: HTMLElement, signal: AbortSignal}} Shown */
/** `wire` connects what the kind has put on the page; `keys` says what letters do, and returns whether there was
 * something to do.
 * @typedef {{wire?: (shown: Shown) => void, keys?: Record<string, () => boolean>}} Kind */

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

/** @param {string} letter @returns {boolean} whether it meant something to a kind */
export const pressLetter = (letter) => kinds.some((kind) => kind.keys?.[letter]?.() ?? false);
