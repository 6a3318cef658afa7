import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { DraftPart, Material, Part, Query } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { itemsOf } from "./chart.ts";
import type { TableFacts } from "./facts.ts";
import { isOp } from "./items.ts";

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
  const listed = SAYS[show](isNarrow ? own.join(" and ") : "rows", from, to);
  const { counts } = named;
  const says = counts ? listed.replace(/^(?:list|put)/, "count") : listed;
  return {
    ok: true,
    part: {
      id: draft.id,
      says,
      label: LABELS[show](key),

      answer: {
        kind: "compare",
        before: queryOf(before),
        after: queryOf(after),
        key,
        show,
        counts,
      },
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

type Named =
  | { ok: true; columns: string[]; hasNoun: boolean; counts: boolean }
  | { ok: false; words: string[] };

const GLUE =
  "show which what pronoun and between that only whose any exists howmany now yesno".split(" ");

/** Returns the columns that words name. Every other word must be free or name the rows. */
function columnsNamed(tokens: readonly Token[], facts: TableFacts): Named {
  const items = itemsOf(tokens, facts)[0]?.items ?? [];
  const unknown = items.filter(
    (item) => !/^(?:column|row|verb)$/.test(item.type) && !isOp(item, ...GLUE),
  );
  if (unknown.length > 0) return { ok: false, words: unknown.map(({ text }) => text) };
  const columns = items.flatMap((item) => (item.type === "column" ? item.columns.slice(0, 1) : []));
  const namesRows = items.some(({ type }) => type === "row");
  const hasNoun = namesRows || columns.some((column) => column === facts.key);
  const counts = items.some((item) => isOp(item, "howmany"));
  return { ok: true, columns: columns.map(({ name }) => name), hasNoun, counts };
}
