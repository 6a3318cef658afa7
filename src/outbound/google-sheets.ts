import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type {
  AppendResult,
  SheetRows,
  SheetsClient,
} from "../agent/tools/write-spreadsheet/google-sheet.ts";
import type { Settings } from "../env.ts";
import { startDeadline } from "../lib/async.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { readCapped } from "../lib/read-up-to.ts";
import type { ServiceAccount } from "../lib/service-account.ts";

const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const APPEND_TIMEOUT_MS = 30_000;
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
  return sheetsClient({ account, baseUrl: GOOGLE_SHEETS_URL, spreadsheetIds, now: Date.now });
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
      const token = await accessToken(account, now, signal);
      if (typeof token !== "string") return token;
      const request = {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ majorDimension: "ROWS", values: rows.rows }),
      };
      const reply = await post(appendUrl(baseUrl, rows), request, APPEND_TIMEOUT_MS, signal);
      // Google revoked the token early; the next call requests another.
      if (reply.kind === "answered" && reply.status === 401) held.delete(account);
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

const appended = z.object({ updates: z.object({ updatedRange: z.string().max(1_000) }) });
const failure = z.object({ error: z.object({ message: z.string() }) });

function outcomeOf(reply: Reply): AppendResult {
  if (reply.kind === "lost") return uncertain(`Google Sheets ${reply.reason}.`);
  const { status, json } = reply;
  if (status >= 500) return uncertain(`Google Sheets answered ${status}.`);
  if (status >= 300) {
    const said = failure.safeParse(json).data?.error.message.slice(0, MAX_MESSAGE) ?? "";
    const hint = status === 403 ? " Share the sheet with the service account as an editor." : "";
    const reason = `Google Sheets refused the rows with ${status}. ${said}${hint}`;
    return { kind: "refused", code: "google_refused", reason: reason.trim() };
  }
  const answer = appended.safeParse(json);
  if (!answer.success) return uncertain(`Google Sheets answered ${status} with an unknown body.`);
  return { kind: "appended", updatedRange: answer.data.updates.updatedRange };
}

function uncertain(what: string): AppendResult {
  return { kind: "uncertain", reason: `${what} It is not known whether the rows were appended.` };
}

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_TIMEOUT_MS = 10_000;
/** The time before its end at which a token is renewed, so that a request arrives with a valid one. */
const MARGIN_MS = 60_000;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const refused = z.object({ error: z.string().max(100) });

/**
 * The tokens of this isolate by configured account. Only results are shared: a request in progress
 * belongs to the object that started it.
 */
const held = new WeakMap<ServiceAccount, { token: string; until: number }>();

/** Returns an access token, the same one until shortly before its end, or why there is none. */
async function accessToken(
  account: ServiceAccount,
  now: () => number,
  signal: AbortSignal,
): Promise<string | Extract<AppendResult, { kind: "refused" }>> {
  const known = held.get(account);
  const asked = now();
  if (known && asked < known.until) return known.token;
  const assertion = await assertionOf(account, { scope: SCOPE, now: asked });
  if (assertion === null) {
    const reason =
      "The private key in GOOGLE_SERVICE_ACCOUNT is not an RSA key. The operator must replace it.";
    return { kind: "refused", code: "misconfigured", reason };
  }
  const request = {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
  };
  const reply = await post(account.token_uri, request, TOKEN_TIMEOUT_MS, signal);
  if (reply.kind === "lost" || reply.status >= 500) {
    const what = reply.kind === "lost" ? reply.reason : `answered ${reply.status}`;
    const reason = `Google's token server ${what}. Nothing was appended.`;
    return { kind: "refused", code: "unavailable", reason };
  }
  const answer = granted.safeParse(reply.json);
  if (reply.status === 200 && answer.success) {
    const { access_token: token, expires_in } = answer.data;
    held.set(account, { token, until: asked + expires_in * 1_000 - MARGIN_MS });
    return token;
  }
  const why = refused.safeParse(reply.json).data?.error ?? `status ${reply.status}`;
  const reason = `Google gave the service account no access (${why}).`;
  return { kind: "refused", code: "google_refused", reason };
}

/**
 * Signs the JWT with which the account requests an access token (RFC 7523, section 2.1), for the hour that
 * Google accepts at most. Returns null if its private key is invalid.
 */
async function assertionOf(
  { client_email, private_key, token_uri }: ServiceAccount,
  { scope, now }: { scope: string; now: number },
): Promise<string | null> {
  const iat = Math.floor(now / 1_000);
  try {
    const key = await importPKCS8(private_key, "RS256");
    return await new SignJWT({ iss: client_email, scope, aud: token_uri, iat, exp: iat + 3_600 })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .sign(key);
  } catch {
    return null;
  }
}

/** The result of a request: a response with its JSON, which is null if it has none, or no response. */
type Reply =
  | { kind: "answered"; status: number; json: unknown }
  | { kind: "lost"; reason: "did not answer in time" | "could not be reached" };

const MAX_BYTES = 64 * 1024;

/**
 * Sends one POST to an address that the operator configured. Follows no redirect: an access token is
 * for that address alone. Throws the signal's reason when that aborts.
 */
async function post(
  url: string,
  request: { headers: Record<string, string>; body: string },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const init = { method: "POST", redirect: "manual", signal: deadline.signal } as const;
    const response = await fetch(url, { ...init, ...request });
    const { bytes } = await readCapped(response.body, MAX_BYTES, deadline.signal);
    const json = jsonOrNull(new TextDecoder().decode(bytes));
    return { kind: "answered", status: response.status, json };
  } catch {
    signal.throwIfAborted();
    const reason = deadline.expired ? "did not answer in time" : "could not be reached";
    return { kind: "lost", reason };
  } finally {
    deadline.clear();
  }
}
