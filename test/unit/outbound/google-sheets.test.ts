import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SheetsClient } from "../../../src/agent/tools/write-spreadsheet/google-sheet.ts";
import type { ServiceAccount } from "../../../src/lib/service-account.ts";
import { sheetsClient } from "../../../src/outbound/google-sheets.ts";
import { type GoogleServer, startGoogleServer } from "../../support/google-server.ts";

const SHEET = "1sheet-of-the-tests";
const signal = new AbortController().signal;
let google: GoogleServer;
let now: number;

beforeEach(async () => {
  google = await startGoogleServer();
  now = Date.now();
});
afterEach(async () => {
  vi.useRealTimers();
  await google.close();
});

function client(account: ServiceAccount = google.account): SheetsClient {
  return sheetsClient({ account, baseUrl: google.url, spreadsheetIds: [SHEET], now: () => now });
}

const rows = { spreadsheetId: SHEET, sheet: "Sheet1", rows: [["=1+1", 2, true, null]] };

describe("rows", () => {
  it("are appended unchanged, by an authenticated account", async () => {
    expect(await client().append(rows, signal)).toEqual({
      kind: "appended",
      updatedRange: "'Sheet1'!A2:A2",
    });
    expect(google.appends).toEqual([
      {
        spreadsheetId: SHEET,
        range: "'Sheet1'",
        query: { valueInputOption: "RAW", insertDataOption: "INSERT_ROWS" },
        values: [["=1+1", 2, true, null]],
      },
    ]);
    const iat = Math.floor(now / 1_000);
    expect(google.assertions).toEqual([
      {
        iss: google.account.client_email,
        aud: google.account.token_uri,
        scope: "https://www.googleapis.com/auth/spreadsheets",
        iat,
        exp: iat + 3_600,
      },
    ]);
  });

  it.each([
    ["Bob's sheet", "'Bob''s sheet'"],
    ["a/b?c#d:e %", "'a/b?c#d:e %'"],
    ["日本!A1", "'日本!A1'"],
  ])("go to the tab called %s", async (sheet, range) => {
    await client().append({ ...rows, sheet }, signal);
    expect(google.appends).toMatchObject([{ range }]);
  });
});

describe("a token", () => {
  it("is reused until shortly before it expires", async () => {
    const sheets = client();
    await sheets.append(rows, signal);
    now += 3_539_000;
    await sheets.append(rows, signal);
    expect(google.assertions).toHaveLength(1);
    now = Date.now() + 3_541_000;
    await sheets.append(rows, signal);
    expect(google.assertions).toHaveLength(2);
  });

  it("that is revoked fails one call without a repeat, and is replaced for the next", async () => {
    const sheets = client();
    await sheets.append(rows, signal);
    google.withdrawTokens();
    expect(await sheets.append(rows, signal)).toMatchObject({
      kind: "refused",
      code: "google_refused",
    });
    expect(google.requests).toBe(2);
    expect(await sheets.append(rows, signal)).toMatchObject({ kind: "appended" });
    expect(google.assertions).toHaveLength(2);
  });
});

describe("nothing is appended, with an error,", () => {
  it("if the key belongs to another account", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
    const private_key = other.export({ type: "pkcs8", format: "pem" }).toString();
    expect(await client({ ...google.account, private_key }).append(rows, signal)).toEqual({
      kind: "refused",
      code: "google_refused",
      reason: "Google gave the service account no access (invalid_grant).",
    });
  });

  it.each([
    ["no key at all", "-----BEGIN PRIVATE KEY-----\nAAAASECRET\n-----END PRIVATE KEY-----"],
    [
      "a key of another kind",
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ],
  ])("if the configured key is %s, without showing it", async (_, private_key) => {
    const outcome = await client({ ...google.account, private_key }).append(rows, signal);
    expect(outcome).toMatchObject({ kind: "refused", code: "misconfigured" });
    expect(JSON.stringify(outcome)).toContain("GOOGLE_SERVICE_ACCOUNT");
    expect(JSON.stringify(outcome)).not.toMatch(/SECRET|BEGIN/);
    expect(google.assertions).toEqual([]);
  });

  it.each([
    [{ status: 400, body: { error: "invalid_grant" } } as const, "google_refused"],
    [{ status: 302, location: "/elsewhere" } as const, "google_refused"],
    [{ status: 200, body: { access_token: "" } } as const, "google_refused"],
    [{ status: 503 } as const, "unavailable"],
    ["close" as const, "unavailable"],
  ])("if the token server answers %j", async (answer, code) => {
    google.answerTokensWith(answer);
    expect(await client().append(rows, signal)).toMatchObject({ kind: "refused", code });
    expect(google.requests).toBe(0);
  });

  it("if the clock is wrong", async () => {
    now = Date.now() - 2 * 3_600_000;
    expect(await client().append(rows, signal)).toMatchObject({ code: "google_refused" });
  });

  it.each([
    [{ status: 400, body: { error: { message: "Unable to parse 'X'" } } }, /Unable to parse/],
    [{ status: 403, body: { error: { message: "No." } } }, /Share the sheet with the service acc/],
    [{ status: 404 }, /404/],
    [{ status: 307, location: "/v4/elsewhere" }, /307/],
  ])("when Google Sheets answers %j", async (answer, reason) => {
    google.answerAppendsWith(answer);
    expect(await client().append(rows, signal)).toEqual({
      kind: "refused",
      code: "google_refused",
      reason: expect.stringMatching(reason),
    });
    expect(google.requests).toBe(1);
  });
});

describe("the result is uncertain, and rows are not resent,", () => {
  it.each([
    [{ status: 500 } as const],
    [{ status: 200, body: "what" } as const],
    ["close" as const],
  ])("when Google Sheets answers %j", async (answer) => {
    google.answerAppendsWith(answer);
    expect(await client().append(rows, signal)).toMatchObject({ kind: "uncertain" });
    expect(google.requests).toBe(1);
  });

  it("after a timeout", async () => {
    const sheets = client();
    await sheets.append(rows, signal);
    google.answerAppendsWith("hang");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const outcome = sheets.append(rows, signal);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcome).toEqual({
      kind: "uncertain",
      reason:
        "Google Sheets did not answer in time. It is not known whether the rows were appended.",
    });
  });
});

it("ends at once with its caller", async () => {
  google.answerTokensWith("hang");
  const abort = new AbortController();
  const outcome = client().append(rows, abort.signal);
  await expect.poll(() => google.assertions.length).toBe(1);
  abort.abort(new Error("stopped"));
  await expect(outcome).rejects.toThrow("stopped");
});
