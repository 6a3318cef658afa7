import type { Json } from "../../../../contract/json.ts";
import { counted } from "../../../../lib/text.ts";
import { PRICE } from "../../../tools/process-data/pairs.ts";
import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import { records, toText } from "../../../tools/source-content.ts";
import type { Answer, Part, Query } from "../program.ts";
import { compareRows } from "./compare.ts";
import { pageResult } from "./page-answers.ts";
import { failPart, type Result, type Room, told } from "./result.ts";
import { type Rows, runQuery } from "./rows.ts";
import type { ReadPage } from "./view.ts";
import { listed, shown } from "./words.ts";

/** The most values or rows of a sentence. */
const MAX_SHOWN = 20;

type Of<Kind extends Answer["kind"]> = Extract<Answer, { kind: Kind }>;

/** Computes the result of a part from the answers of the tools; null if it waits or failed. */
export function resultOf(part: Part, room: Room): Result | null {
  const { answer } = part;
  switch (answer.kind) {
    case "page":
      return pageResult(part, answer, room);
    case "prices":
      return priced(part, answer, room);
    case "literal": {
      const { text, data = text } = answer;
      const output = typeof data === "string" ? "text" : "json";
      return told(part, "", { data, sentence: text, text, output });
    }
    case "compare":
      return ofBoth(part, [answer.before, answer.after], room, compared(part, answer, room));
    case "share":
      return ofBoth(part, answer.queries, room, shareOf(part, answer, room));
    case "every":
      return ofBoth(part, [answer.query, answer.all], room, (some, all) => {
        const holds = all.rows.length > 0 && some.rows.length === all.rows.length;
        const said = `${holds ? "yes" : "no"}, ${some.rows.length} of ${all.rows.length}`;
        return told(part, said, { data: holds });
      });
    default: {
      const rows = runQuery(answer.query, part, room.desk);
      if (rows === null) return null;
      const flaw = flawOf(answer, rows, part);
      if (flaw !== null) return failPart(part, flaw, room.desk);
      const { callId, columns, notes } = rows;
      const sources = [callId, ...pagesOf(answer.query, room)];
      return ofRows(part, answer, { columns, rows: rows.rows, callId, sources, notes });
    }
  }
}

/** Returns the calls that read the pages of a query: its rows may be copies of theirs. */
function pagesOf({ tables }: Query, { pages }: Room): string[] {
  const read = [...pages.values()].flat();
  return read
    .filter(({ url }) => tables.some((one) => one.url === url))
    .flatMap(({ callId }) => callId ?? []);
}

type OfRows = Of<"table" | "list" | "value" | "count" | "exists">;

/** A figure of rows of which some are missing, or of amounts in several currencies, would be wrong. */
function flawOf({ kind }: OfRows, { cut, notes }: Rows, { label }: Part): string | null {
  if (kind === "table" || kind === "list") return null;
  if (cut) return `The data of "${label}" is too long to be read as a whole.`;
  return notes.find((note) => note.includes("different units")) ?? null;
}

type Read = Pick<Result, "columns" | "rows" | "callId" | "sources" | "notes">;

function ofRows(part: Part, { kind }: OfRows, read: Read): Result {
  const { rows, sources, notes } = read;
  const values = rows.map((row) => row[0] ?? null);
  const [only = null, ...others] = values;
  switch (kind) {
    case "table":
      return withRows(part, rows.length > 0 ? counted(rows.length, "row") : "no row matches", read);
    case "list": {
      const more = values.length - MAX_SHOWN;
      const first = values.slice(0, MAX_SHOWN).map(shown).join(", ") || "none";
      const said = `${first}${more > 0 ? ` and ${more} more` : ""}`;
      const result = told(part, said, { ...read, data: values });
      const lines = values.map((value) => `- ${shown(value)}`);
      return { ...result, text: [`${part.label}:`, ...lines].join("\n") };
    }
    case "value": {
      const ties = rows.map((row) => row.map(shown).join(" · "));
      const said = only === null || only === "" ? "nothing was found" : listed(ties);
      return told(part, said, { ...read, data: others.length > 0 ? values : only });
    }
    case "count":
      return told(part, String(rows.length), { data: rows.length, sources, notes });
    case "exists": {
      const said = rows.length > 0 ? `yes, ${counted(rows.length, "row")}` : "no";
      return { ...withRows(part, said, read), data: rows.length > 0, output: "json" };
    }
  }
}

