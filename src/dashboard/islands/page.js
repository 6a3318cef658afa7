// Runs on every page of the dashboard. htmx does the live updates; this file does what only the
// reader's browser can: time zone, clipboard, and protection against double submits.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** The hours at the axes of charts, and their time zone. */
const hour = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" })
  .formatToParts()
  .find(({ type }) => type === "timeZoneName").value;

/** Shows times in the reader's time zone; the server writes them in UTC. */
function localise(root) {
  for (const element of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.title = element.dateTime;
    element.textContent = format.format(at);
    element.dataset.local = "";
  }
  for (const label of root.querySelectorAll("text[data-hour]")) {
    label.textContent = hour.format(new Date(label.dataset.hour));
  }
  for (const label of root.querySelectorAll("[data-zone]")) label.textContent = zone;
}

/** Controls for times that the server reads as UTC, by their labels. */
const momentsInUtc = [...document.querySelectorAll('input[type="datetime-local"]')].filter(
  ({ labels }) => labels[0]?.textContent.endsWith("(UTC)"),
);
// The reader types them in the local time zone; they are sent in UTC.
for (const field of momentsInUtc) {
  const [label] = field.labels;
  label.textContent = label.textContent.replace("(UTC)", `(${zone})`);
  if (field.defaultValue === "") continue;
  const at = new Date(`${field.defaultValue}Z`);
  field.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

document.addEventListener("formdata", ({ target, formData }) => {
  for (const { form, name, value } of momentsInUtc) {
    if (form !== target || value === "") continue;
    formData.set(name, new Date(value).toISOString().slice(0, 19));
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button === null) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = before;
  }, 1_500);
});

// A second click before the answer would create a second key, endpoint or replay.
const sent = new Set();
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
  // A reader who gave up waiting can try again.
  setTimeout(() => sent.delete(event.target), 5_000);
});
// The browser's back button restores the page as it was left.
window.addEventListener("pageshow", () => sent.clear());

// On a phone the navigation and the tabs scroll sideways.
for (const current of document.querySelectorAll("nav [aria-current]")) {
  const nav = current.parentElement;
  // Not scrollIntoView: a page that was opened at an anchor must stay there.
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft;
}

localise(document);
// Settling comes frames after the swap: times would visibly change.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  localise(target);
  // Browsers ignore `autofocus` in content that is inserted into a page, and warn.
  target.querySelector("[data-focus]")?.focus();
});
// Its target is the element that asked, not the elements that were inserted.
document.addEventListener("htmx:oobAfterSwap", () => localise(document));

/** Formats a duration as the server does. */
function spanOf(ms) {
  const seconds = Math.floor(Math.max(ms, 0) / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

setInterval(() => {
  for (const element of document.querySelectorAll("[data-since]")) {
    element.textContent = spanOf(Date.now() - Date.parse(element.dataset.since));
  }
}, 1_000);

// A hidden page does not update; it asks again once it is visible.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && "live" in event.detail.elt.dataset) event.preventDefault();
});
