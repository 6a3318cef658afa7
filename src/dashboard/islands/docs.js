// The API reference: filters it by words, and sends requests from it. Without this script the whole page
// is shown.

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

/** The key that the reader typed; it is forgotten with the page. */
let apiKey = "";

/** Creates an element with properties and children. */
function build(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function labelled(text, control) {
  return build(
    "div",
    { className: "field" },
    build("label", { htmlFor: control.id }, text),
    control,
  );
}

/** Returns the form that sends an operation's example, which the reader can change. */
function requestForm({ id, dataset: { method, path, body } }) {
  const off = { autocomplete: "off", spellcheck: false };
  const key = build("input", { id: `key-${id}`, type: "password", value: apiKey, ...off });
  const address = build("input", { id: `path-${id}`, value: path, ...off });
  const text = build("textarea", {
    id: `body-${id}`,
    className: "code",
    value: body,
    rows: 8,
    ...off,
  });
  const status = build("p", { role: "status", className: "hint" });
  const answer = build("pre", { hidden: true, tabIndex: 0 });
  const send = build("button", { className: "primary" }, "Send request");
  const form = build(
    "form",
    { className: "card try" },
    labelled("API key", key),
    labelled(`${method} path`, address),
    ...(body === undefined ? [] : [labelled("Body", text)]),
    send,
    status,
    answer,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    apiKey = key.value.trim();
    answer.hidden = true;
    const missing = /\{\w+\}/.exec(address.value)?.[0];
    if (missing !== undefined) {
      status.textContent = `Replace ${missing} in the path.`;
      return address.focus();
    }
    status.textContent = "Sending …";
    const headers = {
      ...(apiKey !== "" && { Authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    const sending = { method, headers, ...(body !== undefined && { body: text.value }) };
    // Only this service gets the key, whatever was typed.
    const { pathname, search } = new URL(address.value, location.origin);
    const response = await fetch(pathname + search, sending).catch(() => null);
    if (response === null) {
      status.textContent = "The service could not be reached.";
      return;
    }
    status.textContent = `HTTP ${response.status}`;
    answer.textContent = indented(await response.text());
    answer.hidden = answer.textContent === "";
  });
  return form;
}

/** Indents JSON; other text stays as it is. */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const article of document.querySelectorAll("article[data-path]")) {
  const start = build("button", { type: "button" }, "Try it");
  start.setAttribute("aria-label", `Try it: ${article.querySelector("h3").textContent}`);
  start.addEventListener("click", () => {
    const form = requestForm(article);
    start.replaceWith(form);
    form.querySelector("input").focus();
  });
  article.querySelector(".operation-code .copyable").after(start);
}
