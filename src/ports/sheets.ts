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
