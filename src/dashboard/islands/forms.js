// Forms, as a part of `page.js`: times and schedules in the zone of the browser, rows that are added and removed
// where they are, filters, and a preview of what is typed.

/** Controls for times that the server reads as UTC, by their labels. */
const momentsInUtc = [...document.querySelectorAll('input[type="datetime-local"]')].filter(
  ({ labels }) => labels[0]?.textContent.endsWith("(UTC)"),
);
// The reader types them in the local time zone; they are sent in UTC.
for (const field of momentsInUtc) {
  for (const label of [...field.labels, ...document.querySelectorAll(`[href="#${field.id}"]`)]) {
    label.textContent = label.textContent.replace("(UTC)", `(${zone})`);
  }
  const at = new Date(`${field.defaultValue}Z`);
  if (Number.isNaN(at.getTime())) continue;
  field.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

// Schedules are typed in the reader's time zone unless they name another one.
for (const field of document.querySelectorAll("input[data-zone-of-browser]")) {
  if (field.value === "") field.value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Shows what a form stands for while it is typed. */
const preview = document.getElementById("preview");
let previewed = 0;
async function showPreview() {
  previewed += 1;
  const asked = previewed;
  const typed = [...new FormData(preview.closest("form"))].filter(([, value]) => value !== "");
  const path = `${preview.dataset.preview}?${new URLSearchParams(typed)}`;
  const response = await fetch(path).catch(() => null);
  const text = response?.ok ? await response.text() : "";
  // A slow answer must not replace that to what was typed since.
  if (asked !== previewed) return;
  preview.innerHTML = text;
  localise(preview);
}
preview?.closest("form").addEventListener("input", showPreview);

document.addEventListener("formdata", ({ target, formData }) => {
  for (const { form, name, value } of momentsInUtc) {
    if (form !== target || value === "") continue;
    formData.set(name, new Date(value).toISOString().slice(0, 19));
  }
});

// Rows of a form are added and removed where they are.
document.addEventListener("submit", async (event) => {
  const { submitter, target } = event;
  if (submitter?.name !== "do") return;
  // A button elsewhere, such as a value of a payload, names the rows to which it adds one.
  const [, list] = /^add:([^?]+)/.exec(submitter.value) ?? [];
  const part = submitter.closest("fieldset.rows") ?? document.getElementById(list);
  if (part === null) return;
  event.preventDefault();
  const drawn = await redrawn(part, new FormData(target, submitter));
  if (drawn === null) return;
  part.replaceWith(drawn.fresh);
  drawn.marked?.focus();
});

/** Returns the rows of a form as the service draws them for what was typed, and the control with the focus. */
async function redrawn(part, form) {
  const body = new URLSearchParams(form);
  const asked = await ask(part.form.action, { method: "POST", body });
  if (asked === null) return null;
  const fresh = asked.page.getElementById(part.id);
  // Where the session has ended, the answer to the whole form keeps what was typed.
  if (asked.response.status === 401) part.form.submit();
  else if (fresh === null) location.reload();
  // Browsers ignore `autofocus` in what is inserted into a page, and warn.
  const marked = fresh?.querySelector("[autofocus]");
  marked?.removeAttribute("autofocus");
  return fresh && { fresh, marked };
}

// A filter hides the items that do not have its words; without scripts, Enter asks the service.
document.querySelector("input[data-filters]")?.addEventListener("input", ({ target }) => {
  for (const item of document.querySelectorAll(target.dataset.filters)) {
    item.hidden = !item.textContent.toLowerCase().includes(target.value.toLowerCase());
  }
});

// A reference that is typed in the prompt of a workflow becomes one of its inputs, once.
const offered = new Set();
/** One after the other: the place of a row is the number of those before it. */
let adding = Promise.resolve();
document.querySelector("#prompt[data-inputs]")?.addEventListener("input", ({ target }) => {
  for (const [, name] of target.value.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
    if (offered.has(name)) continue;
    offered.add(name);
    adding = adding.then(() => addInput(target.form, name));
  }
});

async function addInput(typed, name) {
  const names = typed.querySelectorAll('[name^="inputs["][name$="].name"]');
  if ([...names].some(({ value }) => value === name)) return;
  const form = new FormData(typed);
  form.set("do", `add:inputs?${new URLSearchParams({ name, type: "string", required: "on" })}`);
  const part = document.getElementById("inputs");
  const drawn = await redrawn(part, form);
  // What is being typed in the other rows stays.
  const row = [...(drawn?.fresh.querySelectorAll(".row") ?? [])].at(-1);
  if (row !== undefined) part.querySelector("#inputs-add").before(row);
}

// A second click before the answer would create a second key, endpoint or replay.
const sent = new Set();
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
  // A reader who gave up waiting can try again; the answer of a slow connection comes earlier.
  setTimeout(() => sent.delete(event.target), 30_000);
});
// The browser's back button restores the page as it was left.
window.addEventListener("pageshow", () => sent.clear());
