// Keyboard: the palette (Ctrl K or /), `g` and a letter for the sections, ? for help, Ctrl Enter to send.

const sections = [...document.querySelectorAll("a[data-key]")];

/** Tells whether the reader's key has a scope; sessions of earlier versions do not say. */
const scopes = document.querySelector(".side")?.dataset.scopes?.split(" ");
const may = (scope) => scopes === undefined || scopes.includes(scope);

/** What the palette offers before anything is typed, and by its name. */
const ACTIONS = [
  ...sections.map((link) => ({
    label: `Go to ${link.firstChild.textContent.trim()}`,
    href: link.getAttribute("href"),
    hint: `g ${link.dataset.key}`,
  })),
  ...[
    { label: "Start execution", href: "/dashboard/executions/new", scope: "executions:write" },
    { label: "Create workflow", href: "/dashboard/workflows/new", scope: "workflows:write" },
    { label: "Create endpoint", href: "/dashboard/webhooks/new", scope: "webhooks:write" },
    { label: "Create schedule", href: "/dashboard/schedules/new", scope: "workflows:write" },
    { label: "Create connection", href: "/dashboard/connections/new", scope: "keys:admin" },
  ].flatMap(({ scope, ...action }) => (may(scope) ? [{ ...action, hint: "" }] : [])),
  { label: "API reference", href: "/docs", hint: "" },
];

const KEYS = [
  ["Ctrl K or /", "Search"],
  ...sections.map((link) => [`g ${link.dataset.key}`, link.firstChild.textContent.trim()]),
  ["Ctrl Enter", "Send the form"],
  ["?", "This list"],
];

/** Creates an element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const input = make("input", {
  type: "search",
  role: "combobox",
  "aria-label": "Search executions, requests, workflows and endpoints",
  "aria-expanded": "true",
  "aria-controls": "palette-list",
  "aria-autocomplete": "list",
  placeholder: "Search, or go to …",
  autocomplete: "off",
  spellcheck: "false",
});
const list = make("ul", { id: "palette-list", role: "listbox", "aria-label": "Results" });
const status = make("p", { class: "hint", role: "status" });
const palette = make("dialog", { class: "palette", "aria-label": "Search" }, input, list, status);
const help = make(
  "dialog",
  { class: "popover", "aria-label": "Keyboard shortcuts" },
  make("h2", {}, "Keyboard shortcuts"),
  make(
    "dl",
    { class: "facts" },
    ...KEYS.flatMap(([keys, what]) => [
      make("dt", {}, make("kbd", {}, keys)),
      make("dd", {}, what),
    ]),
  ),
);

let found = [];
let at = 0;
let asked = 0;

function show(items) {
  found = items;
  at = 0;
  list.replaceChildren(
    ...items.map(({ label, hint }, index) => {
      const option = make(
        "li",
        { role: "option", id: `option-${index}` },
        make("span", {}, label),
        make("span", { class: "muted" }, hint),
      );
      option.addEventListener("click", () => go(index));
      return option;
    }),
  );
  mark();
}

function mark() {
  for (const [index, option] of [...list.children].entries()) {
    option.setAttribute("aria-selected", String(index === at));
    if (index === at) option.scrollIntoView({ block: "nearest" });
  }
  if (found.length > 0) input.setAttribute("aria-activedescendant", `option-${at}`);
  else input.removeAttribute("aria-activedescendant");
}

function go(index) {
  if (found[index] !== undefined) location.href = found[index].href;
}

function matching(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ACTIONS.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

async function search() {
  const text = input.value.trim();
  asked += 1;
  const mine = asked;
  show(matching(text));
  status.textContent = "";
  if (text.length < 2) return;
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (mine !== asked) return;
  status.textContent = "Searching …";
  const path = `/dashboard/search?q=${encodeURIComponent(text)}`;
  const response = await fetch(path).catch(() => null);
  if (mine !== asked) return;
  if (!response?.ok) {
    status.textContent = "The search failed. Try again in a moment.";
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const links = [...page.querySelectorAll("#results a[data-found]")].map((link) => ({
    label: link.textContent.trim(),
    href: link.getAttribute("href"),
    hint: link.dataset.found,
  }));
  show([...links, ...matching(text)]);
  status.textContent = links.length === 0 ? "Nothing found." : `${links.length} found.`;
}

input.addEventListener("input", search);
palette.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    at = (at + step + found.length) % Math.max(1, found.length);
    mark();
  } else if (event.key === "Enter") {
    event.preventDefault();
    go(at);
  }
});
// A click beside the palette closes it.
for (const dialog of [palette, help]) {
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
}

function openPalette() {
  input.value = "";
  status.textContent = "";
  show(matching(""));
  document.body.append(palette);
  palette.showModal();
  input.focus();
}

for (const link of document.querySelectorAll("[data-palette]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    openPalette();
  });
}

let isGoing = false;
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const isTyping = target.closest?.("input, textarea, select, [contenteditable]") !== null;
  if ((event.ctrlKey || event.metaKey) && key === "Enter" && target.form) {
    event.preventDefault();
    target.form.requestSubmit();
  } else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "k") {
    event.preventDefault();
    if (sections.length > 0 && !palette.open) openPalette();
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey || sections.length === 0) {
    isGoing = false;
  } else if (isGoing) {
    isGoing = false;
    const link = sections.find(({ dataset }) => dataset.key === key);
    if (link !== undefined) location.href = link.href;
  } else if (key === "g") {
    isGoing = true;
    setTimeout(() => {
      isGoing = false;
    }, 1_500);
  } else if (key === "/") {
    event.preventDefault();
    openPalette();
  } else if (key === "?") {
    document.body.append(help);
    help.showModal();
  }
});
