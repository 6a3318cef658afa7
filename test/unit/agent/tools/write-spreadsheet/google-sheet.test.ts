import { beforeEach, describe, expect, it } from "vitest";
import type { SheetsClient } from "../../../../../src/agent/tools/write-spreadsheet/google-sheet.ts";
import { writeSpreadsheet } from "../../../../../src/agent/tools/write-spreadsheet.ts";
import { writeSpreadsheetInput } from "../../../../../src/contract/tools/write.ts";
import { parseSettings } from "../../../../../src/env.ts";
import { createSheetsClient } from "../../../../../src/outbound/google-sheets.ts";
import { startGoogleServer } from "../../../../support/google-server.ts";
import { untilEnd } from "../../../../support/until-end.ts";
import { toolContext } from "../support.ts";

const FIRST = "1first-of-the-sheets";
const SECOND = "1second-of-the-sheets";
const columns = [{ name: "a" }, { name: "b" }];
const rows = [
  ["=1+1", "2024-03-12"],
  ["$1,200", null],
];

const google = await untilEnd(startGoogleServer());
beforeEach(() => {
  google.appends.length = 0;
  google.requests = 0;
  google.answerAppendsWith(null);
});

/** The client as a deployment with these variables has it. */
function configured(
  variables: Record<string, string> = {},
  ofAccount: string[] | null = null,
): SheetsClient | null {
  return createSheetsClient(
    parseSettings({
      GOOGLE_SERVICE_ACCOUNT: JSON.stringify(google.account),
      GOOGLE_SHEETS: `${FIRST}, ${SECOND}`,
      GOOGLE_SHEETS_URL: `${google.url}/`,
      ...variables,
    }),
    ofAccount,
  );
}

async function append(raw: object, sheets = configured(), cutReads: string[] = []) {
  const earlier = {
    data: {
      ok: true as const,
      content: { columns: ["x"], rows: [["00123"]], rowCount: 1, notes: [], cut: false },
    },
  };
  return await writeSpreadsheet(sheets).run(
    writeSpreadsheetInput.parse({ format: "google_sheet", ...raw }),
    toolContext({ earlier, cuts: { page: "2 MiB" }, cutReads }),
  );
}

it("appends typed rows to the first configured sheet, as an effect", async () => {
  const { answer, outputs } = await append({ columns, rows });
  expect(answer).toEqual({
    ok: true,
    content: {
      format: "google_sheet",
      spreadsheetId: FIRST,
      updatedRange: "'Sheet1'!A2:A3",
      sheets: [{ name: "Sheet1", columns: 2, rows: 2 }],
      notes: [],
    },
  });
  expect(outputs).toBeUndefined();
  expect(google.appends).toMatchObject([
    {
      spreadsheetId: FIRST,
      range: "'Sheet1'",
      values: [
        ["=1+1", "2024-03-12"],
        [1200, null],
      ],
    },
  ]);
});

it("appends the result of an earlier call to the named sheet", async () => {
  const { basedOn } = await append({ spreadsheetId: SECOND, sheet: "Codes", from: "data" });
  expect(basedOn).toEqual(["data"]);
  expect(google.appends).toMatchObject([
    { spreadsheetId: SECOND, range: "'Codes'", values: [["00123"]] },
  ]);
});

it("appends a row that notes a cut source", async () => {
  const own = { columns: [{ name: "a" }], rows: [[1]] };
  const { basedOn } = await append(own, configured(), ["page"]);
  expect(basedOn).toEqual(["page"]);
  await append({ ...own, sources: ["data"] }, configured(), ["page"]);
  await append({ from: "data" }, configured(), ["page"]);
  const note = "Note: based on a source that was cut at 2 MiB; figures may be incomplete.";
  expect(google.appends.map(({ values }) => values)).toEqual([[[1], [note]], [[1]], [["00123"]]]);
});

it("is an effect whose target names the sheet; a file is not an effect", () => {
  const effectOf = (raw: object) =>
    writeSpreadsheet(null).effect?.(writeSpreadsheetInput.parse(raw));
  expect(effectOf({ format: "google_sheet", spreadsheetId: FIRST, columns, rows })).toEqual({
    target: `rows to Google Sheet ${FIRST} "Sheet1"`,
  });
  expect(effectOf({ format: "google_sheet", sheet: "Log", columns, rows })).toEqual({
    target: 'rows to the default Google Sheet "Log"',
  });
  expect(effectOf({ format: "csv", filename: "a", columns, rows })).toBeNull();
});

