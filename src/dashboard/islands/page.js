// Runs on every page of the dashboard. What is live comes by htmx; here is what only the reader's
// browser knows or can do: its time zone, its clipboard, and whether somebody means it.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Hours at the axes of charts, and the zone that they are in. */
const hour = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" })
  .formatToParts()
  .find(({ type }) => type === "timeZoneName").value;

/** Shows times in the reader's zone; the server wrote them in UTC. */
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

/** Controls for times whose label says that the server reads them as UTC. */
const momentsInUtc = [...document.querySelectorAll('input[type="datetime-local"]')].filter(
  ({ labels }) => labels[0]?.textContent.endsWith("(UTC)"),
);
// They are typed in the reader's zone as well, and go out in UTC.
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

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
  if (question !== undefined && !window.confirm(question)) event.preventDefault();
});

// A second click while the answer is on its way would make a second key, endpoint or replay.
const sent = new Set();
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
  // Whoever gave up waiting may try again.
  setTimeout(() => sent.delete(event.target), 5_000);
});
// The page may come back as it was left, by the browser's own button.
window.addEventListener("pageshow", () => sent.clear());

// On a phone the sections, and the pages of one thing, scroll to the side.
for (const current of document.querySelectorAll("nav [aria-current]")) {
  const nav = current.parentElement;
  // Not into view: a page that was opened at a place in it must stay there.
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft;
}

localise(document);
// Settling comes some frames after the swap: the times would be seen to change.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  localise(target);
  // `autofocus` is for whole pages: in what is put into one, browsers say that they ignore it.
  target.querySelector("[data-focus]")?.focus();
});
// It names the element that asked, and not the ones that came.
document.addEventListener("htmx:oobAfterSwap", () => localise(document));

/** A span of time as the server writes it. */
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

// Nobody sees what is new in a page that is hidden; it asks again once it is shown.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && "live" in event.detail.elt.dataset) event.preventDefault();
});
