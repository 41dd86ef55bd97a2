// Games kept on this device, in IndexedDB. Every function answers with a promise.

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("fourfold", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("games", mode);
    const request = work(transaction.objectStore("games"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? request.error);
  });
}

export const put = (key, record, over) => run("readwrite", (store) => store.put({ key, record, over, changed: Date.now() }));
export const remove = (key) => run("readwrite", (store) => store.delete(key));
export const get = async (key) => (await run("readonly", (store) => store.get(key)))?.record;
// The keys of games, the last changed first; unfinished ones only if asked.
export async function list(unfinished) {
  const all = await run("readonly", (store) => store.getAll());
  return all.filter((game) => !unfinished || !game.over).sort((a, b) => b.changed - a.changed).map((game) => [game.key, game.record]);
}
