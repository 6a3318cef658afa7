import { type Index, linesOf, surfacesOf } from "../text/phrases.ts";
import { stemOf } from "../text/words.ts";
import {
  ADJECTIVES,
  CONCEPTS,
  NOUNS,
  NUMBERS,
  ORDINALS,
  STATES,
  UNITS,
  VERBS,
  WORDS,
} from "./words.ts";

/** What a word of a question can mean before the table is known. */
export type Meaning =
  | { type: "free" }
  /** A structural word: its role, and the role's argument. */
  | { type: "op"; op: string; arg: string }
  | {
      type: "adjective";
      concept: string;
      more: boolean;
      degree: "base" | "comparative" | "superlative";
    }
  | { type: "verb"; concepts: string[] }
  | { type: "state"; state: State; polarity: Polarity }
  | { type: "unit"; unit: string; concepts: string[] }
  | { type: "number"; value: number }
  | { type: "ordinal"; value: number }
  | { type: "concept"; concept: string }
  | { type: "noun"; evidence: string[] };

/** A state with the headers and the cells by which columns hold it. */
export interface State {
  name: string;
  headers: string[];
  cells: string[];
}

/** A state, its opposite with a name of its own ("closed"), or its negation ("unpaid"). */
export type Polarity = "positive" | "opposite" | "negation";

/** The lexicon, compiled on first use. */
export interface Lexicon {
  meanings: Index<Meaning>;
  /** Words of the headers of each concept. */
  headers: ReadonlyMap<string, readonly string[]>;
  kinds: ReadonlyMap<string, string>;
}

let compiled: Lexicon | null = null;

/** Returns the compiled lexicon. */
export function lexicon(): Lexicon {
  compiled ??= compile();
  return compiled;
}

/** Reads a line of data: its head and its fields of surfaces, as what the surfaces mean. */
type ReadLine = (head: string[], fields: string[][]) => [readonly string[] | undefined, Meaning][];

const DEGREES = ["base", "comparative", "superlative"] as const;
const POLARITIES = { "+": "positive", "-": "opposite", "!": "negation" } as const;
const listOf = (head: string | undefined) => (head ?? "").split(",");

const SOURCES: readonly [string, ReadLine][] = [
  [
    WORDS,
    ([op = "", ...args], [words]) => [
      [words, op === "free" ? { type: "free" } : { type: "op", op, arg: args.join(" ") }],
    ],
  ],
  [
    ADJECTIVES,
    ([concept = "", sign], fields) =>
      DEGREES.map((degree, at) => [
        fields[at],
        { type: "adjective", concept, more: sign === "+", degree },
      ]),
  ],
  [VERBS, ([head], [words]) => [[words, { type: "verb", concepts: listOf(head) }]]],
  [
    STATES,
    (head, [words, headers = [], cells = []]) => {
      const sign = head.at(-1);
      const polarity = POLARITIES[sign === "-" || sign === "!" ? sign : "+"];
      const state = { name: head.slice(0, -1).join(" "), headers, cells };
      return [[words, { type: "state", state, polarity }]];
    },
  ],
  [
    UNITS,
    ([head], [words]) => [
      [words, { type: "unit", unit: words?.[0] ?? "", concepts: listOf(head) }],
    ],
  ],
  [NUMBERS, ([head], [words]) => [[words, { type: "number", value: Number(head) }]]],
  [ORDINALS, ([head], [words]) => [[words, { type: "ordinal", value: Number(head) }]]],
  [NOUNS, ([head], [words]) => [[words, { type: "noun", evidence: listOf(head) }]]],
  [
    CONCEPTS,
    ([concept = ""], [words = []]) => {
      // A "Name" column may hold persons, but "the names of the films" are none.
      const own = words.filter((word) => word !== "name" || concept === "name");
      return [[own.flatMap((word) => [word, stemOf(word)]), { type: "concept", concept }]];
    },
  ],
];

function compile(): Lexicon {
  const listed = SOURCES.flatMap(([data, read]) =>
    linesOf(data).flatMap(({ head, fields }) =>
      read(head, fields).flatMap(([surfaces = [], meaning]) =>
        surfaces.map((surface) => ({ surface, meaning })),
      ),
    ),
  );
  const concepts = linesOf(CONCEPTS);
  return {
    meanings: surfacesOf(listed),
    headers: new Map(concepts.map(({ head, fields }) => [head[0] ?? "", fields[0] ?? []])),
    kinds: new Map(concepts.map(({ head }) => [head[0] ?? "", head[1] ?? "text"])),
  };
}

/** Returns the cells by which columns hold the positive side of a state. */
export function statesOf(name: string): string[] {
  return linesOf(STATES).flatMap(({ head, fields }) =>
    head.slice(0, -1).join(" ") === name && head.at(-1) === "+" ? (fields[2] ?? []) : [],
  );
}
