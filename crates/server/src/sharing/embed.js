// Steps through a game without loading the page anew. Without it the links do the same.
const shown = () => document.querySelector("main");

async function go(link) {
  const answer = await fetch(link);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const step = document.activeElement?.dataset?.step;
  shown().replaceWith(page.querySelector("main"));
  document.title = page.title;
  if (step) shown().querySelector(`[data-step="${step}"]`)?.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  const link = step && shown().querySelector(`a[data-step="${step}"]`);
  if (!link || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(link.href);
});
