import type { Json } from "../../contract/json.ts";
import { type CodeContent, type RunCodeInput, runCodeInput } from "../../contract/tools/data.ts";
import { counted } from "../../lib/text.ts";
import { basisOf } from "./cuts.ts";
import { completeAnswer, requireCalls } from "./source-content.ts";
import { answering, fail, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** The body of an async function with its arguments. */
interface Program {
  code: string;
  input: Json;
  answers: readonly Json[];
}

/** Why a program failed. */
export type RunErrorCode =
  /** It threw, or it is not valid JavaScript. */
  | "code_error"
  | "time_limit"
  | "memory_limit"
  | "stack_limit"
  | "output_too_large"
  /** Its return value cannot be serialized as JSON. */
  | "not_json"
  /** The engine failed. */
  | "engine_error";

export interface RunError {
  code: RunErrorCode;
  message: string;
}

export type RunResult = { ok: true; content: CodeContent } | { ok: false; error: RunError };

/** Runs untrusted JavaScript without network, files or host objects. */
export interface Sandbox {
  /** Runs a program within the limits and leaves no state for the next one. */
  run(program: Program): Promise<RunResult>;
}

/** Runs JavaScript in a sandbox. */
export const runCode = (sandbox: Sandbox): Tool<RunCodeInput> => ({
  name: "run_code",
  description:
    "Runs JavaScript in a sandbox: formulas, joins, reshaping, text. Not for what process_data does, nor for requests: it has no network, timers or imports, and one second. " +
    "End `code` with `return`. `answers` are those of the calls in `from`: process_data answers {columns, rows}, http_request {status, json, text}, browse {url, title, text, links, tables}, search_web {results}, run_code {value}. " +
    'Example: {"code": "const [page] = answers; return page.links.filter((link) => link.text.includes(input)).length;", "input": "PDF", "from": ["call_1"]}. ' +
    "A returned list of objects is a table for the other tools.",
  input: runCodeInput,
  kind: "local",
  describe: ({ from }) =>
    from.length === 0 ? "Running code" : `Running code on ${counted(from.length, "answer")}`,
  run: answering("unknown_call", (input, context) => run(input, sandbox, context)),
});

async function run(
  { code, input = null, from }: RunCodeInput,
  sandbox: Sandbox,
  context: ToolContext,
): Promise<ToolResult> {
  requireCalls(from, context);
  const answers = from.map((callId) => {
    const answer = completeAnswer(callId, context);
    return answer?.ok
      ? answer.content
      : fail(`The call ${callId} failed, so it has no answer to use.`);
  });
  context.signal.throwIfAborted();
  const ran = await sandbox.run({ code, input, answers });
  // The sandbox ends by its own limits; an abort takes effect here.
  context.signal.throwIfAborted();
  if (!ran.ok) return { answer: ran };
  return { answer: { ok: true, content: ran.content }, basedOn: basisOf(from, context) };
}
