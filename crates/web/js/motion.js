// Moves pictures between places of the page. Only looks change here, never the game.

// The chosen speed; a worker has no document.
const speed = () => document.documentElement.dataset.speed;
const still = () => speed() === "still" || matchMedia("(prefers-reduced-motion: reduce)").matches;
// The chosen speed of animation, as a factor of every duration.
const paced = (time) => time * ({ slow: 1.7, fast: 0.5 }[speed()] ?? 1);
const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();

// Calls back once an element is about to be seen; several of them one after the other, with time to breathe in between.
let waiting = Promise.resolve();
export function whenSeen(id, seen) {
  const element = document.getElementById(id);
  if (!element) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    waiting = waiting.then(() => new Promise((resolve) => setTimeout(() => { seen(); resolve(); }, 30)));
  }, { rootMargin: "200px" });
  observer.observe(element);
}

// Scrolls to an element, gently unless motion is unwanted.
export function showElement(id) {
  document.getElementById(id)?.scrollIntoView({ behavior: still() ? "auto" : "smooth" });
}

// Pushes a row that is longer than the screen so that an element of it is seen.
export function showWay(id) {
  const element = document.getElementById(id), row = element?.parentElement;
  if (row) row.scrollLeft = element.offsetLeft + element.offsetWidth / 2 - row.clientWidth / 2;
}

// Lets the picture that already lies at `to` come from where `from` is.
export function arrive(from, to, delay, duration) {
  const target = document.querySelector(to);
  const picture = target?.querySelector(":scope > .piece, :scope > .face") ?? target;
  if (!picture) return;
  const a = box(from), b = target.getBoundingClientRect();
  if (still() || !a) {
    picture.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
    return;
  }
  const dx = a.left + a.width / 2 - b.left - b.width / 2, dy = a.top + a.height / 2 - b.top - b.height / 2;
  const scale = Math.max(0.4, Math.min(2.5, Math.min(a.width, a.height) / Math.max(b.width, 1)));
  target.style.zIndex = 6;
  const run = picture.animate(
    [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }],
    { duration: paced(duration), delay: paced(delay), easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" });
  run.onfinish = run.oncancel = () => { target.style.zIndex = ""; };
}

// Turns the picture at `at` over: what lay there before is seen until it stands on its edge.
export function turnOver(at, before, delay, duration) {
  const picture = document.querySelector(at)?.querySelector(":scope > .piece, :scope > .face");
  if (!picture || still()) return;
  const half = paced(duration) / 2, start = paced(delay);
  const ghost = fly(picture.getBoundingClientRect(), before);
  const run = ghost.animate([{ transform: "none" }, { transform: "scaleX(0)" }], { duration: half, delay: start, easing: "ease-in", fill: "both" });
  run.onfinish = run.oncancel = () => ghost.remove();
  picture.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: half, delay: start + half, easing: "ease-out", fill: "backwards" });
}

// Puts a picture over the page, where this box is.
function fly(a, markup) {
  const ghost = document.createElement("div");
  ghost.className = "flying";
  ghost.innerHTML = markup;
  Object.assign(ghost.style, { left: `${a.left}px`, top: `${a.top}px`, width: `${a.width}px`, height: `${a.height}px` });
  document.body.append(ghost);
  return ghost;
}

// Lets a picture that no longer lies at `from` leave towards `to`, or fade where there is no such place.
export function leave(from, to, markup, delay, duration) {
  const a = box(from), b = box(to);
  if (!a) return;
  const ghost = fly(a, markup);
  const away = b && !still()
    ? `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px) scale(.6)`
    : "none";
  const run = ghost.animate([{ transform: "none", opacity: 1 }, { transform: away, opacity: 0.1 }], { duration: paced(duration) * 1.4, delay: paced(delay), easing: "ease-in", fill: "both" });
  run.onfinish = run.oncancel = () => ghost.remove();
}

// A list that has a frame of its own shows its end.
export const scrollToEnd = (selector) => requestAnimationFrame(() => {
  const list = document.querySelector(selector);
  if (list) list.scrollTop = list.scrollHeight;
});

