// Loads chunks of the program, each once; a chunk that could not be loaded may be asked for again.
import { initSync } from "./fourfold-app.js";

const loading = {};

async function instantiate(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  // Nothing is put into the program's memory until all of it is understood.
  await WebAssembly.instantiate(await answer.arrayBuffer(), { __wasm_split: initSync() });
}

function load(file) {
  return loading[file] ??= instantiate(file).catch((error) => { delete loading[file]; throw error; });
}

const loader = (files) => async (callback, data) => {
  const loaded = await Promise.all(files.map(load)).then(() => true, (error) => { console.error(error); return false; });
  initSync().__indirect_function_table.get(callback)(data, loaded);
};
