// @ts-check
/** What the page says, in the study's language: the texts come with the page, by the keys of the catalogues. */

/** @typedef {{ singular: number[], texts: Record<string, string> }} Catalogue */

/** @type {Catalogue} */
const catalogue = JSON.parse(document.getElementById("words")?.textContent ?? '{"singular": [1], "texts": {}}');

/** The text of a key. Where it has two forms, `n` decides between them. A key without a text is said as it is: a word
 * that is missing must not keep answers from being saved (a test finds it before that).
 * @param {string} key @param {Record<string, string | number>} [values] what fills the gaps @returns {string} */
export function t(key, values = {}) {
  const { singular, texts } = catalogue;
  const form = singular.includes(Number(values.n)) ? "one" : "other";
  const text = texts[key] ?? texts[`${key}.${form}`] ?? key;
  return text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}
