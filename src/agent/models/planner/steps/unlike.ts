import type { Ask } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";
import type { Room } from "./process.ts";
import { readRecords } from "./records.ts";

const TOGETHER =
  /\b(?:merge[ds]?|combine[ds]?|join(?:ed)?|unite[ds]?|one (?:table|list|sheet)|single|together|average|total|sum|how many|compare)\b/;

/** Whether pages have tables of different columns: put together they would be mostly empty cells. */
export function unlike(ask: Ask, pages: readonly Page[], room: Room): boolean {
  if (pages.length < 2 || ask.hops.length > 0 || TOGETHER.test(ask.text)) return false;
  const columns = pages.map((page) => {
    const sheet = readRecords(ask, [page], room)?.sheet;
    return sheet?.kind === "table" || sheet?.kind === "json"
      ? sheet.columns.map((name) => name.toLowerCase())
      : null;
  });
  const [first, ...others] = columns;
  if (first === undefined || first === null) return false;
  return others.some((names) => {
    if (names === null) return false;
    const shared = names.filter((name) => first.includes(name)).length;
    return shared * 2 < Math.min(first.length, names.length);
  });
}