export const focus = (selector) => document.querySelector(selector)?.focus();

// The callbacks that follow drags.
const listeners = [];
const report = (...drag) => listeners.forEach((listener) => listener(...drag));

// Reports drags between elements that carry data-spot. A picture follows the finger.
export function watchDrags(listener) {
  if (listeners.push(listener) > 1) return;
  let held = null;
  addEventListener("pointerdown", (event) => {
    const source = event.target.closest?.("[data-drag]");
    const board = source?.closest("[data-match]");
    if (!board || event.button > 0 || !source.querySelector(".piece, .face")?.firstElementChild) return;
    held = { source, board, x: event.clientX, y: event.clientY, ghost: null, id: event.pointerId };
  });
  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.ghost) {
      if (Math.hypot(dx, dy) < 10) return;
      const picture = held.source.querySelector(".piece, .face") ?? held.source;
      const from = picture.getBoundingClientRect();
      held.ghost = picture.cloneNode(true);
      held.ghost.className = "flying";
      Object.assign(held.ghost.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
      document.body.append(held.ghost);
      document.body.classList.add("dragging");
      report(held.board.dataset.match, held.source.dataset.drag, "");
    }
    held.ghost.style.transform = `translate(${dx}px, ${dy}px) scale(1.05)`;
  });
  const drop = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { ghost, source, board } = held;
    held = null;
    if (!ghost) return;
    ghost.remove();
    document.body.classList.remove("dragging");
    const target = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-spot]") : null;
    // The click that a browser may send after a drag must not count as another touch.
    const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 60);
    if (target && target !== source && board.contains(target)) report(board.dataset.match, source.dataset.drag, target.dataset.spot);
  };
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}

// A board whose squares are too small for a finger: two fingers spread it, a touch enlarges it around the square, and
// the frame is then pushed along. Zoom 1 shows the whole board.
const FINGER = 44;
let pinch = null;
const zoomOf = (frame) => Number(frame.style.getPropertyValue("--zoom")) || 1;
const squareOf = (frame) => frame.querySelector(".cell").getBoundingClientRect().width;
const apart = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

function zoom(frame, wanted, x, y) {
  const before = zoomOf(frame), most = Math.max(1, (1.4 * FINGER * before) / squareOf(frame));
  const after = Math.max(1, Math.min(most, wanted));
  const { left, top } = frame.getBoundingClientRect();
  const across = frame.scrollLeft + x - left, down = frame.scrollTop + y - top;
  frame.style.setProperty("--zoom", after);
  frame.classList.toggle("zoomed", after > 1);
  frame.scrollLeft = (across * after) / before - (x - left);
  frame.scrollTop = (down * after) / before - (y - top);
}

export function watchZoom() {
  if (pinch) return;
  pinch = {};
  addEventListener("touchstart", (event) => {
    const frame = event.touches.length === 2 && event.target.closest?.(".table .frame");
    pinch = frame ? { frame, zoom: zoomOf(frame), apart: apart(event.touches) } : {};
  }, { passive: true });
  addEventListener("touchmove", (event) => {
    if (!pinch.frame || event.touches.length !== 2) return;
    event.preventDefault();
    const [a, b] = event.touches;
    zoom(pinch.frame, (pinch.zoom * apart([a, b])) / pinch.apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
  }, { passive: false });
  addEventListener("click", (event) => {
    const frame = event.pointerType === "touch" && event.target.closest?.(".table .frame");
    if (!frame || zoomOf(frame) > 1 || squareOf(frame) >= 24 || !event.target.closest(".cell")) return;
    event.stopPropagation();
    zoom(frame, FINGER / squareOf(frame), event.clientX, event.clientY);
  }, { capture: true });
}

// Enlarges the board around its middle, or shows the whole of it again.
export function toggleZoom() {
  const frame = document.querySelector(".table .frame"), { left, top, width, height } = frame.getBoundingClientRect();
  zoom(frame, zoomOf(frame) > 1 ? 1 : FINGER / squareOf(frame), left + width / 2, top + height / 2);
}
