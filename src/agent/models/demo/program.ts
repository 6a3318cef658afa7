import type { DataOperation, RowTest } from "../../../contract/tools/data.ts";

/** The grammar, as `docs/demo-model.md` and refusals print it. A part in [brackets] may be left out. */
export const COMMANDS = {
  open: "open URL",
  list: "list [distinct] COLUMN, COLUMN ... | rows | headings | links | emails | items [under HEADING] | text",
  count: "count rows | [distinct] COLUMN | headings | links | emails | items",
  sum: "sum COLUMN",
  average: "average COLUMN",
  highest: "highest COLUMN",
  lowest: "lowest COLUMN",
  top: "top N [COLUMN, COLUMN ...] by COLUMN",
  bottom: "bottom N [COLUMN, COLUMN ...] by COLUMN",
  say: "say TEXT",
  send: "send GET | POST | PUT | PATCH | DELETE URL [with {JSON} | with the result]",
  run: "run ```JavaScript```",
  save: "save as NAME.xlsx | NAME.csv | NAME.json",
  mail: "mail to ADDRESS, ADDRESS ... [subject TEXT]",
  ask: 'ask "QUESTION"',
  wait: "wait until ENDPOINT receives an event whose FIELD TEST [and FIELD TEST ...] [for at most N minutes | hours | days], then COMMAND",
} as const;

export type Verb = keyof typeof COMMANDS;

/** The clauses of `list`, `count`, the figures, `top` and `bottom`, in any order, and their parts. */
const CLAUSES = [
  "from [table CAPTION of] SOURCE",
  "where COLUMN TEST [and COLUMN TEST ...]",
  "per COLUMN, COLUMN ...",
  "sorted by COLUMN [ascending | descending]",
  "SOURCE = URL | the data | the input | input NAME | {{NAME}} | the event | the result",
  "TEST = is VALUE | is not VALUE | is empty | is not empty | above N | below N | at least N | at most N | contains VALUE | starts with VALUE | ends with VALUE",
];

/** Every line of the grammar, in the order of the document. */
export const GRAMMAR: readonly string[] = [...Object.values(COMMANDS), ...CLAUSES];

/** Returns whether a word begins a command. */
export function isVerb(word: string): word is Verb {
  return Object.hasOwn(COMMANDS, word);
}

/** What a query reads. Texts may contain references such as `{{page}}`, which are filled when it runs. */
export type Source =
  | { kind: "page"; url: string }
  /** The block of data below the commands. */
  | { kind: "data"; text: string }
  /** All inputs, or the one at a path. */
  | { kind: "input"; path: string | null }
  /** The result of the command before. */
  | { kind: "result" }
  /** The event that the last `wait` ended with. */
  | { kind: "event" };

/** A test of a column, or of an event's field. */
export interface Test {
  column: string;
  test: RowTest["test"];
  value?: string;
}

/** Parts of a page or a document that need no column. */
export const PARTS = ["rows", "headings", "links", "emails", "items", "text"] as const;

/** What a query takes of its source: a table that has these columns, or a part that needs none. */
export type Selection =
  | { part: "rows"; caption: string | null; columns: string[] }
  | { part: "items"; under: string | null }
  | { part: Exclude<(typeof PARTS)[number], "rows" | "items"> };

/** Rows or a figure of a source. */
export interface Query {
  /** Null for the source of the command before. */
  source: Source | null;
  select: Selection;
  operations: DataOperation[];
  isFigure: boolean;
}

export const FILE_FORMATS = ["xlsx", "csv", "json"] as const;
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export type Action =
  | { kind: "open"; url: string }
  | { kind: "query"; query: Query }
  | { kind: "say"; text: string }
  | {
      kind: "send";
      method: (typeof METHODS)[number];
      url: string;
      /** JSON as text, or the result of the command before. */
      body: { kind: "none" } | { kind: "json"; text: string } | { kind: "result" };
    }
  | { kind: "run"; code: string }
  | { kind: "save"; filename: string; format: (typeof FILE_FORMATS)[number] }
  | { kind: "mail"; to: string[]; subject: string | null }
  | { kind: "ask"; question: string }
  | {
      kind: "wait";
      endpointId: string;
      where: Test[];
      timeoutSeconds: number;
    };

export type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** One command, with its text as the plan states it. */
export interface Command {
  says: string;
  action: Action;
}
