import type { Json } from "../contract/json.ts";
import type { OutputFile, WaitForEventInput } from "../contract/tools/call.ts";
import type { CodeContent } from "../contract/tools/data.ts";
import type { SearchContent, SearchResult } from "../contract/tools/web.ts";
import type { EmailRoute } from "../contract/tools/write.ts";
import type { GuardedFetch } from "./fetch.ts";

/** A page to open in a real browser. */
export interface RenderRequest {
  url: string;
  /** Fetches everything that the browser requests; it has no other way to the network. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** A page as a visit ended with it. */
export interface RenderedPage {
  /** The final address. */
  url: string;
  /** The final document. */
  html: string;
  /** Where a response that the page is made of was cut, or left out for its size. */
  cutAt?: string;
  notes: string[];
}

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a new browser and reads it. Nothing is kept. Throws an `OutboundError`, or the
   * signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}

/** An e-mail. */
export interface Email {
  /** The message id without angle brackets. A repeated call has the same. */
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string;
  text: string;
  attachments: OutputFile[];
}

/** The result of sending an e-mail. A reason is a sentence for the user, without secrets. */
export type SendResult =
  | { kind: "sent"; messageId: string }
  /** It certainly reached nobody. */
  | { kind: "refused"; reason: string }
  /** It was sent without a response. */
  | { kind: "uncertain"; reason: string };

/** Sends the e-mail of this deployment. */
export interface Mailer {
  readonly route: EmailRoute;
  /** The sender of every e-mail; null while the operator has not set one. */
  readonly from: string | null;
  /** The recipients that the operator allows the account, or all accounts. */
  readonly allowedRecipients: readonly string[];
  /** Returns within two minutes; throws only the signal's reason and internal errors. */
  send(mail: Email, signal: AbortSignal): Promise<SendResult>;
}

/** The webhooks of the account, for tools that wait for one. */
export interface EventSource {
  /**
   * Has the call with this key answered by the next event that fulfils the condition. A repeat changes
   * nothing. Returns until when it waits (epoch milliseconds), or why it cannot, as a sentence for the model.
   */
  wait(
    idempotencyKey: string,
    input: WaitForEventInput,
  ): Promise<{ ok: true; until: number } | { ok: false; message: string }>;
}

/** The body of an async function with its arguments. */
interface Program {
  code: string;
  input: Json;
  answers: readonly Json[];
}

/** Why a program failed. */
export type RunErrorCode =
  /** It threw, or it is not valid JavaScript. */
  | "code_error"
  | "time_limit"
  | "memory_limit"
  | "stack_limit"
  | "output_too_large"
  /** Its return value cannot be serialized as JSON. */
  | "not_json"
  /** The engine failed. */
  | "engine_error";

export interface RunError {
  code: RunErrorCode;
  message: string;
}

export type RunOutcome = { ok: true; content: CodeContent } | { ok: false; error: RunError };

/** Runs untrusted JavaScript without network, files or host objects. */
export interface Sandbox {
  /** Runs a program within the limits and leaves no state for the next one. */
  run(program: Program): Promise<RunOutcome>;
}

/** A search, and the way to the provider. */
interface SearchRequest {
  query: string;
  /** The most results. */
  count: number;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** The result of a search, as the provider wrote it. A reason is a sentence for the user, without secrets. */
export type SearchOutcome =
  | { kind: "found"; results: SearchResult[] }
  | {
      kind: "failed";
      code: "search_refused" | "rate_limited" | "search_unavailable";
      reason: string;
    };

/** The search provider of this deployment. */
export interface SearchClient {
  readonly provider: SearchContent["provider"];
  /** The form of titles and snippets. */
  readonly form: "text" | "html";
  /** Returns within half a minute. Throws an `OutboundError`, or the signal's reason when it aborts. */
  search(request: SearchRequest): Promise<SearchOutcome>;
}

/** Rows to append to a tab. */
export interface SheetRows {
  spreadsheetId: string;
  /** The tab's name. */
  sheet: string;
  /** Texts stay texts, even if they look like formulas. */
  rows: (string | number | boolean | null)[][];
}

/** The result of appending rows. A reason is a sentence for the user, without secrets. */
export type AppendResult =
  | { kind: "appended"; updatedRange: string }
  /** They were certainly not appended. */
  | { kind: "refused"; code: "misconfigured" | "google_refused" | "unavailable"; reason: string }
  /** They were sent without a response. */
  | { kind: "uncertain"; reason: string };

/** Appends rows to the Google Sheets of this deployment. */
export interface SheetsClient {
  /** The spreadsheets that agents may append to; the first is the default. */
  readonly spreadsheetIds: readonly string[];
  /** Sends the rows once and returns within a minute; throws only the signal's reason and internal errors. */
  append(rows: SheetRows, signal: AbortSignal): Promise<AppendResult>;
}
