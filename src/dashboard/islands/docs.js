// Filters the API reference by words. Without this script the whole page is shown.

const SHOWN = "[data-filter]:not([hidden])";
const field = document.getElementById("filter");
const input = document.getElementById("filter-text");
const count = document.getElementById("filter-count");
const contents = document.querySelector("details.contents");
const items = [...document.querySelectorAll("[data-filter]")].map((element) => ({
  element,
  text: element.dataset.filter.toLowerCase(),
  isSection: element.tagName === "ARTICLE",
}));
const groups = document.querySelectorAll("main > section, [data-group]");

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { element, text, isSection } of items) {
    element.hidden = !words.every((word) => text.includes(word));
    if (isSection && !element.hidden) found += 1;
  }
  for (const group of groups) {
    group.hidden = words.length > 0 && group.querySelector(SHOWN) === null;
  }
  count.textContent = words.length === 0 ? "" : `${found} found`;
}

field.hidden = false;
input.addEventListener("input", filter);
// A reader who follows a link wants to see its surroundings.
window.addEventListener("hashchange", () => {
  input.value = "";
  filter();
  contents.open = false;
  document.querySelector(":target")?.scrollIntoView();
});
