/** Control characters but line breaks and tabs, and what turns the direction of writing. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that a terminal shows and does not obey. Pages, payloads and models write what is shown
 * here, and an escape sequence of theirs could rewrite what stands above it.
 */
export function plain(text: string): string {
  return text.replace(CONTROL, "\ufffd");
}

/** A value as one line of JSON; some terminals obey the control characters that JSON leaves as they are. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as JSON for people to read, each line behind `indent`. */
export function jsonText(value: unknown, indent: string): string {
  return plain(JSON.stringify(value ?? null, null, 2)).replace(/^/gm, indent);
}

/** The text of `plain` on one line of at most so many characters. */
export function oneLine(text: string, length: number): string {
  const line = plain(text).replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= length ? line : `${points.slice(0, length - 1).join("")}…`;
}

/** Rows in columns as wide as their content; what is last in its row may be of any length. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1_000 },
];

/** A length of time in its largest unit: `3.6 s`, `12 s`, `3 min`. */
export function duration(ms: number): string {
  const unit = UNITS.find((one) => ms >= one.ms);
  if (unit === undefined) return `${Math.max(0, Math.round(ms))} ms`;
  const count = ms / unit.ms;
  return `${count < 10 ? Math.floor(count * 10) / 10 : Math.floor(count)} ${unit.name}`;
}

/** A moment by the clock of this machine: `2026-11-20 09:30:00`. */
export function localTime(timestamp: string): string {
  // The Swedish way is the ISO one.
  return new Date(timestamp).toLocaleString("sv-SE");
}

/** How long ago a moment was. */
export function ago(timestamp: string, now: number): string {
  const ms = now - Date.parse(timestamp);
  return ms < 1_000 ? "now" : `${duration(ms)} ago`;
}

/** `1 credit`, `2 credits`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
