// @ts-check
/** The coordinator's page, kept current without a reload. */
document.documentElement.classList.remove("no-js");
const place = /** @type {HTMLElement} */ (document.getElementById("progress"));
const notice = /** @type {HTMLElement} */ (document.getElementById("status"));

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("progress");
    if (fresh && fresh.innerHTML !== place.innerHTML) place.replaceChildren(...fresh.childNodes);
    notice.textContent = "";
  } catch {
    notice.textContent = "Not current: the server does not answer. Trying again.";
  }
}
setInterval(() => void refresh(), 5000);
document.addEventListener("visibilitychange", () => void refresh());
