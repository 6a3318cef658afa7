import type { ExecutionRow, ExecutionState, Question } from "../../contract/execution.ts";
import { ORIGINS, STATUSES } from "../../contract/execution.ts";
import type { Command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { saveFiles } from "../files.ts";
import type { Output } from "../terminal.ts";
import { listSome } from "../terminal.ts";
import { ago, countOf, oneLine, plain } from "../text.ts";
import { callText } from "../watch/progress.ts";
import { resultText } from "../watch/result-text.ts";
import { watch as follow } from "../watch/watch.ts";

const PREVIEW = 60;

export const list: Command = {
  name: "list",
  summary: "Lists runs, the newest first",
  args: [],
  options: {
    limit: { type: "string", value: "N", help: "how many; 20, if left out" },
    status: {
      type: "string",
      multiple: true,
      value: "A,B",
      help: `of these: ${STATUSES.join(", ")}`,
    },
    origin: {
      type: "string",
      multiple: true,
      value: "A,B",
      help: `of these: ${ORIGINS.join(", ")}`,
    },
    workflow: { type: "string", value: "ID", help: "of this workflow" },
  },
  async run({ client, output, given, signal }) {
    const workflowId = given.text("workflow");
    const limit = given.wholeNumber("limit", 1) ?? 20;
    const rows = client.executions.all(
      {
        limit: Math.min(limit, 100),
        status: given.listOf("status", STATUSES) ?? [],
        origin: given.listOf("origin", ORIGINS) ?? [],
        ...(workflowId !== undefined && { workflowId }),
      },
      { signal },
    );
    const heading = ["EXECUTION", "STATUS", "STARTED", "CREDITS", "PROMPT"];
    await listSome(output, rows, limit, heading, rowCells);
    return EXIT.done;
  },
};

function rowCells(row: ExecutionRow): string[] {
  const { executionId, status, createdAt, creditsConsumed, promptPreview } = row;
  const prompt = oneLine(promptPreview, PREVIEW);
  return [executionId, status, ago(createdAt, Date.now()), String(creditsConsumed), prompt];
}

export const status: Command = {
  name: "status",
  summary: "Tells how a run stands",
  args: ["execution"],
  options: {},
  async run({ client, output, args: [executionId = ""], signal }) {
    const state = await client.executions.status(executionId, {}, { signal });
    output.say(state, (one) => stateText(one, output));
    return EXIT.done;
  },
};

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
  const command = `  answer with: prompthook message ${executionId}`;
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
  summary: "Tells what came out of a run",
  args: ["execution"],
  options: {
    partial: { type: "boolean", help: "also before its end: what there is until now" },
    save: { type: "string", value: "FOLDER", help: "saves the files that it made there" },
  },
  async run({ client, output, given, args: [executionId = ""], signal }) {
    const query = { partial: given.flag("partial") };
    const found = await client.executions.result(executionId, query, { signal });
    const folder = given.text("save");
    output.say(found, (one) => resultText(one, output, folder !== undefined));
    if (folder !== undefined) await saveFiles(client, found, folder, output, signal);
    return EXIT.done;
  },
};

export const watch: Command = {
  name: "watch",
  summary: "Follows a run to its end; the exit code tells how it ended",
  args: ["execution"],
  options: {},
  notes: "With --json the lines are the entries of its log, then the result.",
  run: (call) => follow(call, call.args[0] ?? ""),
};

export const message: Command = {
  name: "message",
  summary: "Sends a run a message, an answer, a yes or a no",
  args: ["execution", "text?"],
  options: {
    interrupt: { type: "boolean", help: "gives up the step under way, to read it at once" },
    approve: { type: "string", value: "CALL", help: "lets the call happen that waits for a yes" },
    deny: { type: "string", value: "CALL", help: "does not let it" },
    "idempotency-key": { type: "string", value: "KEY", help: "the same key sends it once only" },
  },
  async run({ client, output, given, args: [executionId = "", text = ""], signal }) {
    const approve = given.text("approve");
    const deny = given.text("deny");
    if (approve !== undefined && deny !== undefined) {
      throw new UsageError("Give --approve or --deny, not both.");
    }
    const callId = approve ?? deny;
    if (callId === undefined && text === "") throw new UsageError("message needs <text>.");
    const decision = approve === undefined ? ("deny" as const) : ("approve" as const);
    const sent = await client.executions.message(
      executionId,
      {
        message: text === "" ? undefined : text,
        mode: given.flag("interrupt") ? "interrupt" : "next_step",
        approval: callId === undefined ? undefined : { callId, decision },
      },
      { idempotencyKey: given.text("idempotency-key"), signal },
    );
    output.say(sent, ({ position }) =>
      position > 1
        ? `Queued, behind ${position - 1} more.`
        : "Queued: it is read at the next step.",
    );
    return EXIT.done;
  },
};

export const stop: Command = {
  name: "stop",
  summary: "Stops a run at once",
  args: ["execution"],
  options: { reason: { type: "string", value: "TEXT", help: "why; shown in its result" } },
  async run({ client, output, given, args: [executionId = ""], signal }) {
    const reason = given.text("reason");
    const body = reason === undefined ? {} : { reason };
    const stopped = await client.executions.stop(executionId, body, { signal });
    output.say(stopped, (one) =>
      one.status === "stopped" ? "Stopped." : `It had ended already: ${one.status}.`,
    );
    return EXIT.done;
  },
};
