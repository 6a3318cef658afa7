import type { TriggerAccepted } from "../contract/account.ts";
import type { ExecutionEvent } from "../contract/events.ts";
import type { ExecutionResult, Question } from "../contract/execution.ts";
import type { Json } from "../contract/json.ts";
import { type Output as ExecutionOutput, type Table, valueIn } from "../contract/outputs.ts";
import { counted } from "../lib/text.ts";
import type { Call, Options } from "./command.ts";
import { EXIT, type Exit, exitOf } from "./errors.ts";
import {
  columns,
  jsonText,
  type Output,
  oneLine,
  plain,
  styled,
  type Terminal,
} from "./terminal.ts";

/** Shows an execution's progress on stderr: one line for each event, and what its model is writing. */
export class Progress {
  readonly #terminal: Terminal;
  /** What the model has written in this step, and the line that it is writing. */
  #said = "";
  #line = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(event: ExecutionEvent): void {
    const line = this.#isSaid(event) ? null : describe(event);
    if (this.#line !== "") this.note(this.#line);
    this.#line = "";
    this.#said = "";
    if (line !== null) this.note(line);
  }

  /** Shows what the model is writing, in whole lines. */
  say(text: string): void {
    const lines = plain(this.#line + text).split("\n");
    this.#said += text;
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.note(line);
  }

  /** Whether an event repeats the text that was shown while it was written. */
  #isSaid({ type, data }: ExecutionEvent): boolean {
    const said = this.#said.trim();
    if (said === "") return false;
    return type === "plan" || (type === "log" && data.message.trim() === said);
  }

  note(line: string): void {
    this.#terminal.stderr.write(`${styled(this.#terminal.stderr, "dim", `  ${line}`)}\n`);
  }
}

const LINE = 200;

/** Describes an event of the execution's log in words; null for one with nothing to show. */
export function describe({ type, data }: ExecutionEvent): string | null {
  const line = (text = "") => oneLine(text, LINE);
  switch (type) {
    case "status":
      return data.status === "active" ? null : `${data.status} (${data.statusDetail})`;
    case "plan":
      return planText(data.parts);
    case "log":
      return line(data.message);
    case "tool.started":
      return `${line(data.tool)}: ${line(data.description)}`;
    case "tool.finished":
      return data.ok ? null : `${line(data.tool)} failed: ${line(data.error?.message)}`;
    case "output":
      return `output: ${line(data.label)}`;
    case "message.applied":
      return "message delivered";
    case "message.dropped":
      return "message not delivered: the execution ended first";
    case "question":
      return `asks: ${line(data.text)}`;
    case "step.started":
    case "step.finished":
    case "message.queued":
      return null;
  }
}

/** Returns the command that answers a question, below the whole call if it asks for an approval. */
export function howToAnswer(executionId: string, question: Question): string {
  if (question.kind === "question")
    return `  Answer with: prompthook message ${executionId} "your answer"`;
  const { input, decisionId } = question;
  return `  Input:\n${jsonText(input, "    ")}
  Decide with: prompthook decisions approve ${decisionId}   or   prompthook decisions deny ${decisionId}`;
}

/** Formats a plan of one part on one line, and of several on a line for each. */
function planText(parts: readonly string[]): string | null {
  if (parts.length === 0) return null;
  const lines = parts.map((part) => oneLine(part, LINE));
  if (lines.length === 1) return `plan: ${lines[0]}`;
  return ["plan:", ...lines.map((line, at) => `  ${at + 1}. ${line}`)].join("\n  ");
}

/** The options of commands that start one execution. */
export const STARTING: Options = {
  watch: { short: "w", help: "follow it to its end; the exit code reflects its status" },
  "idempotency-key": { value: "KEY", help: "start only one execution for the same key" },
};

/** Returns the options of a call that must not act twice. */
export const onceOf = ({ values, signal }: Call) => ({
  idempotencyKey: values.text("idempotency-key"),
  signal,
});

/** Prints an accepted execution and, with --watch, follows it to its end. */
export async function started(call: Call, accepted: TriggerAccepted): Promise<Exit> {
  const { output, values } = call;
  const { executionId, availableCredits } = accepted;
  if (!values.flag("watch")) {
    output.print(accepted, () => executionId);
    output.note(`Follow it with: prompthook watch ${executionId}`);
    return EXIT.done;
  }
  if (output.isJson) output.print(accepted, String);
  else output.note(`${executionId}  ${counted(availableCredits, "credit")} left`);
  return watch(call, executionId);
}

