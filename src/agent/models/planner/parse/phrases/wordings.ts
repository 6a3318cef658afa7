import type { Column } from "../facts.ts";
import { ASKS, type Frame, hasContent } from "../frame.ts";
import { type Item, isOp } from "../items.ts";
import type { Phrase, PhraseReader } from "../reader.ts";

const NOTHING: Partial<Frame>[] = [{}];
const NEVER: Partial<Frame>[] = [];

/** Verbs that are nouns as well. */
const NOUN_OR_VERB =
  /^(?:name|report|state|display|output|read|present|pick|say|see|print|check|make|need|want)$/i;

/** Phrases that say what is asked, of which rows and columns. */
export const WORDINGS: readonly (readonly [string, PhraseReader])[] = [
  ["show", shown],
  [ASKS.filter((ask) => ask !== "show").join("/"), asked],
  ["only", ({ after }) => [{ only: isOp(after, "show") || after?.type === "column" }]],
  ["that/but/there", () => NOTHING],
  ["and", ({ after }) => (after === undefined ? NEVER : NOTHING)],
  ["pronoun", pronoun],
  [
    "whose",
    ({ frame }) => [
      hasContent(frame) ? { saysNext: true } : { ask: frame.ask ?? "who", saysNext: true },
    ],
  ],
  ["grouping", () => [{ grouping: true }]],
  ["together", () => [{ together: true }]],
  ["distinct", () => [{ distinct: true }]],
  // A table without dates is about the present; with dates, "today" would be a condition.
  ["now", ({ facts }) => (facts.columns.some(({ kind }) => kind === "date") ? NEVER : NOTHING)],
  ["COLS", wanted],
  [
    "howmany col",
    (phrase) =>
      phrase.frame.wants.length > 0 ? wanted({ ...phrase, slice: phrase.slice.slice(1) }) : NEVER,
  ],
  ["col col", namesOf],
  ["num colword COLS", ({ frame, slice }) => [{ wants: [...frame.wants, ...firsts(slice)] }]],
  ["row", () => NOTHING],
  ["unit", unit],
  [
    "verb",
    ({ slice: [item], frame }) =>
      item?.type === "verb" ? [{ verbs: [...frame.verbs, item], saysNext: true }] : NEVER,
  ],
  ["any", () => [{ saysNext: true }]],
  [
    "link",
    ({ slice: [item], after }) =>
      after?.type === "value" ||
      (/^(?:column|flag|row)$/.test(after?.type ?? "") && !/^(?:by|under)$/i.test(item?.text ?? ""))
        ? [{ saysNext: true }]
        : NEVER,
  ],
  ["drop/without duplicate", () => [{ dedupe: true }]],
  ["base", base],
];

function shown({ slice: [verb], frame, before, after }: Phrase): Partial<Frame>[] {
  const isNoun = NOUN_OR_VERB.test(verb?.text ?? "");
  // "the name and weight": a verb stands where a clause begins.
  if (isNoun && hasContent(frame) && !isOp(before, "that") && after !== undefined) return NEVER;
  if (isNoun && isOp(before, "show", "and")) return NEVER;
  return [{ ask: frame.ask ?? "show" }];
}

function asked({ slice: [item], frame, before }: Phrase): Partial<Frame>[] {
  if (item?.type !== "op") return NEVER;
  const { op, text, lead } = item;
  // "products which are open": a relative pronoun follows its noun.
  if (/^(?:which|who|where|when)$/.test(op) && hasContent(frame)) return [{ saysNext: true }];
  if (op === "howmany") {
    // "phone number of": a column, not a count.
    if (before?.type === "column" && lead.length === 0 && /^number/i.test(text)) return NEVER;
    if (isOp(before, "agg", "sup", "group", "sort")) return NOTHING;
    const isFree = frame.ask === null || frame.ask === "show" || frame.ask === "what";
    return isFree ? [{ ask: op }] : NEVER;
  }
  if (frame.ask !== null && frame.ask !== "show" && !(op === "diff" || op === "percent"))
    return NEVER;
  const asksPage = op === "yesno" && /^(?:does|do|did|has|have)$/i.test(text);
  return [{ ask: op, asksPage }];
}

function pronoun({ slice: [item], frame, after, hasEarlier }: Phrase): Partial<Frame>[] {
  const isEmpty = frame.rows + frame.filters.length === 0;
  const text = item?.text ?? "";
  // "Which of these": the rows that the prompt itself gives.
  if (!hasEarlier && /^of (?:these|those|them)$/i.test(text)) return NOTHING;
  // "These animals" are those of the page, unless an earlier part left some.
  if (after?.type === "row" && isEmpty) return [{ inherits: frame.inherits || hasEarlier }];
  // "It" may be the page as well.
  const isPage = /^(?:it|its|he|she|his|her)$/i.test(text);
  // "each novel with its borrower": rows are named, though by a value of theirs.
  const isOwner = /^(?:its|their|his|her)$/i.test(text) && after?.type === "column" && !hasEarlier;
  if (isOwner && frame.filters.length > 0)
    return [{ rows: Math.max(1, frame.rows), possessed: false }];
  if (isPage) return [{ inherits: frame.inherits || (hasEarlier && isEmpty) }];
  // "products with their prices": the rows that the question itself is about.
  return [{ inherits: frame.inherits || (isEmpty && frame.wants.length === 0) }];
}

