import { stemOf } from "../text/tokens.ts";

/** A surface of the lexicon with what it means. */
export interface Entry<T> {
  words: string[];
  meaning: T;
}

/** Entries by their first word, the longest first. */
export type Index<T> = ReadonlyMap<string, readonly Entry<T>[]>;

/** Splits `head | fields` lines; the fields are lists of surfaces. */
export function linesOf(data: string): { head: string[]; fields: string[][] }[] {
  return data
    .split("\n")
    .filter((line) => line.includes("|"))
    .map((line) => {
      const [head = "", ...fields] = line.split("|");
      return {
        head: head.trim().split(/\s+/),
        fields: fields.map((field) =>
          field
            .split(",")
            .map((surface) => surface.trim())
            .filter((surface) => surface !== ""),
        ),
      };
    });
}

/** Returns the words of a surface as the tokenizer gives them. */
export function surfaceWords(surface: string): string[] {
  return surface
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => {
      const suffix = /^(.+)('(?:s|re|m|d|ll|ve))$/.exec(word);
      return suffix ? [suffix[1] ?? "", suffix[2] ?? ""] : [word];
    });
}

/** Indexes surfaces by their first word. */
export function indexOf<T>(entries: readonly { surface: string; meaning: T }[]): Index<T> {
  const index = new Map<string, Entry<T>[]>();
  for (const { surface, meaning } of entries) {
    const words = surfaceWords(surface);
    const first = words[0] ?? "";
    const list = index.get(first);
    if (list) list.push({ words, meaning });
    else index.set(first, [{ words, meaning }]);
  }
  for (const list of index.values()) list.sort((a, b) => b.words.length - a.words.length);
  return index;
}

/** A word as the index compares it. */
export interface Comparable {
  word: string;
  stem: string;
}

/** Returns the entries that match the words from `at` on, with their lengths. */
export function matchesAt<T>(
  index: Index<T>,
  words: readonly (Comparable | null)[],
  at: number,
): { meaning: T; length: number }[] {
  const first = words[at];
  if (!first) return [];
  const lists = [
    index.get(first.word),
    first.stem === first.word ? undefined : index.get(first.stem),
  ];
  return lists.flatMap((list) =>
    (list ?? []).flatMap(({ words: surface, meaning }) =>
      surface.every((word, offset) => {
        const found = words[at + offset];
        return (
          found !== undefined &&
          found !== null &&
          (found.word === word || (found.stem === stemOf(word) && found.stem === word))
        );
      })
        ? [{ meaning, length: surface.length }]
        : [],
    ),
  );
}
