// The texts of a language, which the app carries none of. The page begins to fetch its own before the app is here.
export async function fetchTexts(code) {
  const answer = await fetch(`./texts/${code}.txt`);
  if (!answer.ok) throw new Error(`texts/${code}.txt: ${answer.status}`);
  return answer.text();
}
