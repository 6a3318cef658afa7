import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { add } from "./conditions.ts";
import type { Filter, Scan } from "./scan.ts";

const YES = /^(?:yes|y|true|✓|✔|x|1|on)$/i;
const NO = /^(?:no|n|false|✗|✘|-|0|off|)$/i;

/** The value of a column of yes and no that stands for the wanted one; null for any other column. */
export function flagValue(cells: readonly Json[], wanted: boolean): Filter["value"] | null {
  const texts = cells.map(cellText);
  const flags = texts.every((text) => YES.test(text) || NO.test(text));
  const telling = texts.some((text) => /^(?:yes|y|no|n|true|false|✓|✔|✗|✘)$/i.test(text));
  if (!flags || !telling) return null;
  if (cells.some((cell) => typeof cell === "boolean")) return wanted;
  return texts.find((text) => (wanted ? YES : NO).test(text)) ?? (wanted ? "yes" : "no");
}

const LACKS =
  "without|with no|lacking|missing|(?:do|does|did) not (?:have|offer|include)|have no|has no";
const HAS =
  "with|have|has|having|had|offers?|offering|includes?|including|provides?|(?:that|which|who) (?:is|are|was|were)";
const AFTER = new RegExp(
  `\\b(?:(${LACKS})|${HAS}) (?:an? |any |the )?(col\\d+_)(?! ?(?:,|and|or) col)(?! (?:of|is|are|=|val))`,
);
const BEFORE =
  /\b(?:how many|number of|list|all|the|only|any|which|show|get|count) (not |non-)?(?:the )?(col\d+_) (?=[a-z]{3,}(?:s|people)\b|col\d+_)/;

/** Reads "with a pool", "without parking", "how many sunny days" where the column says yes or no. */
export function readFlags(scan: Scan): void {
  for (const pattern of [AFTER, BEFORE]) {
    const match = pattern.exec(scan.text);
    const column = scan.column(match?.[2]);
    if (match === null || column === null) continue;
    const value = flagValue(scan.cells(column), match[1] === undefined);
    if (value === null) continue;
    scan.take(pattern, pattern === BEFORE ? match[0].split(/ (?:not |non-)?(?:the )?col/)[0] : " ");
    add(scan, column, "eq", value);
  }
}
