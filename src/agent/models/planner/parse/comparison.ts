import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { DraftPart, Material, Part, Query } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import { stemsOf } from "../text/words.ts";
import { isBlank } from "./blank.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import type { TableFacts } from "./facts.ts";

/** What a comparison shows. */
export type Shown = NonNullable<DraftPart["comparison"]>;

/** A bound comparison, or why there is none. */
export type Compared = { ok: true; part: Part } | { ok: false; reason: string; words: string[] };

const SAYS: Record<Shown, (rows: string, left: string, right: string) => string> = {
  added: (rows, left, right) => `list the ${rows} that ${right} has and ${left} lacks`,
  removed: (rows, left, right) => `list the ${rows} that ${left} has and ${right} lacks`,
  common: (rows, left, right) => `list the ${rows} that are both on ${left} and on ${right}`,
  changed: (rows, left, right) => `list the ${rows} that differ between ${left} and ${right}`,
  all: (rows, left, right) => `put the ${rows} of ${left} and ${right} next to each other`,
};

/** Binds a comparison of two pages to the tables that have the same key. */
export function bindComparison(
  draft: DraftPart,
  show: Shown,
  materials: readonly Material[],
  tokens: readonly Token[],
): Compared {
  const sides = draft.sourceIds.map((id) =>
    candidatesOf(
      materials.filter(({ sourceId }) => sourceId === id),
      () => false,
    ).filter(({ kind, isRecord }) => kind === "table" && !isRecord),
  );
  const [left, right] = sides;
  if (left === undefined || right === undefined || sides.length !== 2) {
    return { ok: false, reason: "Two pages can be compared, not more or fewer.", words: [] };
  }
  const pairs = left.flatMap((one) =>
    right.filter((other) => keyOf(one, other) !== null).map((other) => [one, other] as const),
  );
  const [pair, rival] = pairs;
  const [before, after] = pair ?? [];
  const key = before === undefined || after === undefined ? null : keyOf(before, after);
  if (before === undefined || after === undefined || key === null || rival !== undefined) {
    return { ok: false, reason: "The pages have no single table with the same key.", words: [] };
  }
  const named = columnsNamed(tokens, before.facts);
  if (!named.ok) {
    return { ok: false, reason: "The comparison was not understood.", words: named.words };
  }
  const own = [key, ...named.columns.filter((name) => name !== key)];
  const isNarrow = named.hasNoun || own.length > 1;
  const operations: DataOperation[] = isNarrow ? [{ op: "select", columns: own }] : [];
  const queryOf = ({ tables }: Candidate): Query => ({ tables, operations });
  const [from, to] = [addressOf(before), addressOf(after)];
  const says = SAYS[show](isNarrow ? own.join(" and ") : "rows", from, to);
  return {
    ok: true,
    part: {
      id: draft.id,
      says,
      label: LABELS[show](key),
      name: draft.name,
      answer: { kind: "compare", before: queryOf(before), after: queryOf(after), key, show },
      form: draft.form,
      clean: false,
    },
  };
}

const LABELS: Record<Shown, (key: string) => string> = {
  added: (key) => `${key} only on the second page`,
  removed: (key) => `${key} only on the first page`,
  common: (key) => `${key} on both pages`,
  changed: (key) => `Differences by ${key}`,
  all: (key) => `Comparison by ${key}`,
};

function addressOf({ tables }: Candidate): string {
  return tables[0]?.url ?? "the data";
}

/** Returns the column that names the rows of both tables, each once. */
function keyOf(left: Candidate, right: Candidate): string | null {
  const key = left.facts.key;
  const other = right.facts.columns.find(({ name }) => name === key?.name);
  return key?.unique && other?.unique ? key.name : null;
}

type Named = { ok: true; columns: string[]; hasNoun: boolean } | { ok: false; words: string[] };

/** Returns the columns that words name. Every other word must be free or name the rows. */
function columnsNamed(tokens: readonly Token[], facts: TableFacts): Named {
  const columns: string[] = [];
  const unknown: string[] = [];
  let hasNoun = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const column = facts.columns
      .filter(({ stems }) => stems.every((stem, index) => stemAt(tokens, at + index) === stem))
      .toSorted((a, b) => b.stems.length - a.stems.length)[0];
    const stem = stemAt(tokens, at);
    if (column !== undefined && column.stems.length > 0) {
      columns.push(column.name);
      hasNoun ||= column.name === facts.key?.name;
      at += column.stems.length - 1;
    } else if (stem !== null && facts.nouns.has(stem)) hasNoun = true;
    else if (
      !isBlank(tokens.slice(at, at + 1), [
        "show",
        "which",
        "what",
        "pronoun",
        "row",
        "and",
        "between",
      ])
    ) {
      unknown.push(tokens[at]?.text ?? "");
    }
  }
  return unknown.length > 0 ? { ok: false, words: unknown } : { ok: true, columns, hasNoun };
}

function stemAt(tokens: readonly Token[], at: number): string | null {
  const token = tokens[at];
  return token?.kind === "word" ? (stemsOf(token.text)[0] ?? null) : null;
}
