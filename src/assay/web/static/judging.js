// @ts-check
/** The judging page: puts the item, what comes next, what is on its way and the dialogs together. */
import { prepareNext } from "./ahead.js";
import { restBetween, wireBreak } from "./break.js";
import * as device from "./device_store.js";
import { keepTexts, texts, wireDialogs } from "./dialogs.js";
import { GuideDrawer } from "./guide_drawer.js";
import { Item } from "./item.js";
import { wireItemList } from "./item_list.js";
import { wireKeys } from "./keys.js";
import { goHome, reopen, showLoading, showReady } from "./next_item.js";
import { endedSession, newName, standAside, takeOver } from "./one_window.js";
import { keepBarLow, wireMenu } from "./menu.js";
import { keepOfflinePage } from "./offline_page.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import { wireProblem } from "./problem.js";
import { ReadyItems } from "./ready_items.js";
import { wireSettings } from "./settings.js";
import { Status } from "./status.js";
import { t } from "./words.js";

/** @typedef {import("./device_store.js").Parcel} Parcel */
/** @typedef {import("./outbox.js").Refusal} Refusal */
/** @typedef {import("./ready_items.js").ReadyItem} ReadyItem */

/** Refusals after which nothing is left to do with what was sent. */
const OVER = ["errors.submitted", "errors.submitted_otherwise", "errors.declined"];

document.documentElement.classList.remove("no-js");
const seat = newName();
const status = new Status(
  /** @type {HTMLElement} */ (document.getElementById("status")),
  /** @type {HTMLElement} */ (document.getElementById("announced")),
);
status.onEnded = endedSession();
const first = theForm();
const page = {
  home: first.dataset.home ?? "",
  who: first.dataset.who ?? "",
  called: first.dataset.called,
  csrf: /** @type {HTMLInputElement} */ (first.querySelector("[name=csrf]")).value,
};
const outbox = new Outbox(page, status, refused, (state) => {
  if (state === "open") void readyItems.refill().then(prepare);
  else stopGivingOut();
});
const pace = new Pace(document.getElementById("pace"));
const readyItems = new ReadyItems(page, (name) => outbox.has(name));
/** @type {Item} the item on the page, as soon as there is one */
let item;
Object.assign(window, { assay: { readyItems, outbox, texts } }); // to look at from a console

/** What is done whenever another item is shown, or more of them are here. */
const prepare = () => {
  const { batch, total, position } = item?.form.dataset ?? {};
  pace.say(readyItems.leftOfBatch(batch), total && position ? Number(total) - Number(position) + 1 : Infinity);
  prepareNext(() => readyItems.items[0]);
};

/** @returns {HTMLFormElement} */
function theForm() {
  return /** @type {HTMLFormElement} */ (document.getElementById("judge"));
}

/** Begin with the item that stands on the page. @returns {Promise<void>} */
async function begin() {
  item?.leave();
  item = new Item(theForm(), seat, status, { submitted: (done) => void goOn(done), refused: overtaken });
  wireDialogs(/** @type {HTMLElement} */ (document.getElementById("main")));
  document.getElementById("heading")?.focus({ preventScroll: true });
  prepare();
  await item.restore();
}

/** An item is finished: keep it until it has arrived, and show the next one at once. @param {Item} done */
async function goOn(done) {
  const settled = done.drafts.stop();
  // Nobody waits for the disk: until the answers are on it as finished, they are there as half-finished.
  const body = done.drafts.body();
  body.set("position", done.form.dataset.position ?? "");
  void outbox.add("submit", done.name, body, settled).then(() => device.dropCopy(done.name));
  if (!body.has("decline")) pace.count(Number(body.get("active_ms")), !("earlier" in done.form.dataset));
  if (pace.isEnough()) readyItems.close();
  if (!comesNext(done)) {
    done.leave();
    await showLoading(outbox, page.home);
    await readyItems.fill();
  }
  const ready = item === done ? comesNext(done) : undefined;
  const planned = ready && pace.due(Number(done.form.dataset.batch), ready.batch);
  if (planned) await restBetween(planned, done, ready, outbox);
  // Meanwhile it may have come back, or everything may have been stopped.
  if (item !== done) return;
  if (comesNext(done)) {
    showReady(/** @type {ReadyItem} */ (readyItems.take()));
    if (location.pathname !== page.home) history.replaceState(null, "", page.home);
    await begin();
    return;
  }
  done.leave();
  await showLoading(outbox, page.home);
  goHome(page.home, status.told);
}