/** Makes a result that shows its rows: the first in the sentence, all of them in the text. */
function withRows(
  part: Part,
  said: string,
  { columns, rows, ...fields }: Pick<Result, "columns" | "rows"> & Partial<Result>,
): Result {
  const table = { columns, rows };
  const result = told(part, said, { ...table, data: records(table), output: "table", ...fields });
  if (rows.length === 0) return result;
  const lines = rows.slice(0, MAX_SHOWN).map((row) => `- ${row.map(shown).join(" · ")}`);
  if (rows.length > MAX_SHOWN) lines.push(`- … and ${rows.length - MAX_SHOWN} more`);
  const text = `${result.text}\n\n${toText({ from: "data", table }).text}`;
  return { ...result, sentence: [result.text, ...lines].join("\n"), text };
}

type Combine = (left: Rows, right: Rows) => Result | null;

/** Runs both queries of a part and combines their rows. */
function ofBoth(
  part: Part,
  [one, other]: readonly [Query, Query],
  { desk }: Room,
  combine: Combine,
): Result | null {
  const left = runQuery(one, part, desk);
  const right = runQuery(other, part, desk);
  if (left === null || right === null) return null;
  if (left.cut || right.cut) return failPart(part, "The data is too long.", desk);
  const result = combine(left, right);
  const sources = [left.callId, right.callId];
  return result && { ...result, sources, notes: [...left.notes, ...right.notes] };
}

function shareOf(part: Part, { labels }: Of<"share">, { desk }: Room): Combine {
  return (...both) => {
    const [left = null, right = null] = both.map(figureOf);
    if (left === null || right === null) return failPart(part, "There is no figure for it.", desk);
    const value = (left / right) * 100;
    if (!Number.isFinite(value)) return failPart(part, "It divides by zero.", desk);
    const exact = Number(value.toFixed(10));
    const beside = `${labels[0]}: ${shown(left)}, ${labels[1]}: ${shown(right)}`;
    const table = { columns: [part.label, ...labels], rows: [[exact, left, right]] };
    return told(part, `${shown(exact)} % (${beside})`, { ...table, data: exact });
  };
}

/** Returns the number in the only cell of rows. */
function figureOf({ rows }: Rows): number | null {
  const [only, ...others] = rows.flat();
  return others.length > 0 ? null : (cellQuantity(only ?? null)?.value ?? null);
}

function compared(
  part: Part,
  { before, after, key, show, counts }: Of<"compare">,
  { desk, pages }: Room,
): Combine {
  return (...both) => {
    const sides = sideNames([before, after], [...pages.values()].flat());
    const table = compareRows(both, { key, show, sides });
    if (table === null) {
      const message = `The rows cannot be compared by ${key}: its values are not unique.`;
      return failPart(part, message, desk);
    }
    if (counts) return told(part, String(table.rows.length), { data: table.rows.length });
    return withRows(
      part,
      table.rows.length > 0 ? counted(table.rows.length, "row") : "none",
      table,
    );
  };
}

/** Names the two sides by the titles of their pages, if these tell them apart. */
function sideNames(queries: readonly Query[], pages: readonly ReadPage[]): [string, string] {
  const [left = "", right = ""] = queries.map(({ tables }) => {
    const page = pages.find(({ url }) => url === (tables[0]?.url ?? null));
    return page?.headings.find(({ level }) => level === 1)?.text ?? page?.title ?? "";
  });
  return left !== "" && right !== "" && left !== right ? [left, right] : ["before", "after"];
}

/** Lists the results of a search that tell a price; fewer than asked for are no answer. */
function priced(
  part: Part,
  { sourceId, count }: Of<"prices">,
  { desk, pages }: Room,
): Result | null {
  const [page] = pages.get(sourceId) ?? [];
  const found = (page?.tables ?? [])
    .flatMap(records)
    .flatMap(({ title = null, url = null, snippet }) => {
      const price = PRICE.pattern.exec(`${title} ${snippet}`)?.[0];
      return price === undefined ? [] : [[title, price, url] satisfies Json[]];
    });
  if (found.length < count) {
    const message = `Only ${found.length} of the results tell a price. A language model could open their pages.`;
    return failPart(part, message, desk);
  }
  return withRows(part, counted(count, "result"), {
    columns: ["result", "price", "url"],
    rows: found.slice(0, count),
    sources: page?.callId ? [page.callId] : [],
  });
}
