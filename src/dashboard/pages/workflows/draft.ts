import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { jsonText } from "../../forms/json.ts";
import type { Posted } from "../../forms/posted.ts";
import { choiceOf, NO_TOOLS, postedChoice, type ToolChoice } from "../../forms/tool-choice.ts";

/** An input as its row in the form has it. */
export interface InputRow {
  name: string;
  type: string;
  required: boolean;
  /** As typed: plain text for texts and times, JSON for all else; empty for none. */
  default: string;
  description: string;
}

/** A workflow as its form has it: what was typed, right or wrong. */
export interface WorkflowDraft {
  name: string;
  prompt: string;
  inputs: InputRow[];
  model: string;
  tools: ToolChoice;
  approvals: ToolChoice;
  maxCredits: string;
  maxSteps: string;
  timeoutSeconds: string;
  callbackUrl: string;
  callbackSecret: string;
  /** Whether the secret that is kept is to be forgotten. */
  dropSecret: boolean;
  outputSchema: string;
}

export const BLANK_INPUT: InputRow = {
  name: "",
  type: "string",
  required: false,
  default: "",
  description: "",
};

export const BLANK: WorkflowDraft = {
  name: "",
  prompt: "",
  inputs: [],
  model: "",
  tools: NO_TOOLS,
  approvals: NO_TOOLS,
  maxCredits: "",
  maxSteps: "",
  timeoutSeconds: "",
  callbackUrl: "",
  callbackSecret: "",
  dropSecret: false,
  outputSchema: "",
};

/** A workflow that is about to be changed. */
export function draftOfRecord(record: WorkflowRecord): WorkflowDraft {
  return {
    name: record.name,
    prompt: record.prompt,
    inputs: record.inputs.map((input) => ({ ...input, default: defaultText(input) })),
    model: record.model ?? "",
    tools: choiceOf(record.tools),
    approvals: choiceOf(record.approvals),
    maxCredits: textOf(record.maxCredits),
    maxSteps: textOf(record.maxSteps),
    timeoutSeconds: textOf(record.timeoutSeconds),
    callbackUrl: record.callbackUrl ?? "",
    callbackSecret: "",
    dropSecret: false,
    outputSchema: record.outputSchema === undefined ? "" : jsonText(record.outputSchema),
  };
}

/** What was typed into the form. Rows in which nothing was typed do not count. */
export function draftOfPosted(posted: Posted): WorkflowDraft {
  return {
    name: posted.line("name"),
    prompt: posted.text("prompt"),
    inputs: inputRows(posted),
    model: posted.line("model"),
    tools: postedChoice(posted, "tools"),
    approvals: postedChoice(posted, "approvals"),
    maxCredits: posted.line("maxCredits"),
    maxSteps: posted.line("maxSteps"),
    timeoutSeconds: posted.line("timeoutSeconds"),
    callbackUrl: posted.line("callbackUrl"),
    callbackSecret: posted.text("callbackSecret"),
    dropSecret: posted.isOn("dropSecret"),
    outputSchema: posted.text("outputSchema"),
  };
}

/** The rows with one more or less, where that is what a button asked for; else null. */
export function changedRows(rows: readonly InputRow[], button: string): InputRow[] | null {
  if (button === "add-input") return [...rows, BLANK_INPUT];
  const place = /^remove-input-(\d{1,4})$/.exec(button)?.[1];
  return place === undefined ? null : rows.filter((_, at) => at !== Number(place));
}

/** The draft without rows in which nothing was typed. */
export function withoutBlankRows(draft: WorkflowDraft): WorkflowDraft {
  const isTyped = (row: InputRow) => `${row.name}${row.default}${row.description}` !== "";
  return { ...draft, inputs: draft.inputs.filter(isTyped) };
}

function inputRows(posted: Posted): InputRow[] {
  return posted.rows("inputs").map((at) => ({
    name: posted.line(`inputs[${at}].name`),
    type: posted.line(`inputs[${at}].type`),
    required: posted.isOn(`inputs[${at}].required`),
    default: posted.text(`inputs[${at}].default`),
    description: posted.line(`inputs[${at}].description`),
  }));
}

/** Types whose values are typed as they are, and not as JSON. */
export const PLAIN_TYPES: readonly string[] = ["string", "timestamp"];

function defaultText({ type, default: value }: WorkflowRecord["inputs"][number]): string {
  if (value === null) return "";
  return typeof value === "string" && PLAIN_TYPES.includes(type) ? value : JSON.stringify(value);
}

const textOf = (number: number | undefined): string => (number === undefined ? "" : String(number));
