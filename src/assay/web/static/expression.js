// @ts-check
/** Evaluates the rules' trees, by the same meaning as the server (study/evaluate.py); a test compares the two. */

/** @typedef {any[]} Tree */
/** @typedef {Record<string, any>} Values */

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">=", "in", "has"]);

/** Whether an expression is true of these answers and fields.
 * @param {Tree} tree @param {Values} values @returns {boolean} */
export function holds(tree, values) {
  const [op, ...parts] = tree;
  if (op === "or") return holds(parts[0], values) || holds(parts[1], values);
  if (op === "and") return holds(parts[0], values) && holds(parts[1], values);
  if (op === "not") return !holds(parts[0], values);
  if (op === "answered") return parts.every((part) => known(named(part[1], values)));
  if (op === "empty") return parts.every((part) => empty(named(part[1], values)));
  if (COMPARISONS.has(op)) return compare(op, parts[0], parts[1], values);
  return truth(value(tree, values));
}

/** Every name in an expression. @param {any} tree @returns {string[]} */
export function names(tree) {
  if (!Array.isArray(tree)) return [];
  return tree[0] === "name" ? [tree[1]] : tree.slice(1).flatMap(names);
}

/** @param {string} op @param {Tree} left @param {Tree} right @param {Values} values @returns {boolean} */
function compare(op, left, right, values) {
  if (left[0] === "any") return left.slice(1).some((part) => compare(op, part, right, values));
  if (left[0] === "all") return left.slice(1).every((part) => compare(op, part, right, values));
  const one = value(left, values);
  const other = value(right, values);
  if (!known(one) || !known(other)) return false;
  if (op === "in") return Array.isArray(other) && other.some((each) => equal(one, each));
  if (op === "has") return Array.isArray(one) && one.some((each) => isCalled(each, other));
  if (op === "==") return equal(one, other);
  if (op === "!=") return !equal(one, other);
  if (typeof one !== "number" || typeof other !== "number") return false;
  return op === "<" ? one < other : op === "<=" ? one <= other : op === ">" ? one > other : one >= other;
}

/** @param {Tree} tree @param {Values} values @returns {any} */
function value(tree, values) {
  if (tree[0] === "value") return tree[1];
  if (tree[0] === "list") return tree.slice(1);
  if (tree[0] === "name") return named(tree[1], values);
  if (tree[0] === "count") return tree.slice(1).reduce((sum, part) => sum + count(part, values), 0);
  return holds(tree, values);
}

/** A name's value; what every object inherits is not an answer. @param {string} name @param {Values} values */
const named = (name, values) => (Object.hasOwn(values, name) ? values[name] : undefined);

/** @param {any} given */
const known = (given) => given !== null && given !== undefined;

/** @param {any} given @returns {boolean} */
function empty(given) {
  if (typeof given === "string") return /^[ \t\r\n\f\v\u00a0]*$/.test(given);
  return !known(given) || (Array.isArray(given) && given.length === 0);
}

/** @param {Tree} part @param {Values} values @returns {number} */
function count(part, values) {
  const given = value(part[0] === "of" ? part[1] : part, values);
  if (part[0] === "of") return Array.isArray(given) ? given.filter((each) => isCalled(each, part[2])).length : 0;
  return Array.isArray(given) ? given.length : Number(truth(given));
}

/** Whether a tick or mark has this name, wherever it was found. @param {any} each @param {any} name */
const isCalled = (each, name) => equal(each, name)
  || (typeof each === "string" && typeof name === "string" && each.startsWith(`${name} @`));

/** @param {any} one @param {any} other @returns {boolean} */
function equal(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => equal(each, other[index]));
  }
  return one === other;
}

/** What counts as true on its own: as in Python, an empty list does not.
 * @param {any} given @returns {boolean} */
function truth(given) {
  return Array.isArray(given) ? given.length > 0 : Boolean(given);
}
