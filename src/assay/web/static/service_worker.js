// @ts-check
/** Only one thing: a page that is asked for without a connection is answered by one that says so. Everything else, and
 * every page while there is a connection, comes from the server as if this were not here: nothing of a study is kept, and
 * a new release is in force at once. */

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { search } = new URL(request.url);
  const ofPage = request.mode === "navigate";
  if (request.method !== "GET" || !(ofPage || search === "?offline")) return;
  const instead = ofPage ? `${new URL(worker.registration.scope).pathname}/offline` : request;
  event.respondWith(fetch(request).catch(async () => (await caches.match(instead)) ?? Response.error()));
});
