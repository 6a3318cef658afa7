import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { addsUp, contradicts, namesOneRow } from "../laws/laws.ts";
import { completed } from "../laws/questions.ts";
import {
  amountOf,
  countOf,
  everyRow,
  existence,
  figuresOf,
  percentage,
} from "./compile-figures.ts";
import { fullestGroup, groupedRows } from "./compile-groups.ts";
import { extremeRowsOf, shownRows } from "./compile-rows.ts";
import { type Builder, type Compilation, filterOf, type Run, whereOf } from "./compiled.ts";
import type { TableFacts } from "./facts.ts";
import type { Frame } from "./frame.ts";

/** The slots of a frame that must have a use, as a refusal names them. */
const SLOTS: readonly (readonly [keyof Frame, string])[] = [
  ["wants", "a column of it"],
  ["figures", "a figure of it"],
  ["group", "its grouping"],
  ["orders", "its order"],
  ["extreme", "its superlative"],
  ["limit", "its number of rows"],
  ["distinct", '"different"'],
];

/** A kind of question: when a frame is of it, the slots that it has a use for, and what it makes of them. */
type Kind = [
  when: (frame: Frame) => boolean,
  uses: string,
  compile: (builder: Builder) => Compilation,
];

const asks =
  (...names: string[]) =>
  ({ ask }: Frame) =>
    names.includes(ask ?? "");
/** "The most employees": a superlative that is of no column. */
const isOfRows = ({ extreme }: Frame) => extreme !== null && extreme.column === null;
const hasFigures = ({ figures }: Frame) => figures.length > 0;

/** The kinds of questions; a frame is of the first kind that fits. */
const KINDS: readonly Kind[] = [
  [asks("percent"), "", percentage],
  [asks("every"), "", everyRow],
  [asks("exists", "yesno"), "", existence],
  [({ group }) => group.length > 0, "group wants figures extreme limit orders", groupedRows],
  [(frame) => isOfRows(frame) && hasFigures(frame), "wants figures extreme limit", fullestGroup],
  [hasFigures, "wants figures extreme limit orders", figuresOf],
  [isOfRows, "wants extreme limit", fullestGroup],
  [({ extreme }) => extreme !== null, "extreme wants limit orders distinct", extremeRowsOf],
  [asks("count", "howmany"), "wants distinct", countOf],
  [asks("howmuch"), "wants", amountOf],
  [() => true, "wants limit orders distinct", shownRows],
];

/** Compiles a frame into the operations of `process_data`; several readings if the frame leaves them open. */
export function compile(
  given: Frame,
  facts: TableFacts,
  run: Run,
  inherited: readonly DataOperation[],
): Compilation {
  const frame = completed(given, facts);
  if (typeof frame === "string") return frame;
  if (contradicts(frame)) return "no row can meet both conditions";
  if (frame.together && !addsUp(frame)) return '"together" adds nothing up';
  if (frame.figures.length > 0 && namesOneRow(frame))
    return "a figure of a single row says nothing";
  const rows = [
    ...inherited,
    ...frame.filters.map(filterOf),
    ...(frame.dedupe ? [{ op: "distinct" as const }] : []),
  ];
  const isOrdered = inherited.some(({ op }) => op === "sort");
  // "the top 2" of rows that were sorted before.
  const isTop =
    isOrdered &&
    frame.extreme?.column === null &&
    frame.extreme.alone &&
    frame.figures.length === 0;
  const builder = {
    frame: isTop ? { ...frame, extreme: null } : frame,
    facts,
    run,
    rows,
    where: whereOf(frame.filters),
  };
  const [, uses = "", build = shownRows] = KINDS.find(([when]) => when(builder.frame)) ?? [];
  const idle = SLOTS.find(
    ([slot]) => isFilled(builder.frame[slot]) && !uses.split(" ").includes(slot),
  );
  return idle === undefined ? build(builder) : `${idle[1]} has no effect on the answer`;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
}
