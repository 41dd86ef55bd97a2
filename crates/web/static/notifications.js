// What follows a person whom the server knows: challenges on every page, and with an account the settings of all devices.

const root = document.documentElement;
const read = (name) => { try { return localStorage.getItem(`fourfold.${name}`); } catch { return null; } };

// Challenges. One window of the browser listens for all of them.
const windows = new BroadcastChannel("fourfold-challenges");
let count = 0;

function show(now) {
  count = now;
  if (count) root.dataset.challenges = count;
  else delete root.dataset.challenges;
  dispatchEvent(new Event("fourfold-challenges"));
}

windows.onmessage = ({ data }) => {
  if (data !== "?") show(data);
  else if (source) windows.postMessage(count);
};

let source = null;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const listen = () => new Promise((ended) => {
  source = new EventSource("/api/me/events");
  source.onmessage = ({ data }) => {
    show(JSON.parse(data).challenges);
    windows.postMessage(count);
  };
  // The browser itself opens a broken stream again; one that was refused is asked for later.
  source.onerror = () => {
    if (source.readyState === 2) pause(60_000).then(ended);
  };
});

async function follow() {
  for (;;) {
    if (navigator.locks) await navigator.locks.request("fourfold-challenges", listen);
    else await listen();
  }
}

// Settings: of two choices the later one counts, here and on the server.
const AT = "fourfold.at.";

async function exchange() {
  if (read("known") !== "account") return;
  const names = Object.keys(localStorage).filter((key) => key.startsWith(AT)).map((key) => key.slice(AT.length));
  const settings = names.map((name) => ({ name, value: read(name) ?? "", at: Math.floor(read(`at.${name}`)) }));
  const body = JSON.stringify({ version: 1, settings });
  const answer = await fetch("/api/me/settings", { method: "PUT", body, headers: { "content-type": "application/json" } });
  if (!answer.ok) return;
  let changed = false;
  for (const { name, value, at } of (await answer.json()).settings) {
    if (at <= Number(read(`at.${name}`) ?? 0)) continue;
    changed ||= read(name) !== value;
    localStorage.setItem(`fourfold.${name}`, value);
    localStorage.setItem(AT + name, at);
  }
  if (changed) dispatchEvent(new Event("fourfold-settings"));
}

// Without a network or storage everything stays as it is here.
const settle = () => exchange().catch(() => {});
let later = 0;
addEventListener("fourfold-choice", () => { clearTimeout(later); later = setTimeout(settle, 800); });
addEventListener("fourfold-known", settle);
document.addEventListener("visibilitychange", () => { if (!document.hidden) settle(); });

windows.postMessage("?");
follow();
settle();
