// @ts-check
/** The list of one's own items by keyboard: arrows, Home and End walk it, a number goes to that item. */

const SAME_NUMBER_MS = 1000;

/** @param {HTMLElement} root where such a list is, or may come to be */
export function wireItemList(root) {
  let [number, since] = ["", 0];
  root.addEventListener("keydown", (event) => {
    const list = root.querySelector(".item-list");
    if (!list || event.altKey || event.ctrlKey || event.metaKey) return;
    const ways = [...list.querySelectorAll("a")];
    if (/^\d$/.test(event.key)) {
      number = event.timeStamp - since < SAME_NUMBER_MS ? number + event.key : event.key;
      since = event.timeStamp;
    }
    const way = /^\d$/.test(event.key) ? list.querySelector(`li[value="${Number(number)}"] a`) : walked(ways, event.key);
    if (!(way instanceof HTMLElement)) return;
    event.preventDefault();
    way.focus();
  });
}

/** The list over an item says which one that is, and begins there: what comes next by itself depends on it. @param {HTMLElement} root
 * @param {string} name */
export function markThisOne(root, name) {
  const list = /** @type {HTMLElement | null} */ (root.querySelector(".item-list"));
  const way = list?.querySelector(`a[href$="/item/${CSS.escape(name)}"]`);
  if (!list || !way) return;
  for (const hand of list.querySelectorAll(".at-hand")) hand.remove();
  for (const each of list.querySelectorAll("[aria-current]")) {
    each.removeAttribute("aria-current");
    each.removeAttribute("autofocus");
  }
  way.setAttribute("aria-current", "true");
  way.setAttribute("autofocus", "");
  way.querySelector(".state")?.append(` · ${list.dataset.thisOne}`);
}

/** @param {HTMLElement[]} ways @param {string} key @returns {HTMLElement | undefined} */
function walked(ways, key) {
  const at = ways.findIndex((way) => way === document.activeElement);
  switch (key) {
    case "ArrowDown": return ways[Math.min(at + 1, ways.length - 1)];
    case "ArrowUp": return ways[Math.max(at - 1, 0)];
    case "Home": return ways[0];
    case "End": return ways.at(-1);
    default: return undefined;
  }
}

// As a page of its own.
const page = document.querySelector("main:has(.item-list)");
if (page instanceof HTMLElement) {
  document.documentElement.classList.remove("no-js");
  wireItemList(page);
}
