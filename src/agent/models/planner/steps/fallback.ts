import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { failedPart, type Part, textPart } from "../answer/parts.ts";
import { keywords, passagesOn } from "../answer/passages.ts";
import { textWant } from "../answer/text-parts.ts";
import { placeOf } from "../answer/words.ts";
import { labelColumn } from "../bind/columns.ts";
import { isOperative } from "../bind/query.ts";
import type { Filter } from "../bind/scan.ts";
import { unreadIn } from "../bind/unread.ts";
import { singular, wordsOf } from "../language/normalize.ts";
import type { Ask } from "../plan/types.ts";
import type { Reading } from "../view/choose.ts";
import type { Page } from "../view/pages.ts";
import { namesOf } from "./honest.ts";
import { type Room, run } from "./process.ts";

const TABLE_WORDS =
  /\b(?:tables?|rows?|columns?|records?|data|json|csv|dataset|entries|list|items?|products?|field|fields|everything|all|content|scrape|extract|values?|programmes?|timetables?|schedules?|agenda)\b/;

/** Rows whose name has words of the ask in it: "do they have any lamp". */
function rowsWith(words: string[], { sheet, query }: Reading): Reading | null {
  const at = labelColumn(sheet.columns, sheet.rows);
  const column = sheet.columns[at];
  const names = sheet.rows.map((row) => wordsOf(cellText(row[at] ?? null)));
  const found = words.filter(
    (word) => word.length > 2 && names.flat().some((one) => one.startsWith(singular(word))),
  );
  if (column === undefined || found.length === 0 || sheet.rows.length < 2) return null;
  const filters: Filter[] = found.map((value) => ({
    op: "filter",
    column,
    test: "contains",
    value,
  }));
  return {
    sheet,
    query: { ...query, missing: [], filters: [...query.filters, ...filters] },
    named: false,
    score: 0,
  };
}

/** The sentences of pages that speak of what is asked, as an answer; null when none do. */
function passagePart(ask: Ask, pages: Page[], words: string[]): Part | null {
  // When and how many are told in digits.
  const digits = /^(?:, )?(?:when|how (?:many|much|long|old))\b/.test(ask.text);
  const texts = pages
    .flatMap((page) => passagesOn(page, words))
    .filter((text) => !digits || /\d/.test(text));
  if (texts.length === 0) return null;
  const said = texts.map((text) => `"${text}"`).join(" … ");
  const value: Json = texts.length === 1 ? (texts[0] ?? "") : texts;
  const sources = pages.flatMap((page) => page.callId ?? []);
  return textPart("answer", `${placeOf(pages)} says: ${said}`, value, sources);
}

/**
 * "When was the league founded?" beside a table with dates: where the table's reading leaves words
 * unread that a sentence of the page has, the sentence is the answer.
 */
export function questionPart(
  ask: Ask,
  pages: Page[],
  { query, sheet }: Reading,
  room: Room,
): Part | null {
  const asks = /^(?:, )?(?:when|where|who|why|how) /.test(ask.text);
  if (!asks || isOperative(query) || sheet.rows.length < 2) return null;
  const { words } = unreadIn(query.left, new Set(), false);
  const known = keywords(ask.text, room.strings).filter((word) => word.length > 2);
  return words.size === 0 ? null : passagePart(ask, pages, known);
}

/** What is left when no want and no column was named: the data as a whole, a passage, or nothing. */
export function fallback(
  ask: Ask,
  pages: Page[],
  records: Reading | null,
  room: Room,
): Part | null {
  const words = keywords(ask.text, room.strings);
  const question = /\b(?:what|which|who|when|where|how|why|is|are|does|do|tell|find|get)\b/.test(
    ask.text,
  );
  const first = pages[0];
  const data =
    records !== null && (records.sheet.kind === "table" || records.sheet.kind === "json");
  const json = first?.source.json();
  const filed = room.form === "csv" || room.form === "xlsx";
  const shaped = room.form === "table" || room.form === "list" || filed;
  if (
    words.length === 0 &&
    first?.callId &&
    pages.length === 1 &&
    !shaped &&
    !(records?.named && records.sheet.rows.length > 1) &&
    json !== undefined &&
    !Array.isArray(json) &&
    first.source.text.trimStart().startsWith("{")
  ) {
    return textWant({ kind: "response" }, pages, room.failures);
  }
  const called = new Set(namesOf(pages));
  const unnamed = words.filter((word) => !called.has(word));
  if (
    records !== null &&
    records.sheet.rows.length > 1 &&
    words.length > 0 &&
    unnamed.length === 0
  ) {
    return run(records.sheet, { ...records.query, missing: [] }, "table", "row", room);
  }
  if (words.length === 0 && /^(?:, )?(?:where|when|who|why)\b/.test(ask.text)) {
    return textWant({ kind: "summary" }, pages, room.failures);
  }
  const holding = data && records !== null ? rowsWith(words, records) : null;
  if (holding !== null) return run(holding.sheet, holding.query, "table", "row", room);
  if (
    records !== null &&
    data &&
    (TABLE_WORDS.test(ask.text) ||
      filed ||
      words.length === 0 ||
      first?.callId === null ||
      first?.source.json() !== undefined)
  ) {
    return run(records.sheet, { ...records.query, missing: [] }, "table", "row", room);
  }
  const passage = question ? passagePart(ask, pages, words) : null;
  if (passage !== null) return passage;
  const listed = records?.sheet.kind === "section" && /\btables?\b/.test(ask.text);
  if (records !== null && !listed && TABLE_WORDS.test(ask.text))
    return run(records.sheet, { ...records.query, missing: [] }, "items", "row", room);
  if (TABLE_WORDS.test(ask.text) && /\btables?\b/.test(ask.text))
    return {
      ...failedPart("table", `There is no table on ${placeOf(pages)}.`),
      status: "nothing",
      data: [],
    };
  if (words.length === 0) return textWant({ kind: "summary" }, pages, room.failures);
  return failedPart(
    "answer",
    `Nothing about ${words.slice(0, 6).join(" ")} was found on ${placeOf(pages)}.`,
  );
}
