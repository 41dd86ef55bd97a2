// Keeps the whole app on the device and serves it from there. The bundler fills in version, files and pages.

const CACHE = "fourfold-__BUILD__";
const FILES = [__FILES__];
const PAGES = [__PAGES__].map((path) => new RegExp(path));

// Puzzles are many: of those only the days ahead are kept for everybody, the others once they were asked for.
const PUZZLES = "/__BUILD__/puzzles/";

// The files with the puzzles of the next thirty days; the list begins anew after so many months.
function monthsAhead() {
  const files = (days) => {
    const date = new Date(Date.now() + days * 86400000);
    const month = (date.getUTCFullYear() * 12 + date.getUTCMonth()) % __MONTHS__;
    return [__PUZZLE_GAMES__].map((game) => `${PUZZLES}month-${String(month).padStart(2, "0")}-${game}.txt`);
  };
  return [...new Set([0, 15, 30].flatMap(files))];
}

self.addEventListener("install", (event) => {
  const ask = (file) => new Request(file, { cache: "no-cache" });
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...FILES, ...monthsAhead()].map(ask))));
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

// Every page of the app is the same file; the app reads the address itself.
async function answer(request, path) {
  const cache = await caches.open(CACHE);
  const file = (name) => cache.match(name, { ignoreVary: true });
  const kept = PAGES.some((page) => page.test(path)) ? await file("/index.html") : await file(path);
  if (kept) return kept;
  try {
    const answer = await fetch(request);
    // The page on which a network asks for a password comes in the place of any file.
    const isText = answer.headers.get("content-type")?.startsWith("text/plain");
    if (answer.ok && isText && path.startsWith(PUZZLES)) await cache.put(path, answer.clone());
    return answer;
  } catch (error) {
    if (request.mode !== "navigate") throw error;
    const page = await file("/index.html");
    return page ? new Response(page.body, { status: 404, headers: page.headers }) : Response.error();
  }
}

// What a server says is never kept, and a stream must not end because this worker sleeps.
const isLive = (path) => /^\/(api|ws|health)\b/.test(path);

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method === "GET" && origin === self.location.origin && !isLive(pathname)) event.respondWith(answer(event.request, pathname));
});
