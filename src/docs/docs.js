// Narrows the API reference to what holds all words of the filter. Without it the page is whole.

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

function narrow() {
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
input.addEventListener("input", narrow);
// Who follows a link wants to see all that is around it.
window.addEventListener("hashchange", () => {
  input.value = "";
  narrow();
  contents.open = false;
  document.querySelector(":target")?.scrollIntoView();
});
