// What the app loads besides itself: files of its own build, and whether there is a server.

// A file of this build, in whose folder everything belongs to the same version. The engine's worker has no document.
const here = (file) => new URL(file, document.getElementById("boot").src);

async function text(file) {
  const answer = await fetch(here(file));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer.text();
}

export { text as fetchFile };

// Chunks of the program, by their names; the bundler's script knows their files.
export const loadCode = (names) => import(here("chunks.js")).then(({ loadAll }) => loadAll(names.split(" ")));

export const fileAddress = (file) => here(file).href;

// Settings that were chosen are for all devices of an account; what listens for that is loaded once the person has one.
export const reportChoice = () => dispatchEvent(new Event("fourfold-choice"));

// Whom the server knows is told of challenges on every page. Loaded once.
export const followNotifications = () => import(here("notifications.js")).then(() => dispatchEvent(new Event("fourfold-known")), () => {});

// Installs the app, where the browser has offered that; an offer can be used once.
export const canInstall = () => Boolean(globalThis.installOffer);
export function install() {
  globalThis.installOffer?.prompt();
  globalThis.installOffer = undefined;
}

// A style sheet, once.
const styles = {};
export function loadStyle(file) {
  return styles[file] ??= new Promise((resolve, reject) => {
    const failed = () => { delete styles[file]; link.remove(); reject(new Error(file)); };
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: here(file), onload: resolve, onerror: failed });
    document.head.append(link);
  });
}

// The engine in its worker.
export const startEngine = () => new Worker(here("engine.js"), { type: "module" });

// Whether there is a server behind the page that seats people with others; one that only has files does not say “ok”.
export async function hasServer() {
  try {
    const answer = await fetch("/health");
    return answer.ok && (await answer.text()).trim() === "ok";
  } catch {
    return false;
  }
}

// Once the service worker keeps what is fetched, for use without a network.
export async function whenKept() {
  const workers = navigator.serviceWorker;
  await workers?.ready;
  if (workers && !workers.controller) await new Promise((resolve) => workers.addEventListener("controllerchange", resolve, { once: true }));
}

// Calls back once the page stands still; never where the visitor wants no motion or saves bytes.
export function whenIdle(act) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData) return;
  if (document.documentElement.dataset.speed === "still") return;
  const rest = () => (globalThis.requestIdleCallback ?? ((later) => setTimeout(later, 300)))(act);
  if (document.readyState === "complete") setTimeout(rest, 2500);
  else addEventListener("load", () => setTimeout(rest, 2500), { once: true });
}
