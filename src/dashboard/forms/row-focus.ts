import type { Page } from "../context.ts";

/** Where somebody who has just changed a list of rows types next: a row, from 0, or the button that adds one. */
export interface RowFocus {
  at: number | "add";
  /** Whether the rows are put into a page that is open. */
  live: boolean;
}

/** The last row, or the button where there is none. */
export function rowFocus(http: Page, rows: number): RowFocus {
  return {
    at: rows === 0 ? "add" : rows - 1,
    live: http.req.header("HX-Request") !== undefined,
  };
}

/** What gives the focus to one of these places. */
export function focusAttributes(focus: RowFocus | null, at: RowFocus["at"]) {
  if (focus === null || focus.at !== at) return {};
  return focus.live ? { "data-focus": "" } : { autofocus: true };
}
