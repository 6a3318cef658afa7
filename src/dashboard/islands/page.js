// Runs on every page of the dashboard: live updates, and what only the reader's browser can do, such as
// times in its own zone, the clipboard, and protection against double submits.

const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "long",
});
const short = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
/** A time of another year says which. */
const shortOf = (at) => (at.getFullYear() === new Date().getFullYear() ? short : exact).format(at);
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

/** The hours at the axes of charts, and their time zone. */
const hour = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" })
  .formatToParts()
  .find(({ type }) => type === "timeZoneName").value;

/** Says how long ago or how far ahead a time is; beyond a day, the time itself. */
function ago(at) {
  const seconds = Math.round((at - Date.now()) / 1_000);
  const distance = Math.abs(seconds);
  if (distance < 60) return relative.format(seconds, "second");
  if (distance < 3_600) return relative.format(Math.trunc(seconds / 60), "minute");
  if (distance < 86_400) return relative.format(Math.trunc(seconds / 3_600), "hour");
  return shortOf(at);
}

/** Whether the reader wants times instead of ages, in this browser. */
const EXACT = "exact-times";
const areExact = () => localStorage.getItem(EXACT) !== null;

/** Shows times as the reader counts them; the server writes them in UTC. */
function localise(root) {
  const isExact = areExact();
  for (const element of root.querySelectorAll("time[datetime]")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.title = exact.format(at);
    const age = isExact ? shortOf(at) : ago(at);
    element.textContent = element.dataset.exact === undefined ? age : exact.format(at);
    const cell = element.closest(".listing td:not(.wrap)");
    const head = cell?.closest("table").tHead.rows[0].cells[cell.cellIndex];
    if (head) head.dataset.timeZone = zone;
  }
  for (const element of root.querySelectorAll("[data-since]")) {
    element.textContent = spanOf(Date.now() - Date.parse(element.dataset.since));
  }
  for (const label of root.querySelectorAll("[data-hour]")) {
    label.textContent = hour.format(new Date(label.dataset.hour));
  }
  for (const label of root.querySelectorAll("[data-zone]")) label.textContent = zone;
}

