// @ts-check
/** The page without a connection: it goes on by itself as soon as the server answers again. It imports nothing, because
 * it is kept as a whole. */
const AGAIN_MS = 3000;

document.documentElement.classList.remove("no-js");

async function look() {
  try {
    await fetch("/health");
    location.reload();
  } catch { /* not yet */ }
}

setInterval(look, AGAIN_MS);
addEventListener("online", look);
document.getElementById("retry")?.addEventListener("click", () => location.reload());
