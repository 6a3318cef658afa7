// The guides: full-text search, and buttons that copy code. Without this script, both are missing.
// The build defines SEARCH_OPTIONS.
import MiniSearch from "minisearch";

const MAX_RESULTS = 12;
const { index: indexUrl } = document.currentScript.dataset;
const place = document.getElementById("search");
const input = document.getElementById("query");
const results = document.getElementById("results");
const found = document.getElementById("found");

let loading;

/** Loads the index at the first search. */
function loadIndex() {
  loading ??= fetch(indexUrl).then(async (response) =>
    MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS),
  );
  return loading;
}

async function search() {
  const index = await loadIndex();
  const words = input.value.trim();
  const hits = index.search(words, {
    prefix: true,
    fuzzy: 0.15,
    combineWith: "AND",
    boost: { heading: 3, title: 2 },
  });
  results.replaceChildren(...hits.slice(0, MAX_RESULTS).map(resultOf));
  results.hidden = hits.length === 0;
  found.textContent = words === "" ? "" : `${hits.length} found`;
  found.classList.toggle("visually-hidden", words === "" || hits.length > 0);
}

function resultOf({ id, title, heading }) {
  const link = document.createElement("a");
  link.href = id;
  link.append(heading);
  if (heading !== title) {
    const page = document.createElement("span");
    page.append(title);
    link.append(page);
  }
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function close() {
  input.value = "";
  results.hidden = true;
  found.textContent = "";
  found.classList.add("visually-hidden");
}

place.hidden = false;
// Beside the text, the contents scroll by themselves; above it, this would move the page.
if (matchMedia("(min-width: 56.01rem)").matches)
  document.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest" });
input.addEventListener("input", search);
place.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [input, ...results.querySelectorAll("a")];
  const step = event.key === "ArrowDown" ? 1 : -1;
  event.preventDefault();
  stops[stops.indexOf(document.activeElement) + step]?.focus();
});
input.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
});
results.addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea")) return;
  event.preventDefault();
  input.focus();
});

// The language that the reader has chosen for one call is shown for all, on the next pages too.
const LANGUAGE = "language";
function show(language) {
  for (const part of document.querySelectorAll(`.choice [data-language="${language}"]`))
    part.open = true;
}
show(localStorage.getItem(LANGUAGE));
for (const summary of document.querySelectorAll(".choice summary")) {
  summary.addEventListener("click", ({ currentTarget: { parentElement: chosen } }) => {
    localStorage.setItem(LANGUAGE, chosen.dataset.language);
    // The click itself opens its own part, and would close it again.
    setTimeout(() => show(chosen.dataset.language));
  });
}

for (const code of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.append("Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.querySelector("code").textContent);
    button.textContent = "Copied";
  });
  code.append(button);
}
