// @ts-check
/** The preview's bar: what to look at, how wide, in which colours; loads again when a file of the study is saved. */
document.documentElement.classList.remove("no-js");
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("frame"));
const notice = /** @type {HTMLElement} */ (document.getElementById("status"));
const EVERY_MS = 700;
let at = /** @type {HTMLElement | null} */ (document.querySelector("[data-at][aria-pressed=true]"))?.dataset.at ?? "items";
let skip = 0;
let number = 0;
let items = 1;

function load() {
  frame.src = `/preview/enter?at=${at}&skip=${skip}`;
}

/** @param {string} id @param {() => void} act */
function onClick(id, act) {
  document.getElementById(id)?.addEventListener("click", act);
}

/** A button that is on or off. @param {string} id @param {(on: boolean) => void} act */
function onToggle(id, act) {
  onClick(id, () => {
    const button = document.getElementById(id);
    const on = button?.getAttribute("aria-pressed") !== "true";
    button?.setAttribute("aria-pressed", String(on));
    act(on);
  });
}

for (const button of document.querySelectorAll("[data-at]")) {
  button.addEventListener("click", () => {
    at = /** @type {HTMLElement} */ (button).dataset.at ?? "items";
    for (const each of document.querySelectorAll("[data-at]")) each.setAttribute("aria-pressed", String(each === button));
    load();
  });
}
onClick("previous", () => { skip = Math.max(0, skip - 1); load(); });
onClick("next", () => { skip = Math.min(items - 1, skip + 1); load(); });
onToggle("phone", (on) => frame.classList.toggle("phone", on));
onToggle("dark", (on) => {
  frame.classList.toggle("dark", on);
  paint();
});
if (matchMedia("(prefers-color-scheme: dark)").matches) document.getElementById("dark")?.click();
onClick("fill", fill);
frame.addEventListener("load", paint);

/** The chosen colours, inside the frame too. */
function paint() {
  const root = frame.contentDocument?.documentElement;
  if (root) root.dataset.theme = frame.classList.contains("dark") ? "dark" : "light";
}

/** Answer every question somehow, as the rules allow. */
function fill() {
  const page = frame.contentDocument;
  for (const question of page?.querySelectorAll("fieldset.question") ?? []) {
    const open = [...question.querySelectorAll("input")].filter((input) => !input.disabled && input.value !== "unable");
    const text = question.querySelector("textarea");
    if (/** @type {HTMLFieldSetElement} */ (question).hidden || open.some((input) => input.checked)) continue;
    if (open.length > 0 && !question.hasAttribute("data-optional")) {
      open[Math.floor(Math.random() * open.length)].click();
    } else if (text) {
      text.value = "A few words.";
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

/** What looks wrong and may be meant all the same. @param {string[]} said */
function warn(said) {
  const box = /** @type {HTMLElement} */ (document.getElementById("warnings"));
  box.hidden = said.length === 0;
  const count = box.querySelector("summary");
  if (count) count.textContent = `${said.length} warning${said.length > 1 ? "s" : ""}`;
  box.querySelector("ul")?.replaceChildren(...said.map((text) => {
    const line = document.createElement("li");
    line.textContent = text;
    return line;
  }));
}

async function look() {
  try {
    const answer = await fetch("/preview/state");
    const now = await answer.json();
    items = Math.max(1, now.items);
    if (now.number !== number) warn(now.warnings);
    if (number && now.number !== number) {
      notice.textContent = `Changed: ${new Date().toLocaleTimeString()}`;
      load();
    }
    number = now.number;
    if (now.problems) notice.textContent = `${now.problems} problem${now.problems > 1 ? "s" : ""}`;
  } catch {
    notice.textContent = "The preview has stopped.";
  }
}
void look();
setInterval(() => void look(), EVERY_MS);
