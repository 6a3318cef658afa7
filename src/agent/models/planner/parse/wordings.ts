import { CONCEPTS_OF_ASK } from "../laws/questions.ts";
import { type Column, columnsOfConcept } from "./facts.ts";
import { ASKS, type Frame, hasContent } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import type { Phrase, PhraseReader } from "./reader.ts";

type Changes = Partial<Frame>[];
const NOTHING: Changes = [{}];
export const NEVER: Changes = [];

/** Verbs that are nouns as well. */
const NOUN_OR_VERB =
  /^(?:name|report|state|display|output|read|present|pick|say|see|print|check|make|need|want)$/i;

/** Phrases that say what is asked, of which rows and columns. */
export const WORDINGS: readonly (readonly [string, PhraseReader])[] = [
  ["show", shown],
  [ASKS.filter((ask) => ask !== "show").join("/"), asked],
  ["only", only],
  ["that/but/there", () => NOTHING],
  ["and", ({ after }) => (after === undefined ? NEVER : NOTHING)],
  ["pronoun", pronoun],
  ["whose", ({ frame }) => [{ ask: hasContent(frame) ? frame.ask : "who", saysNext: true }]],
  ["grouping", () => [{ grouping: true }]],
  ["together", () => [{ together: true }]],
  ["distinct", () => [{ distinct: true }]],
  // A table without dates is about the present; with dates, "today" would be a condition.
  ["now", ({ facts }) => (facts.columns.some(({ kind }) => kind === "date") ? NEVER : NOTHING)],
  ["COLS", wanted],
  ["howmany col", (phrase) => (phrase.frame.wants.length > 0 ? wanted(phrase) : NEVER)],
  ["col col", namesOf],
  ["row", () => NOTHING],
  ["unit", unit],
  ["verb", governing],
  ["any", () => [{ saysNext: true }]],
  ["link", linking],
  ["drop/without duplicate", () => [{ dedupe: true }]],
  ["base", base],
];

function shown({ slice: [verb], frame, before, after }: Phrase): Changes {
  const isNoun = NOUN_OR_VERB.test(verb?.text ?? "");
  // "the name and weight": a verb stands where a clause begins.
  const isWithin = hasContent(frame) && !isOp(before, "that") && after !== undefined;
  const isListed = isWithin || isOp(before, "show", "and");
  return isNoun && isListed ? NEVER : [{ ask: frame.ask ?? "show" }];
}

/** "only offered in winter" says of the others that they are not: no row tells. */
function only({ after }: Phrase): Changes {
  const isSaid = after?.type === "verb";
  return isSaid ? NEVER : [{ only: isOp(after, "show") || after?.type === "column" }];
}

function asked({ slice: [item], frame, before, after, facts }: Phrase): Changes {
  if (item?.type !== "op") return NEVER;
  const { op, text, lead } = item;
  // "which boats go there, and when"
  const concepts = after === undefined && hasContent(frame) ? CONCEPTS_OF_ASK[op] : undefined;
  if (concepts !== undefined && op !== "who") {
    const [columns] = concepts
      .map((concept) => columnsOfConcept(facts, concept))
      .filter(({ length }) => length > 0);
    return columns?.map((column) => ({ wants: [...frame.wants, column] })) ?? NEVER;
  }
  // "products which are open": a relative pronoun follows its noun.
  if (/^(?:which|who|where|when)$/.test(op) && hasContent(frame)) return [{ saysNext: true }];
  // "phone number of": a column, not a count.
  if (op === "howmany" && before?.type === "column" && lead.length === 0) return NEVER;
  const isFree = frame.ask === null || frame.ask === "show";
  if (!isFree && !(op === "howmany" && frame.ask === "what")) return NEVER;
  return [{ ask: op, asksPage: op === "yesno" && /^(?:does|do|did|has|have)$/i.test(text) }];
}

function pronoun({ slice: [item], frame, after, hasEarlier }: Phrase): Changes {
  const isEmpty = frame.rows + frame.filters.length === 0;
  const text = item?.text ?? "";
  // "Do they sell bagels?": those whose page it is.
  if (!hasEarlier && /^they$/i.test(text)) return NOTHING;
  // "Which of these": the rows that the prompt itself gives.
  if (!hasEarlier && /^of (?:these|those|them)$/i.test(text)) return NOTHING;
  // "It" may be the page, "these animals" those of the page, unless an earlier part left some;
  // "products with their prices": the rows that the question itself is about.
  const isPage = /^(?:it|its|he|she|his|her)$/i.test(text) || after?.type === "row";
  const names = isPage ? hasEarlier : frame.wants.length === 0;
  const tells = frame.tells || (/^(?:their|its)$/i.test(text) && after?.type === "column");
  return [{ tells, inherits: frame.inherits || (isEmpty && names) }];
}

