import type { Json } from "../../../../contract/json.ts";
import { nameOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";
import type { Part } from "./parts.ts";

/** Rows as write_spreadsheet takes them. */
export type FileRows = { from: string } | { columns: { name: string }[]; rows: Json[][] };

/** A piece of the answer as rows: those of its call, else its records, else its one value. */
export function rowsOf(part: Part): FileRows {
  if (part.callId !== null && part.output === "table") return { from: part.callId };
  const plain = Array.isArray(part.data) && part.data.every((value) => !isObject(value));
  if (plain && Array.isArray(part.data)) {
    return { columns: [{ name: part.label }], rows: part.data.map((value) => [value]) };
  }
  const columns = [...new Set(part.records.flatMap((record) => Object.keys(record)))];
  if (columns.length === 0) {
    return { columns: [{ name: part.label }], rows: [[part.data ?? part.summary]] };
  }
  return {
    columns: columns.map((name) => ({ name })),
    rows: part.records.map((record) => columns.map((name) => record[name] ?? null)),
  };
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

/** A text with a capital in front. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a piece is called in a workbook: its page's title, its table's caption, else its label. */
export function titleOf(part: Part, pages: readonly Page[]): string {
  const page = pages.find(({ url }) => url !== "" && url === part.label);
  if (page !== undefined) return nameOf(page) || page.title || hostOf(page.url);
  if (part.label !== "table") return capital(part.label);
  const caption = part.leftover?.name ?? "";
  const [only, ...others] = pages;
  const named = only === undefined || others.length > 0 ? "" : nameOf(only);
  return capital(caption || named || part.label);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

const MAX_SHEET_NAME = 31;

/** Names that Excel takes for sheets, each different from the others in more than its capitals. */
export function sheetNames(titles: readonly string[]): string[] {
  const taken = new Set<string>(["history"]);
  return titles.map((title) => {
    const plain = title
      .replace(/[\\/?*[\]:\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
      .replace(/\s+/g, " ")
      .replace(/^[\s']+|[\s']+$/g, "");
    const base = cut(plain, MAX_SHEET_NAME) || "Sheet";
    let name = base;
    for (let copy = 2; taken.has(name.toLowerCase()); copy++) {
      const ending = ` ${copy}`;
      name = `${cut(base, MAX_SHEET_NAME - ending.length)}${ending}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

/** At most so many UTF-16 units, none of a pair halved, and no quote or space at the end. */
function cut(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/[\s']+$/, "");
}

/** A name that a file can have, with its extension. */
export function fileName(wanted: string, extension: "xlsx" | "csv"): string {
  const plain = wanted
    .replace(/\.(?:xlsx?|xlsm|csv|ods|tsv|txt)$/i, "")
    .replace(/[/\\\p{Cc}\p{Cf}]+/gu, "-")
    .replace(/^[.\s-]+|[.\s-]+$/g, "")
    .slice(0, 100);
  return `${plain === "" ? "data" : plain}.${extension}`;
}

/** A name made of words: "Loose tea" → "loose-tea". */
export function slug(words: string): string {
  return (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["data"]).join("-").slice(0, 60);
}
