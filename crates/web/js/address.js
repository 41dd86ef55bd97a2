// Follows links inside the app without loading the page anew.

let changed = () => {};

// `report` hears of every change of the address; `isPage` says whether an address is the app's.
export function watchAddress(report, isPage) {
  changed = () => report();
  addEventListener("popstate", changed);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const elsewhere = event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || elsewhere || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!isPage(link.pathname + link.search + link.hash)) return;
    event.preventDefault();
    go(link.href, false);
  });
}

// Goes to an address, in place of the current one if asked.
export function go(address, instead) {
  history[instead ? "replaceState" : "pushState"](null, "", address);
  changed();
}
