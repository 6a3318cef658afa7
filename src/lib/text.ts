const PREVIEW_CHARACTERS = 200;

/** Returns the first 200 characters of a text, in whole code points, with an ellipsis if it was longer. */
export function preview(text: string): string {
  const points = [...text.slice(0, PREVIEW_CHARACTERS * 2)];
  if (points.length <= PREVIEW_CHARACTERS) return text;
  return `${points.slice(0, PREVIEW_CHARACTERS - 1).join("")}…`;
}

/** Counts things of a regular plural: "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Returns a text with its first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Puts a field's name in words: `replyTo` as `reply to`. */
export const wordsOf = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Quotes a text as one word of a shell command. POSIX, 2.2.2: single quotes preserve all but themselves. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Formats milliseconds in two units: `340 ms`, `2.3 s`, `12 s`, `4 min 10 s`, `3 h 5 min`, `2 d`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(Math.round(ms), 0)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const all = Math.round(ms / 1_000);
  const parts = { d: all / 86_400, h: (all / 3_600) % 24, min: (all / 60) % 60, s: all % 60 };
  const counts = Object.entries(parts).map(([unit, count]) => [Math.floor(count), unit] as const);
  const first = counts.findIndex(([count]) => count > 0);
  const shown = counts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map((part) => part.join(" ")).join(" ");
}

const SHOWN_FROM_LENGTH = 12;

/** Returns the last four characters of a secret, or nothing if the others could then be guessed. */
export function last4(secret: string): string {
  return secret.length < SHOWN_FROM_LENGTH ? "" : secret.slice(-4);
}

const KIB = 1_024;
const MIB = KIB * KIB;

/** Returns a limit in bytes as people read it: "480 KiB", "2 MiB". */
export function binarySize(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}

/** The most places that a note names. */
const MAX_PLACES = 3;

/**
 * Returns the note for people that belongs to content whose sources were cut at these places, such as
 * "2 MiB"; null for none.
 */
export function cutNote(cuts: readonly string[]): string | null {
  if (cuts.length === 0) return null;
  const source = cuts.length === 1 ? "a source that was" : "sources that were";
  return `Note: based on ${source} cut ${cutPlaces(cuts)}; figures may be incomplete.`;
}

/** Lists the first places: "at 2 MiB and at 480 KiB". */
export function cutPlaces(cuts: readonly string[]): string {
  return new Intl.ListFormat("en").format(cuts.slice(0, MAX_PLACES).map((place) => `at ${place}`));
}

/** Adds a note to a file of a type that has room for words: to prose a paragraph, to CSV a comment. */
export function withNote(text: string, mediaType: string, note: string | null): string {
  if (note === null) return text;
  const lines = text.replace(/(?:\r?\n)+$/, "");
  if (mediaType === "text/csv") return `${lines}\r\n# ${note}`;
  return /^text\/(?:plain|markdown)$/.test(mediaType) ? `${lines}\n\n${note}` : text;
}
