import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { addsUp, contradicts } from "../laws/laws.ts";
import { completed } from "../laws/questions.ts";
import {
  amountOf,
  countOf,
  differenceOf,
  everyRow,
  existence,
  figuresOf,
  percentage,
} from "./compile-figures.ts";
import {
  extremeGroup,
  fullestGroup,
  groupedRows,
  havingFigure,
  mostCommon,
} from "./compile-groups.ts";
import { extremeOf, shownRows } from "./compile-rows.ts";
import { type Builder, type Compilation, type Evaluator, isOneRow, nothing } from "./compiled.ts";
import type { Frame } from "./frame.ts";

/** Compiles a frame into the operations of `process_data`; several readings if the frame leaves them open. */
export function compile(
  given: Frame,
  evaluator: Evaluator,
  inherited: readonly DataOperation[],
): Compilation[] {
  const frame = completed(given, evaluator.facts);
  if (typeof frame === "string") return nothing(frame);
  if (contradicts(frame)) return nothing("no row can meet both conditions");
  if (frame.together && !addsUp(frame)) return nothing('"together" adds nothing up');
  return compileAll({ frame, evaluator, inherited });
}

function compileAll(b: Builder): Compilation[] {
  const { ask, common, group, figures, extreme } = b.frame;
  if (figures.length > 0 && isOneRow(b)) return nothing("a figure of a single row says nothing");
  if (ask === "percent") return [percentage(b)];
  if (ask === "difference" || ask === "range") return [differenceOf(b)];
  if (ask === "every") return [everyRow(b)];
  if (ask === "exists" || ask === "yesno") return [existence(b)];
  if (common !== null) return [mostCommon(b)];
  if (group.length > 0) return [groupedRows(b, group)];
  if (figures.length > 0 && extreme?.column === null) return [extremeGroup(b)];
  if (figures.length > 0) return [figuresOf(b)];
  if (extreme !== null && extreme.column === null) {
    const ordered =
      b.inherited.some(({ op }) => op === "sort") && extreme.alone && extreme.descending;
    if (!ordered) return [fullestGroup(b)];
    // "the top 2" of rows that were sorted before.
    b.frame.extreme = null;
    return [shownRows(b)];
  }
  const isCount = ask === "count" || ask === "howmany";
  const isOne =
    ask === "howmany" && b.frame.wants.filter(({ kind }) => kind === "number").length === 1;
  if (b.frame.having !== null) return [havingFigure(b, b.frame.having)];
  if (isCount && extreme === null) return countOf(b);
  if (isCount && !isOne) return nothing("a count has no highest row");
  if (ask === "howmuch" && extreme === null && group.length === 0) return amountOf(b);
  if (extreme !== null) return extremeOf(b);
  return [shownRows(b)];
}
