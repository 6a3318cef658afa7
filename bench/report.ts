import { type Figures, SECTIONS } from "./figures.ts";

/** The machine and the moment of a measurement. */
export interface Machine {
  cores: number;
  nodeVersion: string;
  measuredAt: Date;
}

/** Returns the file of `--json`: every figure that was measured, under its name. */
export function jsonReport(figures: Figures, { measuredAt, ...machine }: Machine): string {
  // A rate of what never happened is no number.
  const finite = Object.entries(figures).filter(([, value]) => Number.isFinite(value));
  const whole = {
    measuredAt: measuredAt.toISOString(),
    ...machine,
    ...Object.fromEntries(finite),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Returns the table: every figure that was measured, its ratio to the bare platform and its target. */
export function formatReport(figures: Figures): string {
  const blocks = SECTIONS.flatMap(({ title, rows }): string[][] => {
    const cells = rows.flatMap((row): string[][] => {
      const value = figures[row.name];
      return value === undefined ? [] : [rowCells(row, value, figures)];
    });
    return cells.length === 0 ? [] : [["", "", "", ""], [title, "", "", ""], ...cells];
  });
  return formatTable([["", "measured", "of bare", "target"], ...blocks]);
}

type Row = (typeof SECTIONS)[number]["rows"][number];

function rowCells(row: Row, value: number, figures: Figures): string[] {
  const base = "of" in row ? figures[row.of] : undefined;
  const ratio = base === undefined ? null : value / base;
  const judged = "of" in row ? ratio : value;
  return [
    `  ${row.label}`,
    withUnit(value, row.unit),
    ratio === null ? "" : `${ratio.toFixed(2)} x`,
    "target" in row && judged !== null ? verdict(row, judged) : "",
  ];
}

function verdict(row: Extract<Row, { target: unknown }>, judged: number): string {
  const { target } = row;
  const isMet = "atMost" in target ? judged <= target.atMost : judged >= target.atLeast;
  const bound = "atMost" in target ? target.atMost : target.atLeast;
  const limit = "of" in row ? `${bound} x` : withUnit(bound, row.unit);
  return `${"atMost" in target ? "at most" : "at least"} ${limit}${isMet ? "" : "  MISSED"}`;
}

function withUnit(value: number, unit: Row["unit"]): string {
  switch (unit) {
    case "KB":
      return `${decimal(value / 1_024)} KB`;
    case "$":
      return `$${decimal(value)}`;
    case "":
      return decimal(value);
    default:
      return `${decimal(value)} ${unit}`;
  }
}

/** A number with as many decimals as matter at its size. */
function decimal(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** The rows as text: the first and the last column left-aligned, those between them right-aligned. */
function formatTable(rows: string[][]): string {
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(([label = "", ...cells]) => {
      const [measured = "", ratio = "", target = ""] = cells;
      const [first = 0, second = 0, third = 0] = widths;
      const aligned = [label.padEnd(first), measured.padStart(second), ratio.padStart(third)];
      return [...aligned, target].join("  ").trimEnd();
    })
    .join("\n");
}
