// @ts-check
/** Lists of items and of people by keyboard: J and K walk along rows, or along items where one is open; a filter acts at once. */
document.documentElement.classList.remove("no-js");

/** @type {HTMLAnchorElement[]} */
const rows = [...document.querySelectorAll("a[data-row]")].filter((each) => each instanceof HTMLAnchorElement);
const search = document.getElementById("words");

/** @param {number} by */
function walk(by) {
  const at = rows.findIndex((each) => each === document.activeElement);
  const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  if (rows[next]) rows[next].focus();
  else follow(by);
}

/** Go to the page or the item before or behind this one. @param {number} by */
function follow(by) {
  const way = document.querySelector(`main a[rel="${by > 0 ? "next" : "prev"}"]`);
  if (way instanceof HTMLAnchorElement) location.assign(way.href);
}

/** Whether keys belong to what has the focus. */
function isWriting() {
  const at = document.activeElement;
  return at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement ||
    (at instanceof HTMLInputElement && at.type !== "checkbox");
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isWriting()) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "/" && search) search.focus();
  else return;
  event.preventDefault();
});

document.querySelector("form.filters")?.addEventListener("change", (event) => {
  const form = event.currentTarget;
  if (form instanceof HTMLFormElement) form.requestSubmit();
});

/** An address without what is empty can be read and passed on. */
document.querySelector("form.filters")?.addEventListener("submit", (event) => {
  const form = event.currentTarget;
  if (!(form instanceof HTMLFormElement)) return;
  for (const each of form.querySelectorAll("input, select"))
    if ((each instanceof HTMLInputElement || each instanceof HTMLSelectElement) && !each.value) each.disabled = true;
});

export {};
