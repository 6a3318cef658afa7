import { type ExecutionState, ORIGINS, type Question, STATUSES } from "../../contract/execution.ts";
import { type Command, calling, listing } from "../command.ts";
import { UsageError } from "../errors.ts";
import { saveFiles } from "../files.ts";
import type { Output } from "../terminal.ts";
import { ago, countOf, oneLine, plain } from "../text.ts";
import { resultText } from "../watch/result-text.ts";
import { callText, watch as follow, onceOf } from "../watch/watch.ts";

const PREVIEW = 60;

export const list = listing({
  name: "list",
  summary: "List executions, newest first",
  most: 20,
  options: {
    status: {
      multiple: true,
      value: "A,B",
      help: `filter by status: ${STATUSES.join(", ")}`,
    },
    origin: {
      multiple: true,
      value: "A,B",
      help: `filter by origin: ${ORIGINS.join(", ")}`,
    },
    workflow: { value: "ID", help: "filter by workflow" },
  },
  items(call, limit) {
    const { client, values } = call;
    const query = {
      limit: Math.min(limit, 100),
      status: values.listOf("status", STATUSES) ?? [],
      origin: values.listOf("origin", ORIGINS) ?? [],
      workflowId: values.text("workflow"),
    };
    return client.executions.all(query, call);
  },
  columns: {
    EXECUTION: ({ executionId }) => executionId,
    STATUS: ({ status }) => status,
    STARTED: ({ createdAt }) => ago(createdAt, Date.now()),
    CREDITS: ({ creditsConsumed }) => String(creditsConsumed),
    PROMPT: ({ promptPreview }) => oneLine(promptPreview, PREVIEW),
  },
});

export const status = calling({
  name: "status",
  summary: "Show the status of an execution",
  args: ["execution"],
  ask: (call, executionId) => call.client.executions.status(executionId, {}, call),
  text: (state, { output }) => stateText(state, output),
});

function stateText(state: ExecutionState, output: Output): string {
  const { status, statusDetail, progress, creditsConsumed, question, executionId } = state;
  const lines = [
    `${output.style("bold", status)} (${statusDetail})  ${plain(progress.message)}`,
    `${countOf(progress.stepsCompleted, "step")} done · ${countOf(creditsConsumed, "credit")}`,
  ];
  if (question !== undefined) lines.push(...questionLines(executionId, question));
  return lines.join("\n");
}

function questionLines(executionId: string, question: Question): string[] {
  const command = `  Answer with: prompthook message ${executionId}`;
  const asked = `asks: ${plain(question.text)}`;
  if (question.kind === "question") return [asked, `${command} "your answer"`];
  return [
    asked,
    callText(question.input),
    `${command} --approve ${plain(question.callId)} (or --deny)`,
  ];
}

export const result: Command = {
  name: "result",
  summary: "Show the result of an execution",
  args: ["execution"],
  options: {
    partial: { help: "show partial results of an active execution" },
    save: { value: "FOLDER", help: "save its files to this folder" },
  },
  async run({ client, output, values, args: [executionId = ""], signal }) {
    const query = { partial: values.flag("partial") };
    const found = await client.executions.result(executionId, query, { signal });
    const folder = values.text("save");
    output.print(found, (one) => resultText(one, output, folder !== undefined));
    if (folder !== undefined) await saveFiles(client, found, folder, output, signal);
  },
};

export const watch: Command = {
  name: "watch",
  summary: "Follow an execution to its end; the exit code reflects its status",
  args: ["execution"],
  notes: "With --json, prints the events of its log and then the result.",
  run: (call) => follow(call, call.args[0] ?? ""),
};

export const message = calling({
  name: "message",
  summary: "Send an execution a message, an answer or an approval",
  args: ["execution", "text?"],
  options: {
    interrupt: { help: "abort the current step and deliver immediately" },
    approve: { value: "CALL", help: "approve the tool call that is waiting" },
    deny: { value: "CALL", help: "deny the tool call that is waiting" },
    "idempotency-key": { value: "KEY", help: "send only once for the same key" },
  },
  async ask(call, executionId, text) {
    const { client, values } = call;
    const approve = values.text("approve");
    const deny = values.text("deny");
    if (approve !== undefined && deny !== undefined) {
      throw new UsageError("Pass either --approve or --deny, not both.");
    }
    const callId = approve ?? deny;
    if (callId === undefined && text === "")
      throw new UsageError("message needs <text>, --approve or --deny.");
    const decision = approve === undefined ? ("deny" as const) : ("approve" as const);
    const body = {
      message: text === "" ? undefined : text,
      mode: values.flag("interrupt") ? ("interrupt" as const) : ("next_step" as const),
      approval: callId === undefined ? undefined : { callId, decision },
    };
    return await client.executions.message(executionId, body, onceOf(call));
  },
  text: ({ position }) =>
    position > 1
      ? `Queued behind ${countOf(position - 1, "message")}.`
      : "Queued for the next step.",
});

export const stop = calling({
  name: "stop",
  summary: "Stop an execution immediately",
  args: ["execution"],
  options: { reason: { value: "TEXT", help: "reason, shown in its result" } },
  ask: (call, executionId) =>
    call.client.executions.stop(executionId, { reason: call.values.text("reason") }, call),
  text: ({ status: ended }) => (ended === "stopped" ? "Stopped." : `Already finished: ${ended}.`),
});
