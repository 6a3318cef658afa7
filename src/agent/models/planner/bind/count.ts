import { applyOperations } from "../../../tools/process-data.ts";
import { labelColumn } from "./columns.ts";
import { numeric } from "./numbers.ts";
import type { Scan } from "./scan.ts";

const COUNT =
  /\bhow many\b|(?<!(?:col\d+_|phone|contact|tel|fax|mobile|id|order) )\b(?:total )?number of\b|\b(?:total )?count\b|\bcounting\b|\bhow much (?:of them|rows|entries)\b|\bquantity of (?:rows|entries|items)\b|\btally\b/;

/** Whether rows are to be counted: 1 or 0. */
export function countHint(scan: Scan): number {
  return COUNT.test(scan.text) ? 1 : 0;
}

/** "The name and number of stars of each hotel" asks for the column of stars, not for a count. */
function namesNumber(scan: Scan): boolean {
  const beside = /col\d+_ ?(?:,|and) (?:the |their |its )?number of (?:the )?(col\d+_)/.exec(
    scan.text,
  );
  const column = scan.column(beside?.[1]);
  return column !== null && numeric(scan).includes(column);
}

/** How many rows the conditions leave. */
function chosenRows(scan: Scan): number {
  const kept = applyOperations(
    { columns: [...scan.columns], rows: [...scan.rows] },
    scan.query.filters,
  );
  return kept.ok ? kept.value.table.rows.length : 0;
}

/** "how many": the rows are counted, unless the words name a number that is to be looked up or added. */
export function readCount(scan: Scan): void {
  const share = scan.take(
    /\b(?:what |which )?(?:percentage|percent|share|fraction|proportion|%)(?= of\b)/,
  );
  if (share !== null && scan.query.filters.length + scan.query.anyOf.length > 0) {
    scan.query.count = true;
    scan.query.percent = true;
    return;
  }
  if (namesNumber(scan)) return;
  const match = scan.take(COUNT);
  if (match === null) return;
  const total =
    /\b(?:in total|altogether|overall|combined|in all|across all|all together)\b/.test(scan.text) ||
    match[0].startsWith("total");
  const near =
    scan.rows.length === 1 ? /^(?:[\w ,]{0,60}?)(col\d+_)/ : /^(?:[\w ]{0,14}?)(col\d+_)/;
  const next = near.exec(scan.text.slice(match.index).trim());
  const column = scan.column(next?.[1]);
  const quantity = column !== null && numeric(scan).includes(column);
  const looked = scan.rows.length === 1 || scan.query.filters.some(({ test }) => test === "eq");
  const label = scan.columns[labelColumn(scan.columns, scan.rows)];
  const directly =
    /^col\d+_/.test(scan.text.slice(match.index).trim()) && scan.query.filters.length === 0;
  if (directly && column !== null && !quantity && column !== label && !total) {
    // "How many departments" of a list of people counts each department once.
    scan.query.distinct = [column];
  }
  if (scan.query.aggregates.some((one) => one.column !== null && one.column === column)) return;
  if (quantity && total && column !== null) scan.query.aggregates.push({ fn: "sum", column });
  else if (
    quantity &&
    looked &&
    (scan.rows.length === 1 ||
      /\b(?:does|do|has|have|live|lives|did)\b/.test(scan.text) ||
      /^(?:left|remaining|(?:in )?stock|qty|quantity|seats|units|places|vacancies)/i.test(
        column ?? "",
      ))
  )
    if (chosenRows(scan) > 1) scan.query.aggregates.push({ fn: "sum", column });
    else scan.query.select = [column];
  else scan.query.count = true;
}
