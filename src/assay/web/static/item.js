// @ts-check
/** One item on the page: its questions, mistakes in its answers, kept answers that are put back, how answers are given
 * (by key or by pointer), and the time spent. */
import { wireBottomSheet } from "./bottom_sheet.js";
import { ActiveClock } from "./clock.js";
import * as device from "./device_store.js";
import { Drafts } from "./drafts.js";
import { tellOfEnter } from "./enter_key.js";
import { FormErrors } from "./form_errors.js";
import { holdQuestions } from "./held_questions.js";
import { wireHelp } from "./how_to_decide.js";
import { wireKinds } from "./kinds.js";
import { tellOfMore } from "./more_below.js";
import { followOpenQuestion } from "./open_question.js";
import { wirePlaces } from "./places.js";
import { Questions } from "./questions.js";
import { Reveal } from "./reveal.js";
import { Room } from "./room.js";
import { t } from "./words.js";

/** @typedef {import("./status.js").Status} Status */
/** @typedef {import("./outbox.js").Refusal} Refusal */

const SOON_MS = 1000;

export class Item {
  /** @param {HTMLFormElement} form @param {string} seat @param {Status} status
   * @param {{submitted: (item: Item) => void, refused: (refusal: Refusal) => void}} tell */
  constructor(form, seat, status, tell) {
    this.form = form;
    this.name = form.dataset.item ?? "";
    this.tell = tell;
    this.warned = "";
    this.sent = false;
    this.gone = new AbortController();
    const { signal } = this.gone;
    form.classList.add("enhanced");
    const rules = JSON.parse(document.getElementById("rules")?.textContent ?? "[]");
    this.questions = new Questions(form, rules, signal);
    holdQuestions(form, this.questions.all);
    this.errors = new FormErrors(this.questions, /** @type {HTMLElement} */ (document.getElementById("alert")));
    this.reveal = new Reveal(form, () => {
      holdQuestions(form, this.questions.all);
      this.room.shrink();
    });
    this.clock = new ActiveClock(this.name, signal, form.querySelector("[name=events]") !== null,
      form.querySelector("[data-paste]") !== null);
    this.drafts = new Drafts(form, seat, status, {
      saved: (due) => void this.reveal.show(due),
      refused: tell.refused,
    });
    this.listen();
    const content = /** @type {HTMLElement} */ (document.getElementById("content"));
    wirePlaces(content);
    wireKinds({ form, content, signal });
    this.questions.rules.obey(undefined);
    this.questions.mark();
    this.questions.open(this.questions.first);
    // Those that follow the open question find it open: what they change is laid out with the item, not after it.
    wireBottomSheet(form, this.questions, signal);
    followOpenQuestion(form, this.questions, signal);
    tellOfMore(form, signal);
    tellOfEnter(form, signal);
    wireHelp(form, signal);
    // Last of all: it has the page laid out, and what is changed afterwards would have it laid out again.
    this.room = new Room(form, this.questions, signal);
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    let pointing = false;
    for (const [name, points] of /** @type {[string, boolean][]} */ ([["pointerdown", true], ["keydown", false]])) {
      addEventListener(name, () => { pointing = points; }, { capture: true, signal: this.gone.signal });
    }
    this.form.addEventListener("change", (event) => {
      this.clock.count(!pointing);
      this.answered(event.target);
      this.drafts.changed();
    });
    this.form.addEventListener("input", (event) => {
      if (!(event.target instanceof HTMLTextAreaElement)) return;
      this.answered(event.target);
      this.drafts.changed(400);
    });
    // The second press of a double click may fall on the item that has come meanwhile: it means nothing there.
    const since = performance.now();
    for (const name of ["mousedown", "click"]) {
      document.addEventListener(name, (event) => {
        if (/** @type {MouseEvent} */ (event).detail > 1 && performance.now() - since < 400) event.preventDefault();
      }, { capture: true, signal: this.gone.signal });
    }
  }

  /** @param {EventTarget | null} control */
  answered(control) {
    const question = this.questions.of(control);
    if (question) {
      delete question.dataset.filled;
      delete question.dataset.own;
    }
    const before = this.questions.asked.length;
    this.questions.rules.obey(question);
    this.questions.mark();
    this.errors.settle(question);
    if (this.questions.asked.length > before) this.room.shrink();
  }

  /** @param {boolean} whole whether the item is meant, also where Enter alone goes on from ticks */
  submit(whole = false) {
    if (this.sent || (!whole && this.questions.goOn())) return;
    const unfinished = this.questions.unfinished();
    this.errors.show(unfinished);
    if (unfinished.size > 0) return;
    if (!this.isWhole()) return;
    const warnings = this.questions.rules.warnings().join("\n");
    if (warnings && warnings !== this.warned) {
      // Said once; who submits again has read it.
      this.warned = warnings;
      this.errors.warn(warnings, t("script.submit_again"));
      return;
    }
    this.sent = true;
    this.field("active_ms").value = String(Math.round(this.clock.read()));
    if (this.clock.watches) this.field("events").value = JSON.stringify(this.clock.sum());
    this.clock.done();
    this.tell.submitted(this);
  }

  /** Whether everything is on the page that has to be seen before the answers count: every picture, and what is shown
   * after some answers. What is on its way right now is waited for. @returns {boolean} */
  isWhole() {
    const isDone = (/** @type {string} */ dimension) => this.questions.rules.isDone(dimension);
    const due = this.reveal.isDue(isDone);
    if (!due && !this.form.querySelector("[data-failed]")) return true;
    const since = performance.now();
    const online = navigator.onLine;
    this.reveal.onShown = () => {
      this.errors.show(new Map());
      if (due && online && performance.now() - since < SOON_MS) this.submit();
    };
    setTimeout(() => {
      if (!this.sent && this.reveal.isDue(isDone)) this.errors.warn(t("script.part_missing"), "");
    }, due && online ? SOON_MS : 0);
    if (!due) this.errors.warn(t("script.part_missing"), "");
    return false;
  }

  /** What the server has said against the answers. @param {Record<string, string>} reasons @param {string} words */
  showErrors(reasons, words) {
    const found = Object.entries(reasons).map(([key, reason]) => /** @type {[HTMLFieldSetElement, string]} */ (
      [document.getElementById(`q-${key}`), reason]
    ));
    this.errors.show(new Map(found.filter(([question]) => question)));
    if (found.length === 0 && words) this.errors.warn(words, "");
  }

  /** Put in answers that were kept on this device, and keep them on. @param {string} body */
  fill(body) {
    const given = new URLSearchParams(body);
    for (const question of this.questions.all) {
      this.questions.putRaw(question, given.getAll(question.dataset.key ?? ""));
    }
    this.questions.rules.obey(undefined);
    this.questions.mark();
    this.questions.open(this.questions.first);
    this.drafts.changed();
  }

  /** Answers that this device has kept and the server does not know. Where the server has other ones, from another
   * device, they are offered and not put in. */
  async restore() {
    const copy = await device.copyOf(this.name);
    if (!copy || this.gone.signal.aborted) return;
    if (this.drafts.isNewer(copy)) this.fill(copy.body);
    else {
      const use = this.errors.offer(t("script.other_answers"), t("script.use_those"));
      use.addEventListener("click", () => this.fill(copy.body));
      void device.dropCopy(this.name);
    }
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.querySelector(`[name="${name}"]`));
  }

  /** The item goes from the page. */
  leave() {
    this.gone.abort();
  }
}
