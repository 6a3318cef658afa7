import type { Letter } from "../answer/mail-text.ts";
import type { Part } from "../answer/parts.ts";
import type { Desk } from "../desk.ts";
import type { Goal } from "../plan/types.ts";
import { sendMails } from "./send-mails.ts";
import { sendPosts } from "./send-posts.ts";
import { SCREENSHOT, type Worked } from "./walk.ts";
import { writeDocument } from "./write-document.ts";
import { NOTHING_WRITTEN, type Written, writeFiles } from "./write-files.ts";

/** What became of the orders about the answer. */
export interface Delivered {
  said: string[];
  notes: string[];
  /** What was ordered to be sent or appended, and was not: it is told first. */
  undone: string[];
  /** What came back from where something was sent. */
  parts: Part[];
  /** Whether the rows lie in a file that was handed over. */
  filed: boolean;
  /** `failed` where a mail was all that was asked for and none was sent; `done` where one was. */
  outcome: "none" | "done" | "failed";
}

/** What became of all the files: of rows, and of text. */
function together(rows: Written, text: Written): Written {
  return {
    waiting: rows.waiting || text.waiting,
    files: [...rows.files, ...text.files],
    filename: rows.filename ?? text.filename,
    said: [...rows.said, ...text.said],
    notes: [...rows.notes, ...text.notes],
    undone: [...rows.undone, ...text.undone],
  };
}

/** What the browser says of its files is told by their being attached. */
function isOfPages(failure: string): boolean {
  return !/\bis handed over as a file\b/.test(failure);
}

/**
 * Carries out what was ordered about the answer: files first, as a mail may carry them, then the
 * mails. Null while calls are under way.
 */
export function deliver(
  goal: Extract<Goal, { kind: "work" }>,
  worked: Worked,
  desk: Desk,
): Delivered | null {
  const { workbook, document, mails, posts } = goal.orders;
  const parts = worked.parts.filter(({ status }) => status !== "failed");
  const shots = parts.filter(({ label }) => label === SCREENSHOT);
  const listed = worked.lists.filter(({ status }) => status === "found");
  const rows = listed.length > 0 ? listed : parts.filter((part) => !shots.includes(part));
  const sheets =
    workbook === null ? NOTHING_WRITTEN : writeFiles(workbook, rows, worked.pages, desk);
  const text = document === null ? NOTHING_WRITTEN : writeDocument(document, parts, desk);
  const files = together(sheets, text);
  if (files.waiting) return null;
  const { verdict } = worked;
  const decided = verdict.kind === "free" ? [] : verdict.parts;
  const letter: Letter = {
    // A mail that says no more than that something holds tells what was found about it.
    parts: parts.length > 0 ? parts : decided,
    said: worked.said,
    notes: [...worked.failures.filter(isOfPages), ...files.undone, ...files.notes],
    files: [...files.files, ...shots.flatMap(({ sources }) => sources)],
    filename: files.filename,
    named: (workbook?.filename ?? document?.filename ?? null) !== null,
    addresses: [...new Set(goal.asks.flatMap(({ addresses }) => addresses))],
    sources: [...new Set(parts.flatMap(({ callId, sources }) => callId ?? sources))],
  };
  const may = { verdict, doubt: goal.orders.doubt };
  const mailed = sendMails(mails, letter, may, desk);
  const posted = sendPosts(posts, letter.parts, worked.notes.length > 0, verdict, desk);
  if (mailed.waiting || posted.waiting) return null;
  const sent = [...mails, ...posts, ...(workbook?.format === "google_sheet" ? [workbook] : [])];
  const alone = sent.length > 0 && sent.every(({ whole }) => whole);
  const undone = [...files.undone, ...mailed.notes, ...posted.notes];
  const written = document !== null && document.content !== null && text.files.length > 0;
  const done = written || mailed.done + posted.done > 0;
  return {
    said: [...files.said, ...mailed.said, ...posted.said],
    notes: files.notes,
    undone,
    parts: posted.parts,
    filed: files.files.length > 0,
    outcome: done ? "done" : alone && undone.length > 0 ? "failed" : "none",
  };
}