/** Draws what models have written where it looks like Markdown: the library is larger than the page. */
async function drawProse() {
  const written = document.querySelectorAll(":is(.summary, .ask) > div.prose:not([data-drawn])");
  const texts = [...written].filter(({ textContent }) => /[*_`#|[>]|^[-+\d]/m.test(textContent));
  if (texts.length === 0) return;
  const { draw } = await import("/docs/prose.js");
  for (const element of texts) {
    element.written = element.textContent;
    element.dataset.drawn = "";
    draw(element);
  }
}

/** Formats a duration as the server does. */
function spanOf(ms) {
  const seconds = Math.floor(Math.max(ms, 0) / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

setInterval(() => localise(document), 1_000);

/** What says "Copied" instead of its own text. */
const copied = new Set();

/** Copies a text, and says so for a moment where the reader has pressed. */
async function copy(textOf, pressed) {
  if (copied.has(pressed)) return;
  await navigator.clipboard.writeText(textOf());
  const before = pressed.textContent;
  copied.add(pressed);
  pressed.textContent = "Copied";
  setTimeout(() => {
    copied.delete(pressed);
    pressed.textContent = before;
  }, 1_500);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-copy]");
  if (button !== null) copy(() => document.getElementById(button.dataset.copy).textContent, button);
});

const times = document.getElementById("times");
times?.addEventListener("click", () => {
  if (areExact()) localStorage.removeItem(EXACT);
  else localStorage.setItem(EXACT, "");
  times.ariaPressed = areExact();
  localise(document);
});
if (times !== null) times.ariaPressed = areExact();

/**
 * Asks for a page in the background. Returns null where the service does not answer or refuses for a while:
 * the reader's page then stays as it is, and says so.
 */
async function ask(path, init) {
  try {
    const response = await fetch(path, init);
    const isAnswered = response.status !== 429 && response.status < 500;
    if (isAnswered) {
      return {
        response,
        page: new DOMParser().parseFromString(await response.text(), "text/html"),
      };
    }
    refreshLater(Number(response.headers.get("Retry-After")));
  } catch {
    refreshLater();
  }
  return null;
}

// Rows of links scroll; the current one is in sight.
for (const link of document.querySelectorAll(":is(.tabs, .chips) [aria-current]")) {
  const { parentElement: row } = link;
  row.scrollLeft = link.offsetLeft - row.offsetLeft - 48;
}

localise(document);
drawProse();
// The page follows its stream: `changed` loads it again and changes what differs.
const main = document.getElementById("main");
/** What the reader opens, chooses or types stays as it is. */
const KEPT = "textarea, select, input";
const MORPH = {
  morphStyle: "innerHTML",
  callbacks: {
    beforeNodeMorphed: (node, { textContent }) =>
      !(node instanceof Element && (node.matches(KEPT) || node.written === textContent)),
    beforeAttributeUpdated: (name, node) => !(name === "open" && node.matches("details, dialog")),
    // What is new in a list that was already shown fades in.
    afterNodeAdded: (node) => node instanceof HTMLTableRowElement && node.classList.add("new"),
    // A form in which something was typed is only removed by its reader.
    beforeNodeRemoved: (node) =>
      !(
        node instanceof Element &&
        [...node.querySelectorAll("textarea")].some((area) => area.value !== area.defaultValue)
      ),
  },
};

/** Seconds until a refused update is tried again, unless the service says. */
const RETRY_SECONDS = 15;
/** Why the page may not be up to date: its stream is paused, or a load was refused. */
const pauses = new Set();
let retry = null;

function setPaused(reason, isPaused) {
  if (isPaused) pauses.add(reason);
  else pauses.delete(reason);
  const status = document.getElementById("paused");
  if (status !== null) status.textContent = pauses.size > 0 ? "Updates paused" : "";
}

/** Loads the page again after a while. */
function refreshLater(seconds) {
  setPaused("load", true);
  clearTimeout(retry);
  retry = setTimeout(refresh, Math.min(seconds || RETRY_SECONDS, 60) * 1_000);
}

let refreshing = null;
let isStale = false;

/** Loads the page again; a change during a load leads to one more. */
function refresh() {
  isStale = true;
  refreshing ??= loadWhileStale();
  return refreshing;
}

async function loadWhileStale() {
  while (isStale) {
    isStale = false;
    await load().catch(() => refreshLater());
  }
  refreshing = null;
}

async function load() {
  const { page = location.href, part = "main", live } = main.dataset;
  // The end of the stream of a page without one of its own means that the session has ended.
  const asked = live && (await ask(page, { headers: { Accept: "text/html" } }));
  if (asked === null) return;
  setPaused("load", false);
  if (asked === undefined) {
    // A change before the end of the page's own stream has loaded the last state already.
    if (streamPath() !== endedPath) follow();
    return;
  }
  const { response, page: next } = asked;
  // The session has ended.
  if (response.redirected) return location.reload();
  if (!response.ok) return;
  const fresh = next.getElementById(part);
  if (fresh === null) return;
  Idiomorph.morph(document.getElementById(part), fresh.innerHTML, MORPH);
  localise(main);
  drawProse();
  if (part !== "main") return;
  if (fresh.dataset.live === undefined) delete main.dataset.live;
  else main.dataset.live = fresh.dataset.live;
  document.title = next.title;
  showWaiting(waiting);
  // The page may follow something else now.
  if (streamPath() !== endedPath) follow();
}

let stream = null;
/** The path of the stream that has ended. */
let endedPath = null;
/** Readers who are signed in have a stream on every page, which counts what waits for them. */
const isSignedIn = main?.closest(".shell") !== null;
const streamPath = () => main.dataset.live ?? "/dashboard/live";

function follow() {
  if (stream !== null || !isSignedIn || document.hidden || pauses.has("reader")) return;
  const path = streamPath();
  stream = new EventSource(path);
  stream.addEventListener("changed", refresh);
  // What the model is writing; the next change of the page has the whole of it.
  stream.addEventListener("text", ({ data }) => {
    document.getElementById("writing")?.append(JSON.parse(data));
  });
  stream.addEventListener("open", () => setPaused("stream", false));
  stream.addEventListener("resumed", () => setPaused("stream", false));
  stream.addEventListener("paused", () => setPaused("stream", true));
  stream.addEventListener("error", ({ target }) => {
    if (target !== stream) return;
    setPaused("stream", true);
    // The browser opens a stream again that broke. It gives up one that was refused.
    if (target.readyState !== EventSource.CLOSED) return;
    unfollow();
    setTimeout(follow, RETRY_SECONDS * 1_000);
  });
  stream.addEventListener("waiting", ({ data }) => showWaiting(Number(data)));
  stream.addEventListener("ended", () => {
    unfollow();
    endedPath = path;
    refresh();
  });
}

function unfollow() {
  stream?.close();
  stream = null;
}

// Browsers open few connections to one host: a hidden page holds none.
document.addEventListener("visibilitychange", async () => {
  if (document.hidden || pauses.has("reader")) return unfollow();
  // A page without a stream of its own may show what is shown once, such as a key.
  if (main?.dataset.live !== undefined) await refresh();
  follow();
});

const pause = document.getElementById("pause");
pause?.addEventListener("click", () => {
  const isPaused = !pauses.has("reader");
  pause.ariaPressed = isPaused;
  setPaused("reader", isPaused);
  if (isPaused) return unfollow();
  refresh();
  follow();
});

/** How many decisions are open, in the title and beside the section. The service counts up to 100. */
let waiting = 0;
function showWaiting(count) {
  const shown = count < 100 ? String(count) : "99+";
  const badge = document.getElementById("waiting-count");
  if (badge !== null) {
    badge.hidden = count === 0;
    badge.textContent = shown;
    badge.title = `${shown} open`;
  }
  document.title = `${count > 0 ? `(${shown}) ` : ""}${document.title.replace(/^\(\d+\+?\) /, "")}`;
  waiting = count;
}

/** Opens the row that the address names. */
function openTarget() {
  document
    .querySelector(":target")
    ?.closest("li")
    ?.querySelector("details")
    ?.setAttribute("open", "");
}
window.addEventListener("hashchange", openTarget);
openTarget();

follow();
