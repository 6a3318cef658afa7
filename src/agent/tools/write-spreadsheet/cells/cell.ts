/** How finely a point in time is known, and so shown. */
export type DateUnit = "day" | "second" | "millisecond";

/** One cell as it is written, with its type. */
export type SheetCell =
  | { kind: "empty" }
  | { kind: "text"; text: string }
  | { kind: "number"; value: number; format?: string }
  | { kind: "date"; at: number; unit: DateUnit }
  | { kind: "boolean"; value: boolean }
  | { kind: "link"; text: string; url: string };

export const EMPTY: SheetCell = { kind: "empty" };
