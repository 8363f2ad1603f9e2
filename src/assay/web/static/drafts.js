// @ts-check
/** Keeps the answers of the open item: at once on this device, and on the server as soon as it answers. */
import * as device from "./device_store.js";
import { sentControls } from "./form_values.js";
import { address, isFinal, pause, refusal, send } from "./send.js";

/** @typedef {import("./status.js").Status} Status */
/** @typedef {import("./outbox.js").Refusal} Refusal */

export class Drafts {
  /** @param {HTMLFormElement} form @param {string} seat the name of this window @param {Status} status
   * @param {{saved: (due: number[]) => void, refused: (refusal: Refusal) => void}} tell */
  constructor(form, seat, status, tell) {
    this.form = form;
    this.seat = seat;
    this.status = status;
    this.tell = tell;
    this.item = form.dataset.item ?? "";
    this.changes = 0;
    this.saved = 0;
    this.timer = 0;
    this.stopped = false;
    /** @type {Promise<unknown>} what was sent last */
    this.flight = Promise.resolve();
    this.busy = false;
    status.ofDraft("", form.hasAttribute("data-saved") || undefined);
  }

  /** What the form says now, with where it comes from. @returns {URLSearchParams} */
  body() {
    const body = new URLSearchParams();
    for (const { name, value } of sentControls(this.form)) body.append(name, value.replaceAll("\0", ""));
    body.set("seat", this.seat);
    return body;
  }

  /** Something was answered: keep it, after a pause in which more may come. While a save is under way, the next one
   * follows it. @param {number} [wait] */
  changed(wait = 0) {
    if (this.stopped) return;
    this.changes += 1;
    this.status.ofDraft("saving");
    void this.keepHere();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), wait);
  }

  /** Whether what this device has kept is newer than the draft that came with the page: no draft has been stored since, or
   * only by the window that kept it. The server asks the same of what it is sent (`refuse_other_window`).
   * @param {{draft: number, seat: string}} copy */
  isNewer(copy) {
    const known = Number(new FormData(this.form).get("draft"));
    return copy.draft >= known || copy.seat === this.form.dataset.seat;
  }

  async keepHere() {
    const body = this.body();
    body.delete("csrf");
    const { home = "", who = "" } = this.form.dataset;
    const draft = Number(body.get("draft"));
    await device.keepCopy({ item: this.item, body: String(body), draft, seat: this.seat, home, who });
  }

  save() {
    if (!this.busy) void this.work();
  }

  /** No more is to be kept of this item: it is on its way, or not wanted. Done when nothing is under way any more.
   * @returns {Promise<unknown>} */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.status.ofDraft("");
    return this.flight;
  }

  async work() {
    this.busy = true;
    for (let attempt = 0; this.saved < this.changes && !this.stopped;) {
      const upTo = this.changes;
      const sending = send(address(this.form.dataset.home ?? "", "draft", this.item), this.body());
      this.flight = sending;
      const answer = await sending;
      if (answer?.ok) {
        await this.confirmed(await answer.json(), upTo);
        attempt = 0;
      } else if (this.stopped) {
        break;
      } else if (answer && isFinal(answer)) {
        this.stopped = true;
        this.status.ofDraft("", false);
        this.tell.refused({ status: answer.status, ...await refusal(answer) });
      } else {
        const why = answer?.status === 401 ? (await refusal(answer)).error : "";
        this.status.ofDraft(answer ? "error" : "offline", undefined, why);
        await pause(attempt);
        attempt += 1;
      }
    }
    this.busy = false;
  }

  /** @param {{draft: number, revealed: number[]}} stored @param {number} upTo */
  async confirmed(stored, upTo) {
    /** @type {HTMLInputElement} */ (this.form.querySelector("[name=draft]")).value = String(stored.draft);
    this.saved = upTo;
    if (this.stopped) return;
    if (this.saved === this.changes) {
      await device.dropCopy(this.item);
      this.status.ofDraft("", true);
    } else {
      this.status.ofDraft("saving");
    }
    this.tell.saved(stored.revealed);
  }
}
