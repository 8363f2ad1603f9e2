// @ts-check
/** One request to the server, and what its answer means. */

const PATIENCE_MS = 20_000;
const RETRY_MS = [500, 1000, 2000, 5000];

/** @param {string} address @param {URLSearchParams} body @returns {Promise<Response | null>} null: no answer came */
export async function send(address, body) {
  try {
    const headers = { Accept: "application/json" };
    const answer = await fetch(address, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    // An answer that breaks off half-way is none: it is read here to its end.
    const { status, statusText } = answer;
    return new Response((await answer.text()) || null, { status, statusText, headers: answer.headers });
  } catch {
    return null;
  }
}

/** Whether to ask again would be of no use. A session that has ended begins again when the link is opened.
 * @param {Response} answer */
export const isFinal = (answer) => answer.status < 500 && answer.status !== 429 && answer.status !== 401;

/** Wait before trying again: longer each time, but not once the connection is back. @param {number} attempt
 * @returns {Promise<void>} */
export function pause(attempt) {
  return new Promise((done) => {
    const timer = setTimeout(done, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
    addEventListener("online", () => { clearTimeout(timer); done(); }, { once: true });
  });
}

/** What the server says of a refusal. @param {Response} answer
 * @returns {Promise<{error: string, code: string, reasons: Record<string, string>}>} */
export async function refusal(answer) {
  const nothing = { error: "", code: "", reasons: {} };
  try {
    return { ...nothing, ...await answer.json() };
  } catch {
    return nothing;
  }
}

/** The address of a part of the study. @param {string} home @param {string} path @param {string} item */
export const address = (home, path, item) => (item ? `${home}/${path}/${item}` : `${home}/${path}`);
