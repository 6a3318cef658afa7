// JSON, as a part of `page.js`: a click copies a path or a value, and the words in the search field of long
// JSON are marked, of which Enter shows the next and Shift Enter the previous.

/** Returns where a field of shown JSON is, such as `order.items[0].id`. */
function pathTo(name) {
  const outer = name.closest("dl").closest("details");
  const parent = outer.parentElement.closest("details.json > dl > div")?.querySelector("dt");
  const path = parent ? pathTo(parent) : "";
  if (outer.querySelector("summary").textContent.startsWith("[")) {
    return `${path}[${name.textContent}]`;
  }
  return path === "" ? name.textContent : `${path}.${name.textContent}`;
}

const FIELD = "details.json dt, details.json code.json";
document.addEventListener("pointerover", ({ target }) => {
  const field = target.closest(FIELD);
  if (field !== null) field.title = field.matches("dt") ? "Copy path" : "Copy value";
});

document.addEventListener("click", ({ target }) => {
  const field = target.closest(FIELD);
  if (field?.matches("dt")) copy(() => pathTo(field), field);
  else if (field) copy(() => String(JSON.parse(field.textContent)), field);
});

/** Marks the hits of a search, and shows the one that is `by` after the shown one. */
function showHit(search, by) {
  const view = search.closest(".json-long");
  const words = search.value.trim().toLowerCase();
  const all = [...view.querySelectorAll(FIELD)];
  const isHit = (field) => words !== "" && field.textContent.toLowerCase().includes(words);
  const hits = all.filter(isHit);
  const at = hits.findIndex(({ ariaCurrent }) => ariaCurrent === "true");
  const shown = at < 0 ? 0 : (at + by + hits.length) % hits.length;
  for (const field of all) {
    field.classList.toggle("hit", isHit(field));
    field.ariaCurrent = field === hits[shown] ? "true" : null;
  }
  for (const details of view.querySelectorAll("details"))
    details.open ||= details.contains(hits[shown]);
  hits[shown]?.scrollIntoView({ block: "nearest" });
  const count = hits.length === 0 ? "No hits" : `${shown + 1} of ${hits.length}`;
  view.querySelector("output").textContent = words === "" ? "" : count;
}

const SEARCH = ".json-tools [type=search]";
document.addEventListener("input", ({ target }) => {
  if (target.matches(SEARCH)) showHit(target, 0);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(SEARCH)) return;
  event.preventDefault();
  showHit(event.target, event.shiftKey ? -1 : 1);
});
