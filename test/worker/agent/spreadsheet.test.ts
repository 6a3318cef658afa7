import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import {
  AGENT,
  newAccount,
  resultOf,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

/** Enough cells for the parts of the file to be large ones. */
const ROWS = 1_000;
const COLUMNS = 10;

it("outputs a workbook of an earlier call's result, which can be downloaded and read", async () => {
  const names = Array.from({ length: COLUMNS }, (_, column) => `c${column}`);
  const rows = Array.from({ length: ROWS }, (_, row) =>
    names.map((_, column) => (row + column) % 10),
  );
  const data = [names, ...rows].map((row) => row.join(",")).join("\n");
  const extract = { sources: [{ data, format: "csv" }], extract: { kind: "table" } };
  const sheets = [{ name: "Numbers", from: "numbers" }];
  const { apiKey } = await newAccount();
  const id = await trigger(apiKey, {
    model: "openai/scripted",
    prompt: promptOf(
      { calls: [{ tool: "process_data", input: extract, id: "numbers" }] },
      { calls: [{ tool: "write_spreadsheet", input: { format: "xlsx", filename: "n", sheets } }] },
      { finish: { summary: "The workbook is written." } },
    ),
  });
  await untilStatus(apiKey, id, "completed", "failed", "stopped");
  const [output] = (await resultOf(apiKey, id)).outputs;
  const file = await send(`${AGENT}/trigger/${id}/files/${output?.outputId}`, { token: apiKey });
  expect(file.headers.get("Content-Type")).toBe(output?.mediaType);
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(output).toMatchObject({ filename: "n.xlsx", sizeBytes: bytes.length });
  const read = await readXlsx(bytes);
  expect(read.sheets.map((sheet) => sheet.rows)).toEqual([[names, ...rows]]);
});
