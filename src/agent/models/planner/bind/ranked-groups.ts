import { cellText } from "../../../tools/process-data/values/cells.ts";
import { ADJECTIVES } from "./lexicon.ts";
import { numeric } from "./numbers.ts";
import type { Scan } from "./scan.ts";

const COMMON =
  /\bmost (?:common|frequent|popular|often (?:used|seen|named)) (col\d+_)|\b(?:which|what) (col\d+_) (?:(?:is|are)(?: the)? (?:most (?:often|frequently|common|frequent)|more often)|(?:appears?|occurs?|comes? up|shows? up)(?: the)? (?:most(?: often| frequently)?|more often))\b(?! col)/;

/** Whether "the most expensive" is told of rows by a column of their own, and no number of rows is meant. */
function isQuality(scan: Scan): boolean {
  const said = /\b(?:most|least) [a-z]+/.exec(scan.text)?.[0] ?? "";
  return ADJECTIVES.some(({ superlative }) => said !== "" && superlative.exec(said)?.index === 0);
}

/** "Which category has the most products", "the most common city", "which region has the highest total revenue". */
export function readRankedGroups(scan: Scan): boolean {
  const common = scan.take(COMMON);
  if (common === null && isQuality(scan)) return false;
  const most = scan.take(
    /(?:\b(?:which|what) (?=col\d+_ [a-z]+ )|(?<!\b(?:and|,) )(?=col\d+_ (?:with|having|that) ))(col\d+_) (?:that )?(?!(?:is|are|was|were)\b)[a-z]+ (?:the )?(most|highest|largest|greatest|biggest|fewest|lowest|least|smallest) (?:(?:number|amount|count) of )?(?:(average|mean|total|sum of|median|combined|overall) )?((?:col|val)\d+_|(?!(?:in|of|by|on|at|for)\b)[a-z]+)(?! col)/,
  );
  const match = common ?? most;
  const by = scan.column(match?.[1] ?? (common === null ? undefined : match?.[2]));
  if (match === null || by === null) return false;
  const repeated = new Set(scan.cells(by).map(cellText)).size < scan.rows.length;
  const direction = /^(?:fewest|lowest|least|smallest)$/.test(most?.[2] ?? "") ? "asc" : "desc";
  const column = common === null ? scan.column(most?.[4]) : null;
  const fn = /average|mean/.test(most?.[3] ?? "")
    ? "average"
    : most?.[3] === "median"
      ? "median"
      : "sum";
  const measured = column !== null && numeric(scan).includes(column);
  const single = most?.[3] === undefined && !/^(?:most|fewest|least)$/.test(most?.[2] ?? "");
  if (measured && (!repeated || single)) {
    scan.query.extreme = { column, direction, value: false };
    return true;
  }
  scan.query.groupBy = [by];
  scan.query.aggregates = [measured ? { fn, column } : { fn: "count", column: null }];
  scan.query.extreme = { column: measured ? column : "count", direction, value: false };
  scan.query.mentions++;
  return true;
}
