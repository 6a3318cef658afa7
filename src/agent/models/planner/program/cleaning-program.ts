import * as z from "zod";
import type { Cleaning } from "../plan/cleaning.ts";
import {
  AMOUNTS,
  DATES,
  DAYS,
  DUPLICATES,
  EMPTY_ROWS,
  LETTERS,
  NUMBERS,
  READ,
  RETURN,
  TEXTS,
  WHITESPACE,
} from "./sections.ts";

/** What the program says on its console of what it did. */
export const cleaningReport = z.object({
  rowsRead: z.int(),
  cellsTrimmed: z.int(),
  emptyRows: z.int(),
  duplicates: z.int(),
  numbers: z.int(),
  dates: z.int(),
  letters: z.int(),
  unread: z.array(z.string()),
});
export type CleaningReport = z.infer<typeof cleaningReport>;

const SECTIONS: Record<Cleaning["steps"][number], string> = {
  whitespace: WHITESPACE,
  emptyRows: EMPTY_ROWS,
  numbers: NUMBERS,
  dates: DATES,
  duplicates: DUPLICATES,
};

/**
 * The JavaScript that cleans the rows of earlier process_data answers. It is put together from fixed
 * sections; what a prompt brings enters as JSON alone, never as code. It returns the rows as objects and
 * tells on its console what it did.
 */
export function cleaningProgram({ steps, letterCase }: Cleaning): string {
  const letters =
    letterCase === null ? [] : [LETTERS.replace("LETTER_CASE", () => JSON.stringify(letterCase))];
  const before = steps.filter((step) => step !== "duplicates" && step !== "emptyRows");
  const after = steps.filter((step) => step === "emptyRows" || step === "duplicates");
  const sections = [
    ...before.map((step) => SECTIONS[step]),
    ...letters,
    ...after.map((step) => SECTIONS[step]),
  ];
  const asked = new Set(steps);
  const compared = asked.has("duplicates");
  const reading = [
    ...(asked.has("numbers") || compared ? [AMOUNTS] : []),
    ...(asked.has("dates") || compared ? [DAYS] : []),
  ];
  return [READ, TEXTS, ...reading, ...sections, RETURN].join("\n\n");
}
