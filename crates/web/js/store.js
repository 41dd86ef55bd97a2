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

// A game is a row with its record, followed by rows with what was added to it since: a move costs the same however long the
// game is.
const rowsOf = (key) => IDBKeyRange.bound(key, `${key}/\uffff`);
const addedTo = (key) => IDBKeyRange.bound(`${key}/`, `${key}/\uffff`);
const joined = (rows) => rows.map((row) => row.record).join("\n");

export const put = (key, record, over) => run("readwrite", (store) => {
  store.delete(addedTo(key));
  return store.put({ key, record, over, changed: Date.now() });
});
// Adds the words of events, the first of which has this number.
export const append = (key, number, record) => run("readwrite", (store) =>
  store.put({ key: `${key}/${String(number).padStart(6, "0")}`, record, changed: Date.now() }));
export const remove = (key) => run("readwrite", (store) => store.delete(rowsOf(key)));
export const get = async (key) => {
  const rows = await run("readonly", (store) => store.getAll(rowsOf(key)));
  return rows[0]?.key === key ? joined(rows) : undefined;
};
// The keys of games, the last changed first; unfinished ones only if asked.
export async function list(unfinished) {
  const games = [];
  for (const row of await run("readonly", (store) => store.getAll())) {
    if (!row.key.includes("/")) games.push([row]);
    else if (row.key.startsWith(`${games.at(-1)?.[0].key}/`)) games.at(-1).push(row);
  }
  const changed = (rows) => rows.at(-1).changed;
  return games
    .filter(([game]) => !unfinished || !game.over)
    .sort((a, b) => changed(b) - changed(a))
    .map((rows) => [rows[0].key, joined(rows)]);
}