function governing({ slice: [item], frame }: Phrase): Changes {
  return item?.type === "verb" ? [{ verbs: [...frame.verbs, item], saysNext: true }] : NEVER;
}

function linking({ slice: [item], after }: Phrase): Changes {
  const isOfColumn = /^(?:column|flag|row)$/.test(after?.type ?? "");
  const isBy = /^(?:by|under)$/i.test(item?.text ?? "");
  return after?.type === "value" || (isOfColumn && !isBy) ? [{ saysNext: true }] : NEVER;
}

/** Returns each choice of one column for each of some items. */
export function choices(items: readonly Item[], fits: (column: Column) => boolean): Column[][] {
  return items.reduce<Column[][]>(
    (lists, item) => {
      if (item.type !== "column") return lists;
      const fitting = item.columns.filter(fits);
      return lists.flatMap((list) => fitting.map((column) => [...list, column]));
    },
    [[]],
  );
}

/** Columns to show. One column may be named by two words: "disk usage". */
function wanted({ slice, frame, after, facts }: Phrase): Changes {
  const first = slice.find(({ type }) => type === "column");
  const lead = first?.lead ?? [];
  // "which works are insured" says something of them; it names no column "Insured value".
  const isSaid =
    lead.length > 0 && lead.every((word) => /^(?:is|are|was|were|been|be)$/.test(word));
  if (isSaid && frame.ask !== "what" && frame.ask !== null) return NEVER;
  // "the active users" and "with a pool" are conditions; "with pool and price" shows columns.
  const namesKey = after?.type === "column" && after.columns.some((own) => own === facts.key);
  const isProperty = after?.lead.length === 0 && (after.type === "row" || namesKey);
  const isListed = lead.some((word) => /^(?:with|and|,|whether|the)$/.test(word));
  const showsFlags = !isProperty && isListed && !lead.includes("a") && !lead.includes("an");
  return choices(slice, ({ kind }) => kind !== "boolean" || showsFlags).flatMap(
    (columns): Changes => {
      const tells = frame.tells || lead.includes("with");
      const shows = { tells, wants: [...frame.wants, ...columns] };
      const [only, second] = columns;
      // "with a rating": only the rows that have one, which differs if some have none.
      const mayFilter = only !== undefined && second === undefined && only.empty > 0;
      if (!mayFilter || !lead.includes("with")) return [shows];
      const tests = [{ column: only.name, test: "not_empty" as const }];
      return [shows, { filters: [...frame.filters, { tests, columns: [only], said: false }] }];
    },
  );
}

/** "the names of all boats": the values of the column, not those that name the rows. */
function namesOf({ slice: [name, column], frame }: Phrase): Changes {
  const isName =
    name?.type === "column" &&
    (name.concept === "name" || name.columns.every(({ stems }) => stems.join() === "name"));
  if (!isName || column?.type !== "column" || !column.lead.includes("of")) return NEVER;
  return column.columns.map((own) => ({ wants: [...frame.wants, own] }));
}

/** "how many kg honey": the unit of the column beside it. */
function unit({ slice: [item], frame, after }: Phrase): Changes {
  if (item?.type !== "unit") return NEVER;
  const names = [item.unit.toLowerCase(), item.text.toLowerCase()];
  const { wants, figures, extreme, filters } = frame;
  const last =
    wants.at(-1) ?? figures.at(-1)?.column ?? extreme?.column ?? filters.at(-1)?.columns[0];
  const beside = after?.type === "column" ? after.columns : last ? [last] : [];
  const fits = (column: Column) =>
    [...column.unit, ...column.units].some((own) => names.includes(own.toLowerCase()));
  return beside.some(fits) ? NOTHING : NEVER;
}

/** "how tall": a value is asked for; a base form sets no limit. */
function base({ slice: [item], frame }: Phrase): Changes {
  if (item?.type !== "adjective" || frame.ask !== "how" || frame.wants.length > 0) return NEVER;
  return item.columns.map((column) => ({ wants: [column] }));
}
