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