/** The item that is ready to be shown next. After one has come back, the server says what is next.
 * @param {Item} done @returns {ReadyItem | undefined} */
function comesNext(done) {
  return readyItems.reopened || goesTooFar(done) ? undefined : readyItems.items[0];
}

/** Whether the next item is of another batch while some of this one were passed over: a batch is finished first.
 * @param {Item} done */
function goesTooFar(done) {
  const { batch } = done.form.dataset;
  const [ready] = readyItems.items;
  return "outOfTurn" in first.dataset && batch !== undefined && ready !== undefined && ready.batch !== Number(batch);
}

/** The study is paused or closed, or it is enough for now: nothing new is begun. What has been begun can be finished. */
function stopGivingOut() {
  readyItems.close();
  void outbox.empty().then(() => { if (item && item.drafts.changes === 0 && !item.sent) leaveFor(page.home); });
}

/** The server does not take what was on its way. @param {Parcel} parcel @param {Refusal} refusal
 * @returns {Promise<"drop" | "wait">} */
async function refused(parcel, refusal) {
  const over = OVER.includes(refusal.code) || refusal.status === 404;
  const sent = new URLSearchParams(parcel.body);
  status.tellOf("");
  if (parcel.path !== "submit" || over) {
    const number = sent.get("position") ?? "";
    item?.errors.warn(t("script.of_item", { number, words: refusal.error }), "");
    return "drop";
  }
  if (refusal.status === 422 || refusal.code === "errors.other_window") {
    void item?.drafts.stop();
    if (await reopen(page.home, parcel.item)) {
      readyItems.reopened = true;
      await begin();
      // What was changed since, here or elsewhere, is newer than what was sent.
      const newer = item.form.dataset.seat && item.form.dataset.seat !== sent.get("seat");
      if (!newer) item.fill(parcel.body);
      item.showErrors(refusal.reasons, refusal.error);
      return "wait";
    }
  }
  // Once: where the page there sends it again and it is refused again, nobody is to be sent round in circles.
  const before = `refused ${parcel.number}`;
  if (sessionStorage.getItem(before)) item?.errors.warn(refusal.error, "");
  else leaveFor(page.home);
  sessionStorage.setItem(before, "yes");
  return "wait";
}

/** The session is over, the study has closed or asks for something first: the page that says so comes. What is kept here
 * is sent when work goes on, so nobody has to be warned. @param {string} where */
function leaveFor(where) {
  outbox.quiet = true;
  location.replace(where);
}

/** The item was changed or submitted elsewhere meanwhile. @param {Refusal} refusal */
function overtaken(refusal) {
  if (refusal.status === 409) standAside(refusal.error);
  else leaveFor(page.home);
}

wireDialogs(/** @type {HTMLElement} */ (document.querySelector("header")));
wireItemList(/** @type {HTMLElement} */ (document.getElementById("reader")));
wireMenu();
keepBarLow();
wireSettings();
const guide = new GuideDrawer(
  /** @type {HTMLElement} */ (document.getElementById("drawer")),
  /** @type {HTMLAnchorElement} */ (document.querySelector("[data-drawer]")),
);
wireKeys(() => item, outbox, guide);
wireProblem(() => item, outbox, goOn);
wireBreak(() => item, outbox, pace);
takeOver(page.home, seat, () => {
  outbox.held = true;
  outbox.quiet = true;
  void item?.drafts.stop();
  standAside();
});
await outbox.open();
pace.catchUp(outbox.parcels);
if (outbox.has(first.dataset.item ?? "")) {
  // The answers to this one are on their way already.
  void showLoading(outbox, page.home).then(() => goHome(page.home, status.told));
} else {
  await begin();
  guide.restore();
  // From an earlier item work goes on at the one that is open.
  void readyItems.fill("earlier" in first.dataset ? 0 : Number(first.dataset.position)).then(prepare)
    .then(keepTexts).then(() => keepOfflinePage(page.home));
}