describe("nothing is sent", () => {
  it.each([
    [
      "to a sheet that the operator does not allow",
      { spreadsheetId: "1somebody-elses", columns, rows },
      "not_allowed",
    ],
    ["without rows", { columns, rows: [] }, "invalid_spreadsheet"],
    ["of a table that is none", { columns, rows: [[1]] }, "invalid_spreadsheet"],
    ["of a call that never was", { from: "nothing" }, "unknown_call"],
    [
      "over what Google takes at once",
      { columns: [{ name: "a" }], rows: Array.from({ length: 60 }, () => ["x".repeat(40_000)]) },
      "invalid_spreadsheet",
    ],
  ])("%s", async (_, raw, code) => {
    expect(await append(raw)).toMatchObject({ answer: { ok: false, error: { code } } });
    expect(google.requests).toBe(0);
  });

  it("if the configuration is incomplete", async () => {
    const account = JSON.stringify(google.account);
    for (const part of [{ GOOGLE_SHEETS: FIRST }, { GOOGLE_SERVICE_ACCOUNT: account }]) {
      const sheets = createSheetsClient(parseSettings(part), null);
      const { answer } = await append({ columns, rows }, sheets);
      expect(answer).toMatchObject({
        error: {
          code: "not_configured",
          message: expect.stringMatching(/GOOGLE_SERVICE_ACCOUNT and GOOGLE_SHEETS/),
        },
      });
    }
  });
});

it("the sheets of an account replace those of the deployment, even by an empty list", async () => {
  const own = configured({}, ["1own-sheet", "1other-own"]);
  await append({ columns, rows }, own);
  await append({ spreadsheetId: "1other-own", columns, rows }, own);
  const used = google.appends.map(({ spreadsheetId }) => spreadsheetId);
  expect(used).toEqual(["1own-sheet", "1other-own"]);
  const refused = await append({ spreadsheetId: FIRST, columns, rows }, own);
  expect(refused).toMatchObject({ answer: { error: { code: "not_allowed" } } });
  expect(await append({ columns, rows }, configured({}, []))).toMatchObject({
    answer: { error: { code: "not_configured" } },
  });
  expect(google.requests).toBe(2);
});

it("distinguishes a refusal from an uncertain result", async () => {
  google.answerAppendsWith({ status: 403, body: { error: { message: "No." } } });
  expect(await append({ columns, rows })).toMatchObject({
    answer: { error: { code: "google_refused" } },
  });
  google.answerAppendsWith({ status: 500 });
  expect(await append({ columns, rows })).toMatchObject({
    answer: { error: { code: "uncertain" } },
  });
  expect(google.requests).toBe(2);
});

it("cuts a text that is longer than a cell of Google Sheets, with a note", async () => {
  const { answer } = await append({ columns: [{ name: "a" }], rows: [["x".repeat(50_001)]] });
  expect(answer).toMatchObject({
    content: { notes: ["1 text was cut to the 50000 characters of a cell."] },
  });
  expect(google.appends[0]?.values).toEqual([["x".repeat(50_000)]]);
});

describe("a wrong GOOGLE_SERVICE_ACCOUNT", () => {
  const right = {
    client_email: "a@example.com",
    private_key: "-----BEGIN PRIVATE KEY-----\nU0VDUkVU\n-----END PRIVATE KEY-----\n",
    token_uri: "https://x.example",
  };
  it.each([
    "U0VDUkVU",
    '{"private_key": "U0VDUkVU',
    JSON.stringify({ ...right, private_key: undefined }),
    JSON.stringify({ ...right, client_email: "U0VDUkVU" }),
    JSON.stringify({ ...right, private_key: "U0VDUkVU" }),
    JSON.stringify({ ...right, token_uri: "U0VDUkVU" }),
  ])("stops the service from starting and is named without its value: %j", (account) => {
    const start = () => parseSettings({ GOOGLE_SERVICE_ACCOUNT: account });
    expect(start).toThrow("GOOGLE_SERVICE_ACCOUNT");
    expect(start).not.toThrow("U0VDUkVU");
  });
});
