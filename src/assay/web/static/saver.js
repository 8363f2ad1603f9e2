// @ts-check
/** Drafts and submissions. The status line says "Saved" only after the server has said that it is on disk. */

const RETRY_MS = [500, 1000, 2000, 5000];
const PATIENCE_MS = 20_000;

export class Saver {
  /** @param {HTMLFormElement} form @param {HTMLElement} status
   * @param {(due: number[]) => void} saved called after each save with the blocks that may be shown now */
  constructor(form, status, saved = () => {}) {
    this.form = form;
    this.status = status;
    this.onSaved = saved;
    this.changes = 0;
    this.saved = 0;
    this.timer = 0;
    this.busy = false;
    this.submitting = false;
    addEventListener("beforeunload", (event) => {
      if (this.saved < this.changes) event.preventDefault();
    });
  }

  /** @param {string} text @param {"" | "trouble"} [state] */
  say(text, state = "") {
    this.status.textContent = text;
    this.status.dataset.state = state;
  }

  /** Something was answered: keep it, after a pause in which more may come. While a save is under way, the next one
   * follows it. @param {number} [pause] */
  changed(pause = 0) {
    this.changes += 1;
    if (!this.submitting) this.say("Saving…");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(), pause);
  }

  /** Nothing that is not saved yet is wanted any more. */
  forget() {
    this.saved = this.changes;
  }

  async save() {
    if (this.busy || this.submitting) return;
    this.busy = true;
    for (let attempt = 0; this.saved < this.changes && !this.submitting;) {
      const upTo = this.changes;
      const answer = await this.post(this.form.dataset.draft ?? "");
      if (this.submitting) break;
      if (answer?.ok) {
        const stored = await answer.json();
        this.field("draft").value = String(stored.draft);
        this.onSaved(stored.revealed ?? []);
        this.saved = upTo;
        attempt = 0;
        if (this.saved === this.changes) this.say("Saved");
      } else if (answer && isFinal(answer)) {
        this.forget();
        this.say(await words(answer), "trouble");
      } else {
        this.say("Not saved: retrying", "trouble");
        await pause(attempt);
        attempt += 1;
      }
    }
    this.busy = false;
  }

  /** Send the answers for good. Resolves to what the server refused (perhaps nothing that a question could show), or
   * to null when there is nothing left to do on this page.
   * @param {number} activeMs @returns {Promise<Record<string, string> | null>} */
  async submit(activeMs) {
    this.submitting = true;
    this.field("active_ms").value = String(Math.round(activeMs));
    this.say("Saving…");
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.post(this.form.action);
      if (answer?.ok) return this.leave("Saved", (await answer.json()).next);
      if (answer && isFinal(answer)) return this.refused(answer);
      this.say(`Not saved yet: we keep trying (${attempt + 1})`, "trouble");
      await pause(attempt);
    }
  }

  /** @param {Response} answer @returns {Promise<Record<string, string> | null>} */
  async refused(answer) {
    if (answer.status === 409 || answer.status === 404) {
      // Another window was faster, or the study has changed: the page that is right now shows it.
      this.say(await words(answer), "trouble");
      await pause(1);
      return this.leave("", this.form.dataset.home ?? "/");
    }
    this.submitting = false;
    const reasons = answer.status === 422 ? (await answer.json()).reasons : {};
    this.say(answer.status === 422 ? "Not submitted" : await words(answer), "trouble");
    return reasons;
  }

  /** @param {string} text @param {string} where @returns {null} */
  leave(text, where) {
    this.forget();
    if (text) this.say(text);
    location.replace(where);
    return null;
  }

  /** @param {string} address @returns {Promise<Response | null>} */
  async post(address) {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) body.append(name, String(value));
    const headers = { Accept: "application/json" };
    try {
      return await fetch(address, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    } catch {
      return null;
    }
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }
}

/** Whether to ask again would be of no use. @param {Response} answer */
const isFinal = (answer) => answer.status < 500 && answer.status !== 429;

/** @param {number} attempt @returns {Promise<void>} */
const pause = (attempt) => new Promise((done) => {
  setTimeout(done, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
});

/** What the server says of a refusal, in its words. @param {Response} answer @returns {Promise<string>} */
async function words(answer) {
  try {
    return (await answer.json()).error ?? "Not saved";
  } catch {
    return "Not saved";
  }
}
