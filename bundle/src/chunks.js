// Loads chunks of the program, each once; a chunk that could not be loaded may be asked for again.
import { initSync } from "./fourfold-app.js";

// Files, and the sizes of the modules in each.
const SIZES = { __SIZES__ };
const loading = {};

async function instantiate(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  let end = 0;
  const modules = SIZES[file].map((size) => WebAssembly.compile(bytes.slice(end, end += size)));
  // Nothing is put into the program's memory until all of it is understood.
  for (const module of await Promise.all(modules)) await WebAssembly.instantiate(module, { __wasm_split: initSync() });
}

function load(file) {
  return loading[file] ??= instantiate(file).catch((error) => { delete loading[file]; throw error; });
}

const loader = (files) => async (callback, data) => {
  const loaded = await Promise.all(files.map(load)).then(() => true, (error) => { console.error(error); return false; });
  initSync().__indirect_function_table.get(callback)(data, loaded);
};
