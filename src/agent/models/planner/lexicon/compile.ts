/** A surface of the lexicon with what it means. */
interface Entry<T> {
  words: string[];
  meaning: T;
}

/** Entries by their first word, the longest first. */
export type Index<T> = ReadonlyMap<string, readonly Entry<T>[]>;

/** Splits `head | fields` lines; the fields are lists of surfaces. */
export function linesOf(data: string): { head: string[]; fields: string[][] }[] {
  return data
    .split(/[\n;]/)
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

/** An entry that matches words: exactly, or as the singular of a noun. */
export interface Match<T> {
  meaning: T;
  length: number;
  exact: boolean;
}

/** Returns the entries that match the words from `at` on. */
export function matchesAt<T>(
  index: Index<T>,
  words: readonly (Comparable | null)[],
  at: number,
): Match<T>[] {
  const first = words[at];
  if (!first) return [];
  const lists = [
    index.get(first.word),
    first.stem === first.word ? undefined : index.get(first.stem),
  ];
  return lists.flatMap((list) =>
    (list ?? []).flatMap(({ words: surface, meaning }) => {
      const found = surface.map((_, offset) => words[at + offset]);
      const matches = surface.every(
        (word, offset) => found[offset]?.word === word || found[offset]?.stem === word,
      );
      if (!matches) return [];
      const exact = surface.every((word, offset) => found[offset]?.word === word);
      return [{ meaning, length: surface.length, exact }];
    }),
  );
}
