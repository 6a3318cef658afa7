import * as z from "zod";
import type { Settings } from "../../env.ts";
import type { ServiceAccount } from "../../lib/service-account.ts";
import type { AppendResult, SheetRows, SheetsClient } from "../../ports/sheets.ts";
import { accessToken, forgetToken } from "./access-token.ts";
import { post, type Reply } from "./request.ts";

const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const TIMEOUT_MS = 30_000;
const MAX_MESSAGE = 300;

/** Creates the client of the configured Google account, or returns null without one. */
export function createSheetsClient(
  settings: Settings,
  /** The sheets of the account; null for those of the deployment. */
  sheets: readonly string[] | null,
): SheetsClient | null {
  const { GOOGLE_SERVICE_ACCOUNT: account, GOOGLE_SHEETS, GOOGLE_SHEETS_URL } = settings;
  const spreadsheetIds = sheets ?? GOOGLE_SHEETS;
  if (account === undefined || spreadsheetIds.length === 0) return null;
  const baseUrl = GOOGLE_SHEETS_URL.replace(/\/+$/, "");
  return sheetsClient({ account, baseUrl, spreadsheetIds, now: () => Date.now() });
}

export interface SheetsOptions {
  account: ServiceAccount;
  /** The address before `/v4`. */
  baseUrl: string;
  spreadsheetIds: readonly string[];
  now(): number;
}

/** Creates a client of the Google Sheets API, version 4. */
export function sheetsClient(options: SheetsOptions): SheetsClient {
  const { account, baseUrl, spreadsheetIds, now } = options;
  return {
    spreadsheetIds,
    async append(rows, signal) {
      const access = await accessToken(account, { scope: SCOPE, now, signal });
      if (!access.ok) return { kind: "refused", code: access.code, reason: access.reason };
      const reply = await post(appendUrl(baseUrl, rows), requestOf(rows, access.token), {
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      // Google revoked the token early; the next call requests another.
      if (reply.kind === "answered" && reply.status === 401) forgetToken(account);
      return outcomeOf(reply);
    },
  };
}

/** Returns the URL to append rows. RAW keeps text that looks like a formula, a number or a date. */
function appendUrl(baseUrl: string, { spreadsheetId, sheet }: SheetRows): string {
  const range = encodeURIComponent(`'${sheet.replaceAll("'", "''")}'`);
  const query = "valueInputOption=RAW&insertDataOption=INSERT_ROWS";
  const id = encodeURIComponent(spreadsheetId);
  return `${baseUrl}/v4/spreadsheets/${id}/values/${range}:append?${query}`;
}

function requestOf({ rows }: SheetRows, token: string) {
  return {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ majorDimension: "ROWS", values: rows }),
  };
}

const appended = z.object({ updates: z.object({ updatedRange: z.string().max(1_000) }) });
const failure = z.object({ error: z.object({ message: z.string() }) });

function outcomeOf(reply: Reply): AppendResult {
  if (reply.kind === "lost") return uncertain(`Google Sheets ${reply.reason}.`);
  const { status, json } = reply;
  if (status >= 500) return uncertain(`Google Sheets answered ${status}.`);
  if (status >= 300) {
    const said = failure.safeParse(json).data?.error.message.slice(0, MAX_MESSAGE) ?? "";
    const reason = `Google Sheets refused the rows with ${status}. ${said}${hintOf(status)}`;
    return { kind: "refused", code: "google_refused", reason: reason.trim() };
  }
  const answer = appended.safeParse(json);
  if (!answer.success) return uncertain(`Google Sheets answered ${status} with an unknown body.`);
  return { kind: "appended", updatedRange: answer.data.updates.updatedRange };
}

function hintOf(status: number): string {
  return status === 403 ? " Share the sheet with the service account as an editor." : "";
}

function uncertain(what: string): AppendResult {
  return { kind: "uncertain", reason: `${what} It is not known whether the rows were appended.` };
}
