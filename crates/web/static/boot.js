// Starts the app; keeps it for use without a network; brings in a new version where that disturbs nobody.

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

// Whoever likes it dark does not see a bright page first.
root.dataset.theme = kept("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
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
  const registration = await worker.register("sw.js");
  const watch = (fresh) => fresh?.addEventListener("statechange", () => {
    if (fresh.state === "installed" && worker.controller) announce();
  });
  if (registration.waiting && worker.controller) announce();
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

// The app is several programs, so that whoever comes to play need not wait for the others. They take turns in the page.
const PROGRAMS = {
  app: { texts: [""], styles: [] },
  learn: { texts: ["", "-study"], styles: ["learn.css"] },
  lobby: { texts: ["", "-online"], styles: ["online.css"] },
  online: { texts: ["", "-online"], styles: ["online.css"] },
  study: { texts: ["", "-study"], styles: ["analyse.css"] },
};
const ELSEWHERE = { learn: "learn", analyse: "study", t: "online", online: "lobby", mine: "lobby", person: "lobby", account: "lobby" };
const wanted = () => ELSEWHERE[location.hash.replace(/^#?\/*/, "").split(/[/?]/)[0]] ?? "app";
let shown = null, running = null;

function head(link) {
  // Some programs share a sheet.
  if (link.rel === "stylesheet" && document.querySelector(`link[rel=stylesheet][href="${link.href}"]`)) return;
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("link"), link, { onload: resolve, onerror: () => { element.remove(); reject(new Error(link.href)); } });
    document.head.append(element);
  });
}

// A program and its texts travel side by side.
//
// Not in the page itself: what an old version is still delivering would keep a new one from taking over.
function fetchEarly(name) {
  const files = PROGRAMS[name].texts.map((part) => `texts/${language()}${part}.txt`);
  for (const href of [`fourfold-${name}_bg.wasm`, ...files]) head({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href }).catch(() => {});
}

const loaded = {};
async function load(name) {
  fetchEarly(name);
  const styles = PROGRAMS[name].styles.map((href) => head({ rel: "stylesheet", href }));
  const program = await import(`./fourfold-${name}.js`);
  await Promise.all([program.default(), ...styles]);
  return program;
}

// Shows what the address asks for. Until another program is here, the page stays as it is.
async function follow() {
  const name = wanted();
  if (name === shown) {
    delete root.dataset.loading;
    dispatchEvent(new Event("fourfold-page"));
    return;
  }
  root.dataset.loading = name;
  try {
    const program = await (loaded[name] ??= load(name));
    await program.prepare();
    // Somebody may have gone elsewhere meanwhile, or have come this way twice.
    if (wanted() !== name || name === shown) return;
    running?.stop();
    program.start();
    if (running) scrollTo(0, 0);
    [running, shown] = [program, name];
  } catch (error) {
    delete loaded[name];
    if (!running) throw error;
    if (wanted() === name) dispatchEvent(new Event("fourfold-missing"));
  } finally {
    if (root.dataset.loading === name) delete root.dataset.loading;
  }
}

function fail(error) {
  const note = document.getElementById("note");
  if (!note) return;
  note.className = "broken";
  document.getElementById("problem").textContent = String(error?.message ?? error).slice(0, 200);
}

try {
  await useWaitingVersion().catch(() => {});
  addEventListener("hashchange", () => follow().catch(fail));
  await follow();
  // Where there is no service worker, as in a private window, the app works as long as the network does.
  if (worker) {
    const later = () => keepForOffline().catch(() => {});
    if (document.readyState === "complete") later();
    else addEventListener("load", later, { once: true });
  }
} catch (error) {
  fail(error);
}
