import { stemOf } from "../text/words.ts";
import { type Index, indexOf, linesOf } from "./compile.ts";
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

type Listed = { surface: string; meaning: Meaning }[];

function compile(): Lexicon {
  const listed: Listed = [
    ...operators(),
    ...adjectives(),
    ...verbs(),
    ...states(),
    ...units(),
    ...numbers(NUMBERS, "number"),
    ...numbers(ORDINALS, "ordinal"),
    ...nouns(),
    ...concepts(),
  ];
  const heads = linesOf(CONCEPTS).map(({ head, fields }) => ({
    concept: head[0] ?? "",
    kind: head[1] ?? "text",
    words: fields[0] ?? [],
  }));
  return {
    meanings: indexOf(listed),
    headers: new Map(heads.map(({ concept, words }) => [concept, words])),
    kinds: new Map(heads.map(({ concept, kind }) => [concept, kind])),
  };
}

function listedOf(surfaces: readonly string[], meaning: Meaning): Listed {
  return surfaces.map((surface) => ({ surface, meaning }));
}

function operators(): Listed {
  return linesOf(WORDS).flatMap(({ head, fields }) => {
    const [op = "", ...args] = head;
    const meaning: Meaning =
      op === "free" ? { type: "free" } : { type: "op", op, arg: args.join(" ") };
    return listedOf(fields[0] ?? [], meaning);
  });
}

const DEGREES = ["base", "comparative", "superlative"] as const;

function adjectives(): Listed {
  return linesOf(ADJECTIVES).flatMap(({ head, fields }) => {
    const [concept = "", sign] = head;
    return DEGREES.flatMap((degree, index) =>
      listedOf(fields[index] ?? [], { type: "adjective", concept, more: sign === "+", degree }),
    );
  });
}

function verbs(): Listed {
  return linesOf(VERBS).flatMap(({ head, fields }) =>
    listedOf(fields[0] ?? [], { type: "verb", concepts: (head[0] ?? "").split(",") }),
  );
}

const POLARITIES: Partial<Record<string, Polarity>> = {
  "+": "positive",
  "-": "opposite",
  "!": "negation",
};

function states(): Listed {
  return linesOf(STATES).flatMap(({ head, fields }) => {
    const [surfaces = [], headers = [], cells = []] = fields;
    const name = head.slice(0, -1).join(" ");
    const polarity = POLARITIES[head.at(-1) ?? ""] ?? "positive";
    return listedOf(surfaces, { type: "state", state: { name, headers, cells }, polarity });
  });
}

function units(): Listed {
  return linesOf(UNITS).flatMap(({ head, fields }) => {
    const unit = fields[0]?.[0] ?? "";
    return listedOf(fields[0] ?? [], { type: "unit", unit, concepts: (head[0] ?? "").split(",") });
  });
}

function numbers(data: string, type: "number" | "ordinal"): Listed {
  return linesOf(data).flatMap(({ head, fields }) =>
    listedOf(fields[0] ?? [], { type, value: Number(head[0]) }),
  );
}

function nouns(): Listed {
  return linesOf(NOUNS).flatMap(({ head, fields }) =>
    listedOf(fields[0] ?? [], { type: "noun", evidence: (head[0] ?? "").split(",") }),
  );
}

function concepts(): Listed {
  return linesOf(CONCEPTS).flatMap(({ head, fields }) =>
    (fields[0] ?? [])
      // A "Name" column may hold persons, but "the names of the films" are none.
      .filter((surface) => surface !== "name" || head[0] === "name")
      .flatMap((surface) =>
        listedOf([surface, stemOf(surface)], { type: "concept", concept: head[0] ?? "" }),
      ),
  );
}

/** Returns the cells by which columns hold the positive side of a state. */
export function statesOf(name: string): string[] {
  return linesOf(STATES).flatMap(({ head, fields }) =>
    head.slice(0, -1).join(" ") === name && head.at(-1) === "+" ? (fields[2] ?? []) : [],
  );
}
