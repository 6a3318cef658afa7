import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CLEANING_STEPS,
  type Cleaning,
} from "../../../../../../src/agent/models/planner/plan/cleaning.ts";
import {
  type CleaningReport,
  cleaningProgram,
  cleaningReport,
} from "../../../../../../src/agent/models/planner/program/cleaning-program.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import { nodeSandbox } from "../../../../../support/sandbox.ts";

interface Cleaned {
  rows: Json;
  report: CleaningReport;
}

/** Runs the program in the sandbox, over one table. */
async function clean(
  columns: string[],
  rows: Json[][],
  cleaning: Partial<Cleaning> = {},
): Promise<Cleaned> {
  const code = cleaningProgram({ steps: [...CLEANING_STEPS], letterCase: null, ...cleaning });
  const answers: Json[] = [{ columns, rows, rowCount: rows.length, notes: [], cut: false }];
  const outcome = await nodeSandbox.run({ code, input: null, answers });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { value, console: lines } = outcome.content;
  return { rows: value, report: cleaningReport.parse(JSON.parse(lines.at(-1) ?? "")) };
}

const column = async (name: string, cells: Json[], cleaning?: Partial<Cleaning>) => {
  const { rows } = await clean(
    ["Key", name],
    cells.map((cell, at) => [`k${at}`, cell]),
    cleaning,
  );
  return Array.isArray(rows)
    ? rows.map((row) =>
        row !== null && typeof row === "object" && !Array.isArray(row) ? row[name] : null,
      )
    : [];
};

test.for([
  [
    ["€ 1.234,50", "€2,00"],
    [1234.5, 2],
  ],
  [
    ["1,234.50 EUR", "3 EUR"],
    [1234.5, 3],
  ],
  [
    ["$1,250.00", "USD 86.40"],
    [1250, 86.4],
  ],
  [
    ["1.234 €", "5 €"],
    [1234, 5],
  ],
  [
    ["CHF 12.50", "1'200.00 CHF"],
    [12.5, 1200],
  ],
  [
    ["12,-", "3,50"],
    [12, 3.5],
  ],
  [
    ["(20.00)", "-5", "−3"],
    [-20, -5, -3],
  ],
  [
    [7, "8"],
    [7, 8],
  ],
  [
    ["1 234,5", "2"],
    [1234.5, 2],
  ],
] as const)("reads the amounts %j", async ([cells, amounts]) => {
  expect(await column("Price", [...cells])).toEqual(amounts);
});

test.for([
  ["Phone", ["030 1234", "555 0199"]],
  ["SKU", ["100", "200"]],
  ["Code", ["7", "8"]],
  ["Batch", ["0012", "0013"]],
  ["Weight", ["100 g", "2 kg"]],
  ["Name", ["Tea 4", "Oak 5"]],
] as const)("leaves the column %s as it is", async ([name, cells]) => {
  expect(await column(name, [...cells])).toEqual(cells);
});

test("keeps what is no amount among amounts, and says so", async () => {
  const { rows, report } = await clean(
    ["Tea", "Price"],
    [
      ["a", "€1.00"],
      ["b", "on request"],
      ["c", "n/a"],
      ["d", "€2.00"],
    ],
  );
  expect(rows).toMatchObject([
    { Price: 1 },
    { Price: "on request" },
    { Price: null },
    { Price: 2 },
  ]);
  expect(report).toMatchObject({ numbers: 2, unread: ["Price: on request"] });
});

test("puts the currency beside the amounts, each row its own", async () => {
  const { rows } = await clean(
    ["Tea", "Price"],
    [
      ["a", "€1.00"],
      ["b", "$2.00"],
      ["c", "3"],
    ],
  );
  expect(rows).toEqual([
    { Tea: "a", Price: 1, Currency: "EUR" },
    { Tea: "b", Price: 2, Currency: "USD" },
    { Tea: "c", Price: 3, Currency: null },
  ]);
});

test.for([
  [
    ["03.02.2026", "15.12.2026"],
    ["2026-02-03", "2026-12-15"],
  ],
  [
    ["3 Feb 2026", "February 9, 2026"],
    ["2026-02-03", "2026-02-09"],
  ],
  [
    ["2026/2/7", "2026-02-08"],
    ["2026-02-07", "2026-02-08"],
  ],
  [
    ["13/02/2026", "01/02/2026"],
    ["2026-02-13", "2026-02-01"],
  ],
  [
    ["02/13/2026", "02/01/2026"],
    ["2026-02-13", "2026-02-01"],
  ],
] as const)("reads the dates %j", async ([cells, dates]) => {
  expect(await column("Date", [...cells])).toEqual(dates);
});

test("does not guess whether day or month comes first", async () => {
  const { rows, report } = await clean(["Date"], [["03/04/2026"], ["05/06/2026"]]);
  expect(rows).toEqual([{ Date: "03/04/2026" }, { Date: "05/06/2026" }]);
  expect(report.unread).toEqual(["Date: 03/04/2026 (day or month first?)"]);
});

test("counts what it trims and removes", async () => {
  const { rows, report } = await clean(
    ["Name", "City"],
    [
      ["  Ann\u00a0 Lee ", "Oslo"],
      ["ann lee", "OSLO"],
      ["", "  "],
      ["Bob", "Rome"],
    ],
  );
  expect(rows).toEqual([
    { Name: "Ann Lee", City: "Oslo" },
    { Name: "Bob", City: "Rome" },
  ]);
  expect(report).toMatchObject({ rowsRead: 4, duplicates: 1, emptyRows: 1, cellsTrimmed: 2 });
});

test("changes letters only where it was told to", async () => {
  const cells = ["élan VITAL o'neil", "bob"];
  expect(await column("Name", cells)).toEqual(cells);
  const letterCase = { column: "names", to: "title" as const };
  expect(await column("Name", cells, { letterCase })).toEqual(["Élan Vital O'neil", "Bob"]);
});

test("does no more than the steps that were asked for", async () => {
  const rows = [
    ["€1.00", "3 Feb 2026"],
    ["€1.00", "3 Feb 2026"],
  ];
  const { rows: left } = await clean(["Price", "Date"], rows, { steps: ["duplicates"] });
  expect(left).toEqual([{ Price: "€1.00", Date: "3 Feb 2026" }]);
});

test("knows rows that say the same in another way as duplicates", async () => {
  const rows = [
    ["Rope", "€ 1.250,00", "03.02.2026"],
    ["rope ", "1,250.00 EUR", "3 Feb 2026"],
    ["Rope", "$1,250.00", "2026-02-03"],
    ["Rope", "€1.250,00", "03/02/2026"],
  ];
  const { rows: left } = await clean(["Item", "Price", "Date"], rows, { steps: ["duplicates"] });
  expect(left).toMatchObject([
    { Price: "€ 1.250,00" },
    { Price: "$1,250.00" },
    { Date: "03/02/2026" },
  ]);
});

test("takes the words for a column as data, never as code", async () => {
  const column = '"}; throw new Error("ran"); ({a: "$&';
  const { rows } = await clean(["Name"], [["ann"]], { letterCase: { column, to: "upper" } });
  expect(rows).toEqual([{ Name: "ANN" }]);
});

test("accounts for every row of any table", async () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("€ 1,50", "$3", "n/a", "3.2.2026", " x ", "", "1.000", "USD 9"),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(table, async (cells) => {
      const { rows, report } = await clean(["A", "B"], cells);
      const { rowsRead, duplicates, emptyRows } = report;
      expect(rowsRead).toBe(cells.length);
      expect(rows).toHaveLength(rowsRead - duplicates - emptyRows);
    }),
    { numRuns: 60 },
  );
});
