// Keyboard: Ctrl K or / for the search, `g` and a letter for the sections, `j` and `k` for the next and the
// previous row of a list, which Enter follows, Ctrl Enter to send.

const sections = [...document.querySelectorAll("a[data-key]")];
const search = document.getElementById("find");

/** Goes to a link of the frame; nowhere on a page without it. */
function go(event, link) {
  if (!link) return;
  event.preventDefault();
  location.href = link.href;
}

/** Moves the focus by one row; without a focus in the list, to the shown row or the first one. */
function step(by) {
  const rows = [...document.querySelectorAll(".row-link")];
  const at = rows.indexOf(document.activeElement);
  const shown = rows.find((row) => row.ariaCurrent === "true");
  const next = at < 0 ? (shown ?? rows[0]) : rows[at + by];
  next?.focus();
}

/** When `g` was pressed. */
let pressedAt = Number.NEGATIVE_INFINITY;
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const hasModifier = event.ctrlKey || event.metaKey;
  const isTyping = target.closest?.("input, textarea, select, [contenteditable]") !== null;
  const isGoing = event.timeStamp - pressedAt < 1_500;
  pressedAt = Number.NEGATIVE_INFINITY;
  if (hasModifier && key === "Enter" && target.form) {
    event.preventDefault();
    target.form.requestSubmit();
  } else if (hasModifier && key.toLowerCase() === "k") {
    go(event, search);
  } else if (isTyping || hasModifier || event.altKey) {
    return;
  } else if (isGoing) {
    const link = sections.find(({ dataset }) => dataset.key === key);
    go(event, link);
  } else if (key === "g") {
    pressedAt = event.timeStamp;
  } else if (key === "j" || key === "k") {
    step(key === "j" ? 1 : -1);
  } else if (key === "/") {
    go(event, search);
  }
});
