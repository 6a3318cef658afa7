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
import { fullestGroup, groupedRows, mostCommon } from "./compile-groups.ts";
import { extremeRowsOf, shownRows } from "./compile-rows.ts";
import { type Builder, type Compilation, filterOf, type Run, whereOf } from "./compiled.ts";
import type { TableFacts } from "./facts.ts";
import type { Frame } from "./frame.ts";

type Slot = "wants" | "figures" | "group" | "orders" | "extreme" | "limit" | "distinct" | "common";

/** A kind of question: what it makes of a frame, and the slots of the frame that it has a use for. */
interface Kind {
  when: (frame: Frame) => boolean;
  uses: readonly Slot[];
  compile: (builder: Builder) => Compilation;
}

const counts = ({ ask }: Frame) => ask === "count" || ask === "howmany";

/** The kinds of questions; a frame is of the first kind that fits. */
const KINDS: readonly Kind[] = [
  { when: ({ ask }) => ask === "percent", uses: [], compile: percentage },
  {
    when: ({ ask }) => ask === "diff" || ask === "range",
    uses: ["wants", "figures"],
    compile: differenceOf,
  },
  { when: ({ ask }) => ask === "every", uses: [], compile: everyRow },
  { when: ({ ask }) => ask === "exists" || ask === "yesno", uses: [], compile: existence },
  {
    when: ({ common }) => common !== null,
    uses: ["common", "wants", "limit"],
    compile: mostCommon,
  },
  {
    when: ({ group }) => group.length > 0,
    uses: ["group", "wants", "figures", "extreme", "limit", "orders"],
    compile: groupedRows,
  },
  {
    when: ({ extreme, figures }) =>
      extreme !== null && extreme.column === null && figures.length > 0,
    uses: ["wants", "figures", "extreme", "limit"],
    compile: fullestGroup,
  },
  {
    when: ({ figures }) => figures.length > 0,
    uses: ["wants", "figures", "extreme", "limit", "orders"],
    compile: figuresOf,
  },
  {
    when: ({ extreme }) => extreme !== null && extreme.column === null,
    uses: ["wants", "extreme", "limit"],
    compile: fullestGroup,
  },
  {
    when: (frame) => counts(frame) && frame.extreme === null,
    uses: ["wants", "distinct"],
    compile: countOf,
  },
  {
    when: ({ ask, extreme }) => ask === "howmuch" && extreme === null,
    uses: ["wants"],
    compile: amountOf,
  },
  {
    when: ({ extreme }) => extreme !== null,
    uses: ["extreme", "wants", "limit", "orders", "distinct"],
    compile: extremeRowsOf,
  },
  {
    when: () => true,
    uses: ["wants", "limit", "orders", "distinct"],
    compile: shownRows,
  },
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
  const kind = KINDS.find(({ when }) => when(builder.frame));
  const idle = SLOTS.find((slot) => isFilled(builder.frame, slot) && !kind?.uses.includes(slot));
  if (kind === undefined) return "it is not clear what is asked";
  if (idle !== undefined) return `${SLOT_WORDS[idle]} has no effect on the answer`;
  return kind.compile(builder);
}

/** The slots as a refusal names them. */
const SLOT_WORDS: Readonly<Record<Slot, string>> = {
  wants: "a column of it",
  figures: "a figure of it",
  group: "its grouping",
  orders: "its order",
  extreme: "its superlative",
  limit: "its number of rows",
  distinct: '"different"',
  common: '"most common"',
};
const SLOTS: readonly Slot[] = [
  ...(["wants", "figures", "group", "orders", "extreme", "limit", "distinct", "common"] as const),
];

function isFilled(frame: Frame, slot: Slot): boolean {
  const value = frame[slot];
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
}

/** Whether a filter names a single row by a column whose cells all differ. */
function namesOneRow({ filters }: Frame): boolean {
  return filters.some(
    ({ tests: [only, second], columns: [column] }) =>
      only?.test === "eq" &&
      second === undefined &&
      column?.unique === true &&
      column.kind !== "number",
  );
}