function firsts(slice: readonly Item[]): Column[] {
  return slice.flatMap((item) => (item.type === "column" ? (item.columns[0] ?? []) : []));
}

/** Returns each choice of one column for each of some items. */
export function choices(items: readonly Item[], fits: (column: Column) => boolean): Column[][] {
  return items
    .filter(({ type }) => type === "column")
    .reduce<Column[][]>(
      (lists, item) =>
        lists.flatMap((list) =>
          (item.type === "column" ? item.columns : [])
            .filter(fits)
            .map((column) => [...list, column]),
        ),
      [[]],
    );
}

/** Columns to show. One column may be named by two words: "disk usage". */
function wanted({ slice, frame, before, after, facts }: Phrase): Partial<Frame>[] {
  const [first] = slice;
  if (first?.type !== "column") return NEVER;
  // "which works are insured" says something of them; it names no column "Insured value".
  const isSaid =
    first.lead.length > 0 && first.lead.every((word) => /^(?:is|are|was|were|been|be)$/.test(word));
  if (isSaid && frame.ask !== "what" && frame.ask !== null) return NEVER;
  // "the active users"
  const namesKey = after?.type === "column" && after.columns.some((own) => own === facts.key);
  const isProperty = after?.lead.length === 0 && (after.type === "row" || namesKey);
  return choices(slice, () => true)
    .filter((columns) =>
      columns.every(({ kind }) => kind !== "boolean" || (!isProperty && mayShow(first, before))),
    )
    .flatMap((columns): Partial<Frame>[] => {
      const shows = {
        tells: frame.tells || first.lead.includes("with"),
        wants: [...frame.wants, ...columns],
      };
      const [only, second] = columns;
      const mayFilter = only !== undefined && second === undefined && only.empty > 0;
      // "with a rating": only the rows that have one, which differs if some have none.
      if (!mayFilter || !first.lead.includes("with")) return [shows];
      const filter = {
        tests: [{ column: only.name, test: "not_empty" as const }],
        columns: [only],
        said: false,
      };
      return [shows, { filters: [...frame.filters, filter] }];
    });
}

/** "the names of all boats": the values of the column, not those that name the rows. */
function namesOf({ slice: [name, column], frame }: Phrase): Partial<Frame>[] {
  const isName =
    name?.type === "column" &&
    (name.concept === "name" || name.columns.every(({ stems }) => stems.join() === "name"));
  if (!isName || column?.type !== "column" || !column.lead.includes("of")) return NEVER;
  return column.columns.map((own) => ({ wants: [...frame.wants, own] }));
}

/** A yes/no column after "are" or a noun says something of the rows; in a list of columns it is shown. */
function mayShow({ lead }: Item, before: Item | undefined): boolean {
  // "with a pool" is a condition.
  if (lead.includes("a") || lead.includes("an")) return false;
  if (before?.type === "column" || isOp(before, "and", "colword", "show", "what")) return true;
  return lead.some((word) => /^(?:with|and|,|whether|the)$/.test(word));
}

/** "how many kg honey": the unit of the column beside it. */
function unit({ slice: [item], frame, after, facts }: Phrase): Partial<Frame>[] {
  if (item?.type !== "unit") return NEVER;
  const names = [item.unit.toLowerCase(), item.text.toLowerCase()];
  const { wants, figures, extreme, filters } = frame;
  const last =
    wants.at(-1) ?? figures.at(-1)?.column ?? extreme?.column ?? filters.at(-1)?.columns[0];
  const fits = (column: Column) =>
    names.some(
      (name) =>
        column.unit.includes(name) || [...column.units].some((own) => own.toLowerCase() === name),
    );
  const beside =
    after?.type === "column" ? after.columns : last === null || last === undefined ? [] : [last];
  if (beside.some(fits)) return NOTHING;
  // "a night", "per month": the span that a price is for stands in its header or cells.
  const spans = beside.some(({ index }) =>
    facts.rows.some((row) =>
      names.some((name) =>
        String(row[index] ?? "")
          .toLowerCase()
          .includes(name),
      ),
    ),
  );
  return spans ? NOTHING : NEVER;
}

/** "how tall": a value is asked for; a base form sets no limit. */
function base({ slice: [item], frame }: Phrase): Partial<Frame>[] {
  if (item?.type !== "adjective" || frame.ask !== "how" || frame.wants.length > 0) return NEVER;
  return item.columns.map((column) => ({ wants: [column] }));
}
