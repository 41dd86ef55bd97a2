// The style sheets of pages that are opened later; resolves when they hold.
export const addStyles = (...names) => Promise.all(names.filter((name) => !document.querySelector(`link[href="${name}"]`)).map((name) =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: name, onload: resolve, onerror: () => { link.remove(); reject(new Error(name)); } });
    document.head.append(link);
  })));

// The texts of a language, which the app carries none of. The page begins to fetch its own before the app is here.
export async function fetchTexts(code) {
  const answer = await fetch(`./texts/${code}.txt`);
  if (!answer.ok) throw new Error(`texts/${code}.txt: ${answer.status}`);
  return answer.text();
}
