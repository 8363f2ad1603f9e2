// @ts-check
/** The coordinator's page, kept current without a reload: parts that have changed are put in place of the old ones. */
document.documentElement.classList.remove("no-js");
const notice = /** @type {HTMLElement} */ (document.getElementById("status"));
const EVERY_MS = 5000;

/** What somebody has opened, or has the focus in, is left as it is. @param {Element} place */
function isInUse(place) {
  return place.contains(document.activeElement) && document.activeElement !== place;
}

/** @param {Element} old @param {Element} fresh */
function replace(old, fresh) {
  const opened = new Set([...old.querySelectorAll("details[open]")].map((each) => keyOf(each)));
  for (const each of fresh.querySelectorAll("details")) if (opened.has(keyOf(each))) each.open = true;
  old.replaceChildren(...fresh.childNodes);
  choose();
}

/** Show the question that the address names, and of its figures the one that it names: without a name, the first. */
function choose() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = named?.closest(".part") ?? document.querySelector(".part");
  for (const each of document.querySelectorAll(".part")) each.toggleAttribute("data-chosen", each === part);
  const figure = part?.querySelector(".figure[data-chosen]");
  const shown = named?.closest(".part .figure") ?? figure ?? part?.querySelector(".figure");
  for (const each of part?.querySelectorAll(".figure") ?? []) each.toggleAttribute("data-chosen", each === shown);
  mark(".verdict a", part?.id);
  mark(".picker a", shown?.id);
}

/** Say which of some links leads to what is shown. @param {string} links @param {string | undefined} id */
function mark(links, id) {
  for (const each of document.querySelectorAll(links)) {
    if (each.getAttribute("href")?.endsWith(`#${id}`)) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
}

/** @param {Element} details */
function keyOf(details) {
  return details.id || details.querySelector("summary")?.textContent || "";
}

async function refresh() {
  if (document.hidden) return;
  try {
    // Figures that are here already need not come again.
    const address = new URL(location.href);
    address.searchParams.set("known", version());
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of places()) {
      const fresh = page.getElementById(old.id);
      const same = old.dataset.version !== undefined && old.dataset.version === fresh?.dataset.version;
      if (fresh && !same && !isInUse(old) && source.get(old) !== fresh.innerHTML) {
        source.set(old, fresh.innerHTML);
        replace(old, fresh);
        if (fresh.dataset.version !== undefined) old.dataset.version = fresh.dataset.version;
      }
    }
    notice.textContent = "";
  } catch {
    notice.textContent = "Not current: the server does not answer. Trying again.";
  }
}

/** The parts that are kept current. @returns {HTMLElement[]} */
function places() {
  return [...document.querySelectorAll("[data-live]")].filter((each) => each instanceof HTMLElement);
}

/** Which figures are on the page. If some part was in use when they changed, all of them are asked for again. */
function version() {
  const found = new Set(places().flatMap((each) => each.dataset.version ?? []));
  return found.size === 1 ? [...found][0] ?? "" : "";
}

/** As each part came from the server, before anything in it was opened. @type {Map<Element, string>} */
const source = new Map(places().map((each) => [each, each.innerHTML]));

/** A part that begins in the lower half of the window or below, as on a phone: else a tile seems to lead nowhere. */
function bringUp() {
  const part = location.hash ? document.querySelector(".part[data-chosen]") : null;
  if (part && part.getBoundingClientRect().top > innerHeight / 2) part.scrollIntoView();
}

choose();
bringUp();
addEventListener("hashchange", () => {
  choose();
  bringUp();
});
setInterval(() => void refresh(), EVERY_MS);
document.addEventListener("visibilitychange", () => void refresh());
