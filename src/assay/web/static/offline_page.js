// @ts-check
/** Caches the page that is shown when a reload finds no connection, by a service worker. Browsers allow one only under
 * https or on localhost; elsewhere they show an error of their own, so whoever is about to leave the page is warned. */

const KEPT = "assay-offline";

/** Whether the browser allows a service worker here. */
const isPossible = () => "serviceWorker" in navigator && "caches" in window;

/** @param {string} home */
export async function keepOfflinePage(home) {
  if (!isPossible()) {
    addEventListener("beforeunload", (event) => { if (!navigator.onLine) event.preventDefault(); });
    return;
  }
  try {
    const kept = await caches.open(KEPT);
    const page = await fetch(`${home}/offline`);
    if (!page.ok) return;
    const parts = [...(await page.clone().text()).matchAll(/"(\/static\/[^"]+\?offline)"/g)].map(([, part]) => part);
    await Promise.all([kept.put(`${home}/offline`, page), kept.addAll(parts)]);
    await navigator.serviceWorker.register("/static/service_worker.js", { scope: home });
  } catch { /* without it everything works as long as there is a connection */ }
}
