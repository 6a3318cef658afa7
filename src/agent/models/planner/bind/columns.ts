import { wordsOf } from "../language/normalize.ts";
import { familiesOf } from "./lexicon.ts";

/** How surely a phrase names a column. */
export interface ColumnMatch {
  index: number;
  strength: "exact" | "part" | "family";
}

/** Words of a column's name that are units or filler rather than the name. */
const FILLER = new Set("the of in a per usd eur gbp total no".split(" "));

function fold(phrase: string): string {
  return wordsOf(phrase).join(" ");
}

function unparenthesised(column: string): string {
  return column.replace(/[([{][^)\]}]*[)\]}]/g, " ");
}

/** The column whose name cuts a long word short: "temp_c" for "temperature"; -1 when there is none. */
function abbreviated(wanted: string, names: readonly string[]): number {
  if (wanted.length < 6 || wanted.includes(" ")) return -1;
  return names.findIndex((name) =>
    name.split(" ").some((one) => one.length > 2 && one.length <= 5 && wanted.startsWith(one)),
  );
}

/** The column that a phrase of singular words names, or null: by its name, a part of it, or its family. */
export function findColumn(phrase: string, columns: readonly string[]): ColumnMatch | null {
  const wanted = fold(phrase);
  if (wanted === "") return null;
  const names = columns.map(fold);
  const exact = names.indexOf(wanted);
  if (exact >= 0) return { index: exact, strength: "exact" };
  const bare = columns.findIndex((column) => fold(unparenthesised(column)) === wanted);
  if (bare >= 0) return { index: bare, strength: "exact" };
  const leaf = columns.findIndex(
    (column) => column.includes(".") && fold(column.split(".").at(-1) ?? "") === wanted,
  );
  if (leaf >= 0) return { index: leaf, strength: "exact" };
  const squeezed = names.findIndex(
    (name) => name.replaceAll(" ", "") === wanted.replaceAll(" ", ""),
  );
  if (squeezed >= 0) return { index: squeezed, strength: "exact" };
  const words = wanted.split(" ");
  const part = names.findIndex((name) => {
    const parts = name.split(" ");
    const telling = words.some(
      (word) => word.length > 2 && !FILLER.has(word) && !/^\d+$/.test(word),
    );
    return (
      telling && words.every((word) => parts.includes(word)) && parts.length <= words.length + 3
    );
  });
  if (part >= 0) return { index: part, strength: "part" };
  const families = familiesOf(wanted);
  const short = abbreviated(wanted, names);
  if (families.length === 0 && short >= 0) return { index: short, strength: "part" };
  if (families.length === 0) return null;
  const related = names.findIndex((name, index) => {
    const parts = name.split(" ");
    const candidates = [
      name,
      fold(unparenthesised(columns[index] ?? "")),
      parts.at(-1) ?? "",
      parts[0] ?? "",
    ];
    return candidates.some((candidate) =>
      familiesOf(candidate).some((family) => families.includes(family)),
    );
  });
  return related >= 0 ? { index: related, strength: "family" } : null;
}

/** The column of a family such as "price", or null. */
export function familyColumn(family: string, columns: readonly string[]): number | null {
  return findColumn(family, columns)?.index ?? null;
}

/** The column that tells rows apart for a reader: a name or title, else the first that is text. */
export function labelColumn(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): number {
  for (const family of [
    "name",
    "title",
    "product",
    "article",
    "item",
    "headline",
    "country",
    "city",
  ]) {
    const found = findColumn(family, columns);
    if (found === null || found.strength === "family") continue;
    const cells = rows.map((row) => String(row[found.index] ?? ""));
    // A city names places; of branches it tells where several of them are.
    const place = family === "country" || family === "city";
    if (!place || new Set(cells).size === cells.length) return found.index;
  }
  const text = columns.findIndex((_column, index) => {
    const cells = rows
      .map((row) => row[index])
      .filter((cell) => typeof cell === "string" && cell !== "");
    return (
      cells.length > 0 && cells.every((cell) => !/^\W{0,2}[\d.,\s%]+\W{0,2}$/.test(String(cell)))
    );
  });
  if (text >= 0) return text;
  return familyColumn("name", columns) ?? 0;
}
