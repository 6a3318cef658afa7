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
