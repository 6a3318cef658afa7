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
  "SOURCE is URL | the data | the input | input NAME | {{NAME}} | the event | the result",
  "TEST is is VALUE | is not VALUE | is empty | is not empty | above N | below N | at least N | at most N | contains VALUE | starts with VALUE | ends with VALUE",
];

/** Every line of the grammar, in the order of the document. */
export const GRAMMAR: readonly string[] = [...Object.values(COMMANDS), ...CLAUSES];

/** Returns whether a word begins a command. */
export function isVerb(word: string): word is Verb {
  return Object.hasOwn(COMMANDS, word);
}
