import { PRICE } from "../../../tools/process-data/pairs.ts";
import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import { records, toText } from "../../../tools/source-content.ts";
import type { Answer, Part, Query } from "../program.ts";
import { compareRows } from "./compare.ts";
import type { Desk } from "./desk.ts";
import { pageResult } from "./page-answers.ts";
import { type Result, type Room, told } from "./result.ts";
import { failPart, type Rows, runQuery } from "./rows.ts";
import type { ReadPage } from "./view.ts";
import { counted, listed, shown } from "./words.ts";

/** The most values or rows of a sentence. */
const MAX_SHOWN = 20;

/** Computes the result of a part from the answers of the tools; null if it waits or failed. */
export function resultOf(part: Part, room: Room): Result | null {
  const { answer } = part;
  const { desk } = room;
  switch (answer.kind) {
    case "compare":
      return compared(part, answer, room);
    case "figures":
      return figures(part, answer, desk);
    case "every": {
      const both = runBoth([answer.query, answer.all], part, desk);
      if (both === null) return null;
      const [count, whole] = [both.left.rows.length, both.right.rows.length];
      const holds = whole > 0 && count === whole;
      const said = `${holds ? "yes" : "no"}, ${count} of ${whole}`;
      return told(part, said, { isFound: holds, data: holds, ...both.evidence });
    }
    case "page":
    case "json":
      return pageResult(part, answer, room);
    case "prices":
      return priced(part, answer, room);
    case "literal": {
      const { text, data = text } = answer;
      const output = typeof data === "string" ? "text" : "json";
      return told(part, "", { data, sentence: text, text, output });
    }
    default: {
      const rows = runQuery(answer.query, part, desk);
      if (rows === null) return null;
      const flaw = flawOf(answer, rows, part);
      if (flaw !== null) return failPart(part, flaw, desk);
      return ofRows(part, answer, { ...rows, pages: pagesOf(answer.query, room) });
    }
  }
}

/** Returns the calls that read the pages of a query: its rows may be copies of theirs. */
function pagesOf({ tables }: Query, { pages }: Room): string[] {
  const read = [...pages.values()]
    .flat()
    .filter(({ url }) => tables.some((one) => one.url === url));
  return read.flatMap(({ callId }) => callId ?? []);
}

type OfRows = Extract<Answer, { kind: "table" | "list" | "value" | "count" | "exists" }>;

/** A figure of rows of which some are missing, or of amounts in several currencies, would be wrong. */
function flawOf({ kind }: OfRows, { cut, notes }: Rows, { label }: Part): string | null {
  if (kind === "table" || kind === "list") return null;
  if (cut) return `The data of "${label}" is too long to be read as a whole.`;
  return notes.find((note) => note.includes("different units")) ?? null;
}

