import type { ExecutionRow, StatusDetail } from "../../../contract/execution.ts";
import { plainError } from "./labels.ts";

/** Failed executions of one workflow for one reason. */
export interface FailureGroup {
  workflowId: string | null;
  statusDetail: StatusDetail;
  /** The beginning of what was reported, in which numbers, ids, names and addresses are `…`. */
  words: string;
  /** The newest first. */
  executions: ExecutionRow[];
}

/** Enough words to tell causes apart, few enough to leave out where each occurred. */
const TELLING_WORDS = 8;
/** What differs between two executions that failed for the same reason. */
const PARTICULARS =
  /https?:\/\/\S+|"[^"]*"|“[^”]*”|`[^`]*`|[\w.+-]+@[\w.-]+|\b(?=\w*\d)[\w.:,-]*\w/g;

/** Groups failed executions by workflow, status detail and reported words; the largest group first. */
export function groupFailures(rows: readonly ExecutionRow[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    const { workflowId, statusDetail, summary } = row;
    const words = tellingWords(summary ?? "");
    const key = JSON.stringify([workflowId, statusDetail, words]);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { workflowId, statusDetail, words, executions: [row] });
    else group.executions.push(row);
  }
  return [...groups.values()].sort((a, b) => b.executions.length - a.executions.length);
}

function tellingWords(summary: string): string {
  const words = plainError(summary).replace(PARTICULARS, "…").split(/\s+/).filter(Boolean);
  return words.slice(0, TELLING_WORDS).join(" ");
}
