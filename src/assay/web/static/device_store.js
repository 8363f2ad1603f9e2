// @ts-check
/** What is kept on this device until the server has it: answers of open items, and what is on its way. */

/** Something to be sent: in the order of its number (0 before it is kept), and until the server has said that it is stored.
 * @typedef {{number: number, home: string, who: string, item: string, path: string, body: string, at: number}} Parcel */
/** The answers of an item that the server has not confirmed yet.
 * @typedef {{item: string, body: string, draft: number, seat: string, home: string, who: string}} Copy */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open("assay", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("parcels", { keyPath: "number", autoIncrement: true });
      request.result.createObjectStore("copies", { keyPath: "item" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opened;
}

/** Do something with one of the stores; done when it is on the disk. Where a browser keeps nothing, everything works
 * as long as there is a connection.
 * @template T @param {"parcels" | "copies"} store @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act @returns {Promise<T>} */
async function inside(store, mode, act) {
  const transaction = (await database()).transaction(store, mode, { durability: "strict" });
  const request = act(transaction.objectStore(store));
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = () => failed(transaction.error);
  });
}

/** Keep a parcel; one that was kept before is replaced. It has its number then. @param {Parcel} parcel */
export async function keepParcel(parcel) {
  const { number, ...rest } = parcel;
  parcel.number = Number(await inside("parcels", "readwrite", (store) => store.put(number ? parcel : rest)));
}

/** @param {number} number */
export const delivered = (number) => inside("parcels", "readwrite", (store) => store.delete(number)).catch(() => {});

/** What is on its way from one person in one study, the oldest first; also what was kept under their name, when that was
 * their pseudonym. @param {string} home @param {string} who @param {string} [called] @returns {Promise<Parcel[]>} */
export async function parcels(home, who, called = "") {
  /** @type {Parcel[]} */
  const all = await inside("parcels", "readonly", (store) => store.getAll()).catch(() => []);
  return all.filter((parcel) => parcel.home === home && [who, called || who].includes(parcel.who));
}

/** How many submissions to one study are on their way from this device, whoever gave them. @param {string} home
 * @returns {Promise<number>} */
export async function kept(home) {
  /** @type {Parcel[]} */
  const all = await inside("parcels", "readonly", (store) => store.getAll()).catch(() => []);
  return all.filter((parcel) => parcel.home === home && parcel.path === "submit").length;
}

/** @param {Copy} copy */
export const keepCopy = (copy) => inside("copies", "readwrite", (store) => store.put(copy)).catch(() => {});

/** @param {string} item */
export const dropCopy = (item) => inside("copies", "readwrite", (store) => store.delete(item)).catch(() => {});

/** @param {string} item @returns {Promise<Copy | undefined>} */
export const copyOf = (item) => inside("copies", "readonly", (store) => store.get(item)).catch(() => undefined);

/** Leave nothing here of one person in one study: neither what is on its way nor a draft. @param {string} home
 * @param {string} who @param {string} [called] */
export async function forget(home, who, called) {
  for (const { number } of await parcels(home, who, called)) await delivered(number);
  /** @type {Copy[]} */
  const drafts = await inside("copies", "readonly", (store) => store.getAll()).catch(() => []);
  for (const each of drafts) if (each.home === home && each.who === who) await dropCopy(each.item);
}
