// Starts the app; keeps it for use without a network; brings in a new version where that disturbs no game.

const worker = navigator.serviceWorker;
const root = document.documentElement;

// Settings are kept by the app; storage may be refused.
function kept(name) {
  try { return localStorage.getItem(`fourfold.${name}`); } catch { return null; }
}

// The app guesses the same. A wrong guess of the language costs a file, nothing else.
function language() {
  const spoken = (tag) => /^(uk|ru|en)\b/i.exec(tag ?? "")?.[1].toLowerCase();
  return spoken(kept("language")) ?? navigator.languages.map(spoken).find(Boolean) ?? "en";
}

// A page in the dark theme is never bright first. Until a theme is chosen it follows the device.
const dark = matchMedia("(prefers-color-scheme: dark)");
function paint() {
  const chosen = kept("theme");
  root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : dark.matches ? "dark" : "light";
}
paint();
dark.addEventListener("change", paint);
try {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("fourfold.look-")) root.setAttribute(`data-${key.slice(9)}`, localStorage.getItem(key));
  }
} catch { /* Boards then look as usual until the app has started. */ }
document.getElementById("note").dataset.language = language();

// A version that waits is used now, before a game is on the screen, if no other window still runs the old one.
async function useWaitingVersion() {
  const registration = await worker?.getRegistration();
  if (!registration?.waiting || !worker.controller) return;
  // A version that is still delivering files does not give way, and may not for a long time.
  await new Promise((resolve) => {
    setTimeout(resolve, 1000);
    if (document.readyState === "complete") resolve();
    else addEventListener("load", resolve, { once: true });
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const changed = new Promise((resolve) => worker.addEventListener("controllerchange", () => resolve(true), { once: true }));
  const answers = new MessageChannel();
  const refused = new Promise((resolve) => { answers.port1.onmessage = () => resolve(false); });
  registration.waiting.postMessage("use", [answers.port2]);
  const late = new Promise((resolve) => setTimeout(resolve, 4000, false));
  if (await Promise.race([changed, refused, late])) {
    location.reload();
    await new Promise(() => {});
  }
}

// The app shows that a new version waits; it hears of it through an attribute and an event.
function announce() {
  root.dataset.update = "waiting";
  dispatchEvent(new Event("fourfold-update"));
}

async function keepForOffline() {
  const registration = await worker.register("/sw.js");
  const watch = (fresh) => fresh?.addEventListener("statechange", () => {
    if (fresh.state === "installed" && worker.controller) announce();
  });
  if (registration.waiting && worker.controller) announce();
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

// Addresses of earlier versions: #/learn/quixo, #/new/quixo?…, #/start/quixo?…, #/analyse?record=…
function leaveOldAddress() {
  const old = /^#\/+(.*)/s.exec(location.hash);
  if (!old) return;
  const path = old[1].replace(/^new\/([^/?]*)/, "$1").replace(/^start\/([^/?]*)/, "$1/start").replace(/^analyse\?/, "analyse#");
  history.replaceState(null, "", `/${path}`);
}

// The paths of pages and the files that each loads, filled in by the bundler.
const PAGES = [__PAGES__];
const SCRIPTS = ["fourfold-app.js", "scripts.js", "chunks.js"];

// They travel side by side with the script that will ask for them.
//
// Not in the page itself: what an old version is still delivering would keep a new one from taking over.
function fetchEarly() {
  const [, files] = PAGES.find(([path]) => new RegExp(path).test(location.pathname)) ?? PAGES[0];
  // The server says which game a table is of; without a server the table itself does, somewhat later.
  const inAddress = /^\/puzzles\b/.test(location.pathname)
    ? /[?&]game=([a-z]+)/.exec(location.search)?.[1] ?? "__FIRST_PUZZLES__"
    : /^\/(?:learn\/|online\/new\/)?([a-z]{2,})/.exec(location.pathname)?.[1];
  const game = document.querySelector("meta[name=game]")?.content ?? inAddress;
  const fetchOne = (file, kind) => {
    const href = new URL(file, import.meta.url);
    document.head.append(Object.assign(document.createElement("link"), { href, ...kind }));
  };
  // What the script imports is not known before the script is here.
  for (const script of SCRIPTS) fetchOne(script, { rel: "modulepreload" });
  const today = new Date();
  const month = String((today.getUTCFullYear() * 12 + today.getUTCMonth()) % __MONTHS__).padStart(2, "0");
  for (const file of files) {
    const name = file.replace("{language}", language()).replace("{month}", month);
    if (name.endsWith(".css")) fetchOne(name, { rel: "preload", as: "style" });
    else if (game || !name.includes("{game}")) fetchOne(name.replace("{game}", game), { rel: "preload", as: "fetch", crossOrigin: "anonymous" });
  }
}

// The browser would install the app; the page for settings offers that.
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  globalThis.installOffer = event;
  dispatchEvent(new Event("fourfold-install"));
});

// A record that was opened with the installed app.
globalThis.launchQueue?.setConsumer(async ({ files }) => {
  if (!files?.length) return;
  const text = await (await files[0].getFile()).text();
  location.assign(`/analyse#record=${encodeURIComponent(text)}`);
});

function fail(error) {
  const note = document.getElementById("note");
  if (!note) return;
  note.className = "broken";
  document.getElementById("problem").textContent = String(error?.message ?? error).slice(0, 200);
}

try {
  await useWaitingVersion().catch(() => {});
  leaveOldAddress();
  // The browser reports a change of the part after # as one of the address, and then the app looks at it.
  addEventListener("popstate", leaveOldAddress, { capture: true });
  fetchEarly();
  const program = await import("./fourfold-app.js");
  await program.default();
  await program.start();
  if (kept("known")) import("./notifications.js").catch(() => {});
  // Where there is no service worker, as in a private window, the app works as long as the network does.
  if (worker) {
    const later = () => keepForOffline().catch(() => {});
    if (document.readyState === "complete") later();
    else addEventListener("load", later, { once: true });
  }
} catch (error) {
  fail(error);
}
