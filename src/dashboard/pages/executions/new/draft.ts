import type { ExecutionTask } from "../../../../contract/task.ts";
import { jsonText } from "../../../forms/json.ts";
import type { Posted } from "../../../forms/posted.ts";
import { choiceOf, NO_TOOLS, postedChoice, type ToolChoice } from "../../../forms/tool-choice.ts";

/** A run as the form has it: what was typed, right or wrong. */
export interface RunDraft {
  prompt: string;
  inputs: string;
  model: string;
  maxCredits: string;
  maxSteps: string;
  timeoutSeconds: string;
  interactive: boolean;
  tools: ToolChoice;
  approvals: ToolChoice;
  callbackUrl: string;
  callbackSecret: string;
  outputSchema: string;
  /** A pair on each line: `name = value`. */
  metadata: string;
}

const BLANK: RunDraft = {
  prompt: "",
  inputs: "",
  model: "",
  maxCredits: "",
  maxSteps: "",
  timeoutSeconds: "",
  interactive: false,
  tools: NO_TOOLS,
  approvals: NO_TOOLS,
  callbackUrl: "",
  callbackSecret: "",
  outputSchema: "",
  metadata: "",
};

/** A run of which nothing but the prompt is known. */
export function draftOfPrompt(prompt: string): RunDraft {
  return { ...BLANK, prompt };
}

/** A run like one there was; the secret of its callbacks is not known. */
export function draftOfTask(task: ExecutionTask): RunDraft {
  return {
    prompt: task.prompt,
    inputs: task.inputs === null ? "" : jsonText(task.inputs),
    model: task.model,
    maxCredits: String(task.maxCredits),
    maxSteps: String(task.maxSteps),
    timeoutSeconds: String(task.timeoutSeconds),
    interactive: task.interactive,
    tools: choiceOf(task.tools),
    approvals: choiceOf(task.approvals),
    callbackUrl: task.callbackUrl ?? "",
    callbackSecret: "",
    outputSchema: task.outputSchema === null ? "" : jsonText(task.outputSchema),
    metadata: Object.entries(task.metadata)
      .map(([name, value]) => `${name} = ${value}`)
      .join("\n"),
  };
}

/** What was typed into the form. */
export function draftOfPosted(posted: Posted): RunDraft {
  return {
    prompt: posted.text("prompt"),
    inputs: posted.text("inputs"),
    model: posted.line("model"),
    maxCredits: posted.line("maxCredits"),
    maxSteps: posted.line("maxSteps"),
    timeoutSeconds: posted.line("timeoutSeconds"),
    interactive: posted.isOn("interactive"),
    tools: postedChoice(posted, "tools"),
    approvals: postedChoice(posted, "approvals"),
    callbackUrl: posted.line("callbackUrl"),
    callbackSecret: posted.text("callbackSecret"),
    outputSchema: posted.text("outputSchema"),
    metadata: posted.text("metadata"),
  };
}