/** Follows an execution to its end and prints its result. Ctrl-C ends the watching, not the execution. */
export async function watch(call: Call, executionId: string): Promise<Exit> {
  const { client, output, signal } = call;
  try {
    await follow(call, executionId);
    const result = await client.executions.result(executionId, {}, { signal });
    output.print(result, (one) => resultText(one, output));
    return result.status === "completed" ? EXIT.done : EXIT.executionFailed;
  } catch (error) {
    const isOutage = exitOf(error) === EXIT.unavailable && !output.isJson;
    if (signal.aborted || isOutage) {
      output.note(`Stopped watching; the execution continues.
  Watch it again: prompthook watch ${executionId}
  Stop it:        prompthook stop ${executionId}`);
    }
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function follow({ client, output, signal }: Call, executionId: string): Promise<void> {
  const progress = output.isJson ? null : new Progress(output.terminal);
  const show = async (event: ExecutionEvent) => {
    if (progress === null) return output.print(event, String);
    progress.show(event);
    if (event.type !== "question") return;
    const { question } = await client.executions.status(executionId, {}, { signal });
    if (question !== undefined) progress.note(howToAnswer(executionId, question));
  };
  const onText = (text: string) => progress?.say(text);
  const events = client.executions.stream(executionId, { signal, onText });
  for await (const event of events) await show(event);
}

const MAX_ROWS = 20;
const MAX_CELL = 60;
const MAX_TEXT = 4_000;

/** Formats a result: status, summary, data, outputs and, unless saved, how to save its files. */
export function resultText(result: ExecutionResult, output: Output, areSaved = false): string {
  const { status, outputs, effects, creditsConsumed, model, executionId } = result;
  const { summary, data } = result.presentedResult;
  const head = output.style(status === "completed" ? "green" : "red", status);
  const facts = `${counted(creditsConsumed, "credit")} · ${plain(model)}`;
  const uncertain = effects.filter(({ state }) => state === "uncertain");
  const parts = [
    `${head}  ${output.style("dim", facts)}`,
    plain(summary),
    ...(data === undefined || isShown(data, outputs) ? [] : [plain(JSON.stringify(data, null, 2))]),
    ...outputs.map((made) => outputText(made, output)),
    ...uncertain.map(({ tool, target }) =>
      output.style("yellow", `Uncertain whether this took effect: ${tool} ${target}`),
    ),
  ];
  if (!areSaved && outputs.some(({ type }) => type === "file")) {
    parts.push(`Save the files with: prompthook result ${executionId} --save <folder>`);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

function outputText(made: ExecutionOutput, output: Output): string {
  const head = output.style("bold", made.label);
  switch (made.type) {
    case "file": {
      const { filename = made.outputId, label, sizeBytes = 0 } = made;
      const name = filename === label ? "" : `${plain(filename)}, `;
      return `${head}  ${name}${counted(sizeBytes, "byte")}`;
    }
    case "link":
      return `${head}  ${plain(made.url)}`;
    case "table":
      return `${head}\n${tableText(made.value)}`;
    case "text":
      return `${head}\n${cut(plain(made.value))}`;
    case "json":
      return `${head}\n${cut(plain(JSON.stringify(made.value, null, 2)))}`;
  }
}

function tableText({ columns: names, rows }: Table): string {
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.map(cellText));
  const more = rows.length - shown.length;
  const lines = columns([names.map(cellText), ...shown]);
  return more === 0 ? lines : `${lines}\n… and ${counted(more, "row")} more`;
}

function cellText(value: unknown): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value), MAX_CELL);
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (use --json for all of it)`;
}

/** Reports whether an output shows the data already, as it is or as a table of records. */
function isShown(data: Json, outputs: readonly ExecutionOutput[]): boolean {
  const same = JSON.stringify(data);
  return outputs.some((output) => {
    const rows = output.type === "table" && recordsOf(output.value);
    return [valueIn(output), rows].some((shown) => JSON.stringify(shown) === same);
  });
}

function recordsOf({ columns, rows }: Table) {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}
