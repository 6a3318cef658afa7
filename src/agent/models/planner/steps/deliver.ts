import type { Letter } from "../answer/mail-text.ts";
import type { Desk } from "../desk.ts";
import type { Goal } from "../plan/types.ts";
import { sendMails } from "./send-mails.ts";
import type { Worked } from "./walk.ts";
import { type Written, writeFiles } from "./write-files.ts";

/** What became of the orders about the answer. */
export interface Delivered {
  said: string[];
  notes: string[];
  /** Whether the rows lie in a file that was handed over. */
  filed: boolean;
  /** `failed` where a mail was all that was asked for and none was sent; `done` where one was. */
  outcome: "none" | "done" | "failed";
}

const NO_FILES: Written = { waiting: false, files: [], filename: null, said: [], notes: [] };

/**
 * Carries out what was ordered about the answer: files first, as a mail may carry them, then the
 * mails. Null while calls are under way.
 */
export function deliver(
  goal: Extract<Goal, { kind: "work" }>,
  worked: Worked,
  desk: Desk,
): Delivered | null {
  const { workbook, mails } = goal.orders;
  const parts = worked.parts.filter(({ status }) => status !== "failed");
  const files = workbook === null ? NO_FILES : writeFiles(workbook, parts, worked.pages, desk);
  if (files.waiting) return null;
  const letter: Letter = {
    parts,
    said: worked.said,
    notes: [...worked.failures, ...worked.notes, ...files.notes],
    files: files.files,
    filename: files.filename,
    named: workbook !== null && workbook.filename !== null,
    addresses: [...new Set(goal.asks.flatMap(({ addresses }) => addresses))],
    sources: [...new Set(parts.flatMap(({ callId, sources }) => callId ?? sources))],
  };
  const mailed = sendMails(mails, letter, desk);
  if (mailed.waiting) return null;
  const alone = mails.length > 0 && mails.every(({ whole }) => whole);
  return {
    said: [...files.said, ...mailed.said],
    notes: [...files.notes, ...mailed.notes],
    filed: files.files.length > 0,
    outcome: mailed.done > 0 ? "done" : alone ? "failed" : "none",
  };
}
