import type { Json } from "../../../src/contract/json.ts";
import { isObject } from "../../../src/lib/json-values.ts";
import type { Answer, Fact, Rows } from "../expectation.ts";
import { mentions, says } from "./facts.ts";

/** The longest text that is read as one sentence with the answer in it. */
const SENTENCE = 300;

type Row = readonly Json[];

/** Returns whether something that was presented is the answer. */
export function answers(presented: Json, wanted: Answer): boolean {
  if (wanted.is === "value") return isValue(presented, wanted.value);
  return readings(presented).some((rows) => areRows(rows, wanted));
}

function isValue(presented: Json, value: Fact): boolean {
  const isSaid = readings(presented).some(
    ([row, ...others]) =>
      row !== undefined && others.length === 0 && row.some((cell) => says(cell, value)),
  );
  if (isSaid) return true;
  const isSentence =
    typeof presented === "string" && presented.length <= SENTENCE && !presented.includes("\n");
  return isSentence && mentions(presented, value);
}

/** Returns whether these are the rows: as many, each with its cells, in the order that is wanted. */
export function areRows(found: readonly Row[], { rows, ordered, only }: Rows): boolean {
  if (found.length !== rows.length) return false;
  const left = [...found];
  return rows.every((wanted, at) => {
    const fits = (row: Row): boolean =>
      (!only || row.length === wanted.length) &&
      wanted.every((fact) => row.some((cell) => says(cell, fact)));
    if (ordered) return fits(found[at] ?? []);
    const place = left.findIndex(fits);
    if (place === -1) return false;
    left.splice(place, 1);
    return true;
  });
}

/** Returns the ways to read something as rows. */
function readings(presented: Json): Row[][] {
  if (typeof presented === "string") {
    return [[[presented]], linesOf(presented), enumeratedIn(presented)];
  }
  if (Array.isArray(presented)) return [presented.map(cellsOf)];
  if (!isObject(presented)) return [[[presented]]];
  const { columns, rows } = presented;
  if (Array.isArray(columns) && Array.isArray(rows)) return [rows.map(cellsOf)];
  const entries = Object.entries(presented).map(([name, value]) => [name, ...cellsOf(value)]);
  return [[cellsOf(presented)], entries];
}

/** Returns the scalars of a row, which may be an object, a list or one scalar. */
function cellsOf(row: Json): Row {
  if (Array.isArray(row)) return row.flatMap(cellsOf);
  if (isObject(row)) return Object.values(row).flatMap((value) => cellsOf(value ?? null));
  return [row];
}

/** Returns the lines of a text as rows, without bullets and numbers. */
function linesOf(text: string): Row[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "")
    .map((line) => [line, ...line.split(/\s*[|\t,;:]\s*/).filter((cell) => cell !== "")]);
}

/** Returns the items of one line such as "Two hives: H01, H02 and H03". */
function enumeratedIn(text: string): Row[] {
  if (text.trim().includes("\n")) return [];
  const items = text.replace(/^[^:]*:\s+/, "").replace(/\.\s*$/, "");
  return items.split(/,\s+(?:and\s+)?|\s+and\s+/).map((item) => [item.trim()]);
}
