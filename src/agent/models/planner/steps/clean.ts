import type { Json } from "../../../../contract/json.ts";
import type { Extraction } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import { counted, listed, placeOf } from "../answer/words.ts";
import type { Cleaning } from "../plan/cleaning.ts";
import type { Ask } from "../plan/types.ts";
import {
  type CleaningReport,
  cleaningProgram,
  cleaningReport,
} from "../program/cleaning-program.ts";
import { loadPage, type Page } from "../view/pages.ts";
import { LISTS } from "./lists.ts";
import type { Room } from "./process.ts";
import { coveredBy, readRecords } from "./records.ts";

/** What became of rows that were to be cleaned. */
export type CleanedPages =
  | { kind: "waiting" }
  | { kind: "cleaned"; pages: Page[]; said: string }
  | { kind: "as they were"; said: string };

const NO_TOOL =
  "The data was not cleaned: that needs the tool run_code, which is not among the tools of this run.";

/** Where the rows of an ask come from: the records of the pages, or the list that it names. */
function rowsOf(ask: Ask, pages: Page[], room: Room): Json | null {
  const reading = readRecords(ask, pages, room);
  const direct = ask.wants.find((want) => LISTS[want.kind] !== undefined);
  const list = direct === undefined ? undefined : LISTS[direct.kind];
  if (direct !== undefined && list !== undefined && !coveredBy(reading, direct)) {
    const extract: Extraction = list.extract(direct);
    return JSON.parse(JSON.stringify({ sources: pages.map(({ from }) => from), extract }));
  }
  if (reading === null) return null;
  const { sources, extract } = reading.sheet;
  return JSON.parse(JSON.stringify({ sources, extract }));
}

function reportOf(lines: readonly string[]): CleaningReport | null {
  try {
    const report = cleaningReport.safeParse(JSON.parse(lines.at(-1) ?? ""));
    return report.success ? report.data : null;
  } catch {
    return null;
  }
}

/** What cleaning did, in a sentence. */
function sayCleaned(report: CleaningReport): string {
  const { rowsRead, duplicates, emptyRows, cellsTrimmed, numbers, dates, letters, unread } = report;
  const done = [
    ...(duplicates > 0 ? [`removed ${counted(duplicates, "duplicate row")}`] : []),
    ...(emptyRows > 0 ? [`removed ${counted(emptyRows, "empty row")}`] : []),
    ...(cellsTrimmed > 0 ? [`trimmed ${counted(cellsTrimmed, "cell")}`] : []),
    ...(numbers > 0 ? [`turned ${counted(numbers, "amount")} into numbers`] : []),
    ...(dates > 0 ? [`wrote ${counted(dates, "date")} as yyyy-mm-dd`] : []),
    ...(letters > 0 ? [`changed the letters of ${counted(letters, "cell")}`] : []),
  ];
  const left =
    unread.length === 0
      ? ""
      : ` Left as they were, because they could not be read: ${listed(unread.slice(0, 5))}.`;
  const what = done.length === 0 ? "found nothing to change" : listed(done);
  return `Cleaned ${counted(rowsRead, "row")} in code: ${what}.${left}`;
}

/** The cleaned rows as one page, under the names of those that they came from. */
function pageOf(callId: string, answer: Json, pages: Page[]): Page | null {
  const loaded = loadPage(callId, { ok: true, content: answer });
  if (!loaded.ok) return null;
  const titles = pages.map(({ title, url }) => `${title} ${url}`).join(" ");
  return { ...loaded.page, url: placeOf(pages), title: titles };
}

/**
 * Has the rows of an ask cleaned: one call takes them from the pages, a program cleans them, and what
 * it returns stands in for the pages from there on.
 */
export function cleanPages(ask: Ask, pages: Page[], cleaning: Cleaning, room: Room): CleanedPages {
  const { desk } = room;
  const input = rowsOf(ask, pages, room);
  if (input === null) {
    return { kind: "as they were", said: `There are no rows to clean on ${placeOf(pages)}.` };
  }
  if (!desk.has("run_code")) return { kind: "as they were", said: NO_TOOL };
  const rows = desk.get("process_data", input);
  if (rows === null) return { kind: "waiting" };
  if (!rows.answer.ok) {
    return { kind: "as they were", said: `The data was not cleaned: ${rows.answer.error.message}` };
  }
  const done = desk.get("run_code", { code: cleaningProgram(cleaning), from: [rows.callId] });
  if (done === null) return { kind: "waiting" };
  if (!done.answer.ok) {
    return { kind: "as they were", said: `The data was not cleaned: ${done.answer.error.message}` };
  }
  const content = codeContent.safeParse(done.answer.content);
  const page = content.success ? pageOf(done.callId, done.answer.content, pages) : null;
  const report = content.success ? reportOf(content.data.console) : null;
  if (page === null || report === null) {
    return {
      kind: "as they were",
      said: "The data was not cleaned: the code's answer is unreadable.",
    };
  }
  return { kind: "cleaned", pages: [page], said: sayCleaned(report) };
}
