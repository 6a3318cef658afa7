import { TOOL_NAMES, type ToolName } from "../../contract/tools/names.ts";
import type { Posted } from "./posted.ts";

/** Tools as a column of boxes, and a line for those of MCP servers, have them. */
export interface ToolChoice {
  ticked: ReadonlySet<ToolName>;
  others: string;
}

export const NO_TOOLS: ToolChoice = { ticked: new Set(), others: "" };

/** What was ticked and typed. */
export function postedChoice(posted: Posted, list: "tools" | "approvals"): ToolChoice {
  return {
    ticked: new Set(TOOL_NAMES.filter((name) => posted.isOn(`${list}.${name}`))),
    others: posted.line(list),
  };
}

/** The boxes and the line that stand for these references. */
export function choiceOf(references: readonly string[] = []): ToolChoice {
  const ours = TOOL_NAMES.filter((name) => references.includes(name));
  const others = references.filter((reference) => !ours.some((name) => name === reference));
  return { ticked: new Set(ours), others: others.join(", ") };
}

/** What is chosen, as the API takes it; null for nothing. */
export function referencesOf({ ticked, others }: ToolChoice): string[] | null {
  const named = others.split(/[\s,]+/).filter((reference) => reference !== "");
  const all = [...ticked, ...named];
  return all.length === 0 ? null : all;
}
