// Starts the app; keeps it for use without a network; brings in a new version where that disturbs nobody.

const worker = navigator.serviceWorker;

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
  document.documentElement.dataset.update = "waiting";
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

// The app and its texts travel side by side. A wrong guess of the language costs a file, nothing else.
//
// Not in the page itself: what an old version is still delivering would keep a new one from taking over.
function fetchEarly() {
  let kept = null;
  try { kept = localStorage.getItem("fourfold.language"); } catch { /* Storage may be refused. */ }
  const spoken = (tag) => /^(uk|ru|en)\b/i.exec(tag ?? "")?.[1].toLowerCase();
  const language = spoken(kept) ?? navigator.languages.map(spoken).find(Boolean) ?? "en";
  for (const href of ["fourfold-app_bg.wasm", `texts/${language}.txt`]) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href });
    document.head.append(link);
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
  fetchEarly();
  const app = await import("./fourfold-app.js");
  await app.default();
  await app.start();
  // Where there is no service worker, as in a private window, the app works as long as the network does.
  if (worker) {
    const later = () => keepForOffline().catch(() => {});
    if (document.readyState === "complete") later();
    else addEventListener("load", later, { once: true });
  }
} catch (error) {
  fail(error);
}
