import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { executionResult } from "../../../src/contract/execution.ts";
import { AGENT, newAccount, send, trigger, untilStatus } from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

/** Enough cells for the parts of the file to be large ones. */
const ROWS = 1_000;
const COLUMNS = 10;

it("outputs a workbook of an earlier call's result, which can be downloaded and read", async () => {
  const names = Array.from({ length: COLUMNS }, (_, column) => `c${column}`);
  const rows = Array.from({ length: ROWS }, (_, row) =>
    names.map((_, column) => (row + column) % 10),
  );
  const csv = [names, ...rows].map((row) => row.join(",")).join("\n");
  const extract = {
    sources: [{ data: csv, format: "csv" }],
    extract: { kind: "table" },
  };
  const { apiKey } = await newAccount();
  const id = await trigger(apiKey, {
    model: "openai/scripted",
    tools: ["process_data", "write_spreadsheet"],
    prompt: promptOf(
      { calls: [{ tool: "process_data", input: extract, id: "numbers" }] },
      {
        calls: [
          {
            tool: "write_spreadsheet",
            input: {
              format: "xlsx",
              filename: "numbers",
              sheets: [
                { name: "Numbers", from: "numbers" },
                { name: "Notes", columns: [{ name: "note" }], rows: [["=1+1"], ["2024-03-12"]] },
              ],
            },
          },
        ],
      },
      { finish: { summary: "The workbook is written." } },
    ),
  });
  await untilStatus(apiKey, id, "completed", "failed", "stopped");
  const response = await send(`${AGENT}/trigger/${id}/result`, { token: apiKey });
  const { outputs } = executionResult.parse(await response.json());
  expect(outputs).toMatchObject([
    { type: "file", nodeType: "SPREADSHEET", filename: "numbers.xlsx", label: "numbers.xlsx" },
  ]);
  expect(outputs[0]?.sources).not.toEqual([]);

  const file = await send(`${AGENT}/trigger/${id}/files/${outputs[0]?.outputId}`, {
    token: apiKey,
  });
  expect(file.headers.get("Content-Type")).toBe(outputs[0]?.mediaType);
  expect(file.headers.get("Content-Disposition")).toContain('filename="numbers.xlsx"');
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(outputs[0]).toMatchObject({ sizeBytes: bytes.length });
  const { sheets } = await readXlsx(bytes);
  expect(sheets.map(({ name }) => name)).toEqual(["Numbers", "Notes"]);
  expect(sheets[0]?.rows).toEqual([names, ...rows]);
  expect(sheets[1]?.rows).toEqual([["note"], ["=1+1"], [new Date("2024-03-12")]]);
});
