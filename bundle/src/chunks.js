// Loads chunks of the program, each once; a chunk that could not be loaded may be asked for again.
import { initSync } from "./fourfold-app.js";

const loading = {};
const loaded = new Set();

async function instantiate(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  // Nothing is put into the program's memory until all of it is understood.
  await WebAssembly.instantiate(await answer.arrayBuffer(), { __wasm_split: initSync() });
  loaded.add(file);
}

function load(file) {
  return loading[file] ??= instantiate(file).catch((error) => { delete loading[file]; throw error; });
}

// The files of each chunk.
const CHUNKS = __CHUNKS__;

export const loadAll = (names) => Promise.all(names.flatMap((name) => CHUNKS[name]).map(load));

// A function of a chunk that is here is called at once.
const loader = (name) => (callback, data) => {
  const answer = (there) => initSync().__indirect_function_table.get(callback)(data, there);
  if (CHUNKS[name].every((file) => loaded.has(file))) answer(true);
  else loadAll([name]).then(() => answer(true), (error) => { console.error(error); answer(false); });
};