function ofRows(part: Part, { kind }: OfRows, read: Rows & { pages: string[] }): Result {
  const { callId, columns, rows, notes } = read;
  const sources = [callId, ...read.pages];
  const isFound = rows.length > 0;
  const base = { isFound, columns, rows, callId, sources, notes };
  const values = rows.map((row) => row[0] ?? null);
  switch (kind) {
    case "table":
      return withRows(part, isFound ? counted(rows.length, "row") : "no row matches", base);
    case "list": {
      const more = values.length - MAX_SHOWN;
      const first = values.slice(0, MAX_SHOWN).map(shown).join(", ") || "none";
      const result = told(part, `${first}${more > 0 ? ` and ${more} more` : ""}`, {
        ...base,
        data: values,
      });
      const lines = values.map((value) => `- ${shown(value)}`);
      return isFound ? { ...result, text: [`${part.label}:`, ...lines].join("\n") } : result;
    }
    case "value": {
      const [only = null, ...others] = values;
      const hasValue = only !== null && only !== "";
      const ties = rows.map((row) => row.map(shown).join(" · "));
      const data = others.length > 0 ? values : only;
      const said = hasValue ? listed(ties) : "nothing was found";
      return told(part, said, { ...base, isFound: hasValue, data });
    }
    case "count":
      return told(part, String(rows.length), { data: rows.length, sources, notes });
    case "exists": {
      const said = isFound ? `yes, ${counted(rows.length, "row")}` : "no";
      const result = withRows(part, said, base);
      return { ...result, data: isFound, output: "json", callId: isFound ? callId : null };
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
  const more = rows.length - MAX_SHOWN;
  const rest = more > 0 ? [`- … and ${more} more`] : [];
  return {
    ...result,
    sentence: [result.text, ...lines, ...rest].join("\n"),
    text: `${result.text}\n\n${toText({ from: "data", table }).text}`,
  };
}

/** Two queries of a part, with the calls and notes of both. */
interface Both {
  left: Rows;
  right: Rows;
  evidence: Pick<Result, "sources" | "notes">;
}

function runBoth([one, other]: readonly [Query, Query], part: Part, desk: Desk): Both | null {
  const left = runQuery(one, part, desk);
  const right = runQuery(other, part, desk);
  if (left === null || right === null) return null;
  if (left.cut || right.cut) return failPart(part, "The data is too long.", desk);
  const sources = [left.callId, right.callId];
  return { left, right, evidence: { sources, notes: [...left.notes, ...right.notes] } };
}

function figures(
  part: Part,
  { operator, queries, labels }: Extract<Answer, { kind: "figures" }>,
  desk: Desk,
): Result | null {
  const both = runBoth(queries, part, desk);
  if (both === null) return null;
  const [left, right] = [figureOf(both.left), figureOf(both.right)];
  if (left === null || right === null) return failPart(part, "There is no figure for it.", desk);
  const value = operator === "difference" ? left - right : (left / right) * 100;
  if (!Number.isFinite(value)) return failPart(part, "It divides by zero.", desk);
  const exact = Number(value.toFixed(10));
  const unit = operator === "percent" ? " %" : "";
  const beside = `${labels[0]}: ${shown(left)}, ${labels[1]}: ${shown(right)}`;
  return told(part, `${shown(exact)}${unit} (${beside})`, {
    columns: [part.label, ...labels],
    rows: [[exact, left, right]],
    data: exact,
    ...both.evidence,
  });
}

/** Returns the number in the only cell of rows. */
function figureOf({ rows }: Rows): number | null {
  const [only, ...others] = rows.flat();
  return others.length > 0 ? null : (cellQuantity(only ?? null)?.value ?? null);
}

function compared(
  part: Part,
  { before, after, key, show }: Extract<Answer, { kind: "compare" }>,
  { desk, pages }: Room,
): Result | null {
  const both = runBoth([before, after], part, desk);
  if (both === null) return null;
  const sides = sideNames([before, after], [...pages.values()].flat());
  const table = compareRows([both.left, both.right], { key, show, sides });
  if (table === null) {
    const message = `The rows cannot be compared by ${key}: its values are not unique.`;
    return failPart(part, message, desk);
  }
  const isFound = table.rows.length > 0;
  const said = isFound ? counted(table.rows.length, "row") : "none";
  return withRows(part, said, { ...table, isFound, ...both.evidence });
}

/** Lists the results of a search that tell a price; fewer than asked for are no answer. */
function priced(
  part: Part,
  { sourceId, count }: Extract<Answer, { kind: "prices" }>,
  { desk, pages }: Room,
): Result | null {
  const [page] = pages.get(sourceId) ?? [];
  const found = (page?.tables ?? []).flatMap(records).flatMap(({ title, url, snippet }) => {
    const price = PRICE.pattern.exec(`${title} ${snippet}`)?.[0];
    return price === undefined ? [] : [[title ?? null, price, url ?? null]];
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

/** Names the two sides by the titles of their pages, if these tell them apart. */
function sideNames(queries: readonly Query[], pages: readonly ReadPage[]): [string, string] {
  const [left = "", right = ""] = queries.map(({ tables }) => {
    const page = pages.find(({ url }) => url === (tables[0]?.url ?? null));
    return page?.headings.find(({ level }) => level === 1)?.text ?? page?.title ?? "";
  });
  return left !== "" && right !== "" && left !== right ? [left, right] : ["before", "after"];
}
