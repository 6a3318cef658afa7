import { readSheet } from "read-excel-file/node";
import { expect, it } from "vitest";
import { write } from "./write.ts";

it("makes workbooks that another program reads as they were meant", async () => {
  const { output } = await write({
    format: "xlsx",
    filename: "orders",
    sheets: [
      {
        name: "Orders",
        columns: [
          { name: "Id" },
          { name: "Customer" },
          { name: "Total" },
          { name: "Placed" },
          { name: "Paid" },
        ],
        rows: [
          ["0017", "Zoë 🍵", 1200.5, "2026-02-03", true],
          ["0018", "=1+1", -3, "2026-12-31", false],
        ],
      },
      { name: "Empty", columns: [{ name: "Note" }], rows: [] },
    ],
  });
  const bytes = Buffer.from(output?.bytes ?? []);
  expect(await readSheet(bytes, "Orders")).toEqual([
    ["Id", "Customer", "Total", "Placed", "Paid"],
    ["0017", "Zoë 🍵", 1200.5, new Date("2026-02-03T00:00:00Z"), true],
    ["0018", "=1+1", -3, new Date("2026-12-31T00:00:00Z"), false],
  ]);
  expect(await readSheet(bytes, "Empty")).toEqual([["Note"]]);
});
