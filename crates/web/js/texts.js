// Whether there is a server behind the page that seats people with others; one that only has files does not say “ok”.
export async function hasServer() {
  try {
    const answer = await fetch("./health");
    return answer.ok && (await answer.text()).trim() === "ok";
  } catch {
    return false;
  }
}

// The texts of a language, which the app carries none of. The page begins to fetch its own before the app is here.
export async function fetchTexts(code) {
  const answer = await fetch(`./texts/${code}.txt`);
  if (!answer.ok) throw new Error(`texts/${code}.txt: ${answer.status}`);
  return answer.text();
}
