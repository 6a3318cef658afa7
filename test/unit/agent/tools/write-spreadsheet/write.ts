import { expect } from "vitest";
import { readPage } from "../../../../../src/agent/tools/page/read-page.ts";
import { writeSpreadsheet } from "../../../../../src/agent/tools/write-spreadsheet.ts";
import type { ToolAnswer } from "../../../../../src/contract/tools/call.ts";
import { writeSpreadsheetInput } from "../../../../../src/contract/tools/write.ts";
import { toolContext } from "../support.ts";

const TABLE = "<table><tr><th>Tea<th>Price<tr><td>Mint<td>$4.20</table>";

/** What the calls before came to, by their ids. */
const earlier: Record<string, ToolAnswer> = {
  data: {
    ok: true,
    content: {
      columns: ["Item Name", "Price", "Stock"],
      rows: [
        ["Mint", "$1,200.50", 3],
        ["=cmd()", "$4", null],
      ],
      rowCount: 2,
      notes: [],
      cut: false,
    },
  },
  cut: { ok: true, content: { columns: ["a"], rows: [[1]], rowCount: 9, notes: [], cut: true } },
  code: { ok: true, content: { value: [{ x: 1, y: "00123" }, { x: 2 }], console: [], cut: true } },
  page: { ok: true, content: readPage(TABLE, "https://example.com/") },
  tables: { ok: true, content: readPage(TABLE + TABLE, "https://example.com/") },
  failed: { ok: false, error: { code: "timeout", message: "late" } },
};

/** The tool's result, and the file that it made, if any. */
export async function write(raw: object) {
  const input = writeSpreadsheetInput.parse(raw);
  const result = await writeSpreadsheet(null).run(
    input,
    toolContext({ earlier, cuts: { cut: "1 of 9 rows" } }),
  );
  return { ...result, output: result.outputs?.[0] };
}

/** Why no file was made. */
export async function refusal(raw: object) {
  const { answer, outputs } = await write(raw);
  expect(outputs).toBeUndefined();
  return answer.ok ? null : answer.error;
}
