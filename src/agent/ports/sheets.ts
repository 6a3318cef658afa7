/** Rows for the end of a tab. */
export interface SheetRows {
  spreadsheetId: string;
  /** The tab's name. */
  sheet: string;
  /** A text stays a text, also one that looks like a formula. */
  rows: (string | number | boolean | null)[][];
}

/** What became of rows. A reason is a sentence that the user may read; it holds no secret. */
export type AppendResult =
  | { kind: "appended"; updatedRange: string }
  /** They were surely not appended. */
  | { kind: "refused"; code: "misconfigured" | "google_refused" | "unavailable"; reason: string }
  /** They were sent, and no answer says what came of it. */
  | { kind: "uncertain"; reason: string };

/** The way to Google Sheets of this deployment. */
export interface SheetsClient {
  /** The spreadsheets that agents may append to; the first is the one used by default. */
  readonly spreadsheetIds: readonly string[];
  /** Sends the rows once; answers within a minute, throws only the signal's reason and our faults. */
  append(rows: SheetRows, signal: AbortSignal): Promise<AppendResult>;
}
