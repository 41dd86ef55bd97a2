// The connection to the server, and how a page may call its player back.

const address = (path) => new URL(path, location.origin);

// A WebSocket; `onMessage` gets each text, `ended` whether the line had ever been open.
export function openSocket(opened, onMessage, ended) {
  const url = address("ws");
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  let was = false, socket;
  try { socket = new WebSocket(url); } catch { setTimeout(() => ended(false), 0); return { send() {}, close() {} }; }
  socket.onopen = () => { was = true; opened(); };
  socket.onmessage = (event) => onMessage(event.data);
  socket.onclose = () => ended(was);
  return {
    send: (text) => { if (socket.readyState === 1) socket.send(text); },
    // A closed connection calls nothing any more.
    close: () => { socket.onopen = socket.onmessage = socket.onclose = null; socket.close(); },
  };
}

// Server-sent events, where WebSockets are blocked.
export function openEvents(path, opened, onMessage, ended) {
  const source = new EventSource(address(path));
  let was = false;
  source.onopen = () => { was = true; opened(); };
  source.onmessage = (event) => onMessage(event.data);
  source.onerror = () => { source.close(); ended(was); };
  return { send() {}, close: () => { source.onopen = source.onmessage = source.onerror = null; source.close(); } };
}

// Asks the server for something: its status and text. Fails only if there is no answer at all.
export async function request(method, path, body) {
  const given = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
  const answer = await fetch(address(path), { method, credentials: "same-origin", cache: "no-store", ...given });
  return [answer.status, await answer.text()];
}

// Calls back when the network or the person is back, and when the network goes.
export function watchNetwork(changed) {
  const back = () => changed(navigator.onLine), seen = () => { if (!document.hidden) changed(true); };
  addEventListener("online", back);
  addEventListener("offline", back);
  document.addEventListener("visibilitychange", seen);
  return () => {
    removeEventListener("online", back);
    removeEventListener("offline", back);
    document.removeEventListener("visibilitychange", seen);
  };
}

// Whether notifications may be shown: "granted", "denied", "default", or "" where there are none.
export const mayNotify = () => globalThis.Notification?.permission ?? "";
export const askToNotify = async () => (await globalThis.Notification?.requestPermission()) ?? "";

// The sign on the icon of the installed app.
export const markApp = (on) => { (on ? navigator.setAppBadge?.() : navigator.clearAppBadge?.())?.catch(() => {}); };

// Shows a notification while the page is not in front.
export function notify(title, text) {
  if (!document.hidden || mayNotify() !== "granted") return;
  try {
    const shown = new Notification(title, { body: text, icon: "/icons/fourfold-256.png", tag: location.pathname });
    shown.onclick = () => { focus(); shown.close(); };
  } catch { /* Phones want them from a service worker; the title and the sound are left. */ }
}
