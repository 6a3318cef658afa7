import { type ComparedCall, type Comparison, compare, type Pair } from "../../client/compare.ts";
import { type ExecutionState, ORIGINS, STATUSES } from "../../contract/execution.ts";
import { counted, durationText } from "../../lib/text.ts";
import { type Command, calling, listing } from "../command.ts";
import { saveFiles } from "../files.ts";
import { ago, columns, type Output, oneLine, plain } from "../terminal.ts";
import { watch as follow, howToAnswer, onceOf, resultText } from "../watch.ts";

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
    `${counted(progress.stepsCompleted, "step")} done · ${counted(creditsConsumed, "credit")}`,
  ];
  if (question !== undefined) {
    lines.push(`asks: ${plain(question.text)}`, howToAnswer(executionId, question));
  }
  return lines.join("\n");
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
  summary: "Send an execution a message or an answer",
  args: ["execution", "text"],
  options: {
    interrupt: { help: "abort the current step and deliver immediately" },
    "idempotency-key": { value: "KEY", help: "send only once for the same key" },
  },
  notes: "prompthook decisions approves and denies calls.",
  ask(call, executionId, text) {
    const mode = call.values.flag("interrupt") ? ("interrupt" as const) : ("next_step" as const);
    return call.client.executions.message(executionId, { message: text, mode }, onceOf(call));
  },
  text: ({ position }) =>
    position > 1
      ? `Queued behind ${counted(position - 1, "message")}.`
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

const MAX_CELL = 60;
const MAX_CALL = 160;

/** `prompthook compare`: what differs is no failure. */
export const compareCommand: Command = {
  name: "compare",
  summary: "Compare two executions step by step",
  args: ["before", "after"],
  async run({ client, output, args: [before = "", after = ""], signal }) {
    output.print(await compare(client.executions, [before, after], { signal }), comparisonText);
  },
};

function comparisonText({ executions, steps, outputs, sameData }: Comparison): string {
  const row = (name: string, cell: (one: (typeof executions)[0]) => string) => [
    name,
    ...executions.map((one) => oneLine(cell(one), MAX_CELL)),
  ];
  const facts = [
    row("execution", ({ executionId }) => executionId),
    row("status", ({ status }) => status),
    row("model", ({ model }) => model),
    row("steps", (one) => String(one.steps)),
    row("credits", ({ credits }) => String(credits)),
    row("duration", ({ durationMs }) => (durationMs === null ? "-" : durationText(durationMs))),
    row("summary", ({ summary }) => summary),
  ];
  const differing = outputs.filter(({ change }) => change !== "same");
  return [
    columns(facts),
    ...steps.map(({ step, same, before, after, calls }) => {
      const took = [before, after].map((one) =>
        one === null ? "-" : `${counted(one.credits, "credit")}, ${durationText(one.durationMs)}`,
      );
      const head = `step ${step}  ${took.join(" | ")}`;
      return same ? `${head}  same` : [head, ...calls.flatMap(callLines)].join("\n");
    }),
    ...differing.map(({ label, change }) => `output ${plain(label)}  ${change}`),
    ...(sameData ? [] : ["data  changed"]),
  ].join("\n");
}

/** The calls at one place of both: one line where they are the same, else one for each. */
function callLines({ same, before, after }: Pair<ComparedCall>): string[] {
  if (same && before !== null) return [`  = ${callText(before)}`];
  return [
    ...(before === null ? [] : [`  - ${callText(before)}`]),
    ...(after === null ? [] : [`  + ${callText(after)}`]),
  ];
}

function callText({ tool, input, ok, result }: ComparedCall): string {
  const mark = ok === null ? "..." : ok ? "->" : "failed:";
  return oneLine(`${tool} ${JSON.stringify(input)} ${mark} ${JSON.stringify(result)}`, MAX_CALL);
}
