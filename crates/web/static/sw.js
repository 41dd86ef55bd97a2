// Keeps the whole app on the device and serves it from there. The bundler fills in version and files.

const CACHE = "fourfold-__VERSION__";
const FILES = [__FILES__];
const HOME = new URL("./", self.location).href;

self.addEventListener("install", (event) => {
  const ask = (file) => new Request(file, { cache: "no-cache" });
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(ask))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("fourfold-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

// A new version takes over only if a single window is open, and that one has just asked for it.
self.addEventListener("message", (event) => {
  if (event.data !== "use") return;
  event.waitUntil((async () => {
    // The page that was just reloaded may be counted beside its successor for a moment.
    for (let tries = 0; tries < 3; tries++) {
      const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      if (windows.length <= 1) return self.skipWaiting();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    event.ports[0]?.postMessage("others");
  })());
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const address = new URL(request.url);
  const inside = address.href.slice(HOME.length).split(/[?#]/)[0];
  const kept = await cache.match(new URL(inside || "index.html", HOME).href, { ignoreVary: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    // Without a network an address that is no file may still be a page of the app.
    if (request.mode === "navigate") return Response.redirect(`${HOME}#/${inside}`);
    throw error;
  }
}

// What a server says is never kept, and a stream must not end because this worker sleeps.
const live = (url) => /^(api|ws|health)\b/.test(url.slice(HOME.length));

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(HOME) && !live(url)) event.respondWith(answer(event.request));
});
