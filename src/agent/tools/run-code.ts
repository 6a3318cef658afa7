import type { Json } from "../../contract/json.ts";
import { type RunCodeInput, runCodeInput } from "../../contract/tools/run-code.ts";
import { counted } from "../../lib/text.ts";
import { basisOf } from "./cuts.ts";
import { completeAnswer } from "./source-content.ts";
import { type Tool, type ToolContext, type ToolResult, toolError } from "./tool.ts";

/** Runs JavaScript in a sandbox. */
export const runCode: Tool<RunCodeInput> = {
  name: "run_code",
  description:
    "Runs JavaScript in a sandbox, for tasks beyond the other tools: calculations, reshaping, joining, text processing. " +
    "`code` is the body of an async function: end it with `return`. It can use `input`, and `answers`: the answers of the calls named in `from`, in that order. " +
    "process_data answers {columns, rows}, http_request {status, json, text}, browse {url, title, text, links, tables}, search_web {results}, run_code {value}. " +
    "Its return value is JSON in `value`; console.log lines are in `console`. " +
    "It has no network, timers, imports or state of earlier calls, and about one second and 32 MB. " +
    'Example: {"code": "const [page] = answers; return page.links.filter((link) => link.text.includes(input)).length;", "input": "PDF", "from": ["call_1"]}. ' +
    "Return a list of objects to use it as a table in emit_output, process_data or write_spreadsheet.",
  input: runCodeInput,
  kind: "local",
  effect: () => null,
  describe: ({ from }) =>
    from.length === 0 ? "Running code" : `Running code on ${counted(from.length, "answer")}`,
  run,
};

async function run(
  { code, input = null, from }: RunCodeInput,
  context: ToolContext,
): Promise<ToolResult> {
  const answers: Json[] = [];
  for (const callId of from) {
    const answer = completeAnswer(callId, context);
    if (answer === null) return unknownCall(`There is no earlier call ${callId}.`);
    if (!answer.ok) return unknownCall(`The call ${callId} failed, so it has no answer to use.`);
    answers.push(answer.content);
  }
  context.signal.throwIfAborted();
  const outcome = await context.ports.sandbox.run({ code, input, answers });
  // The sandbox ends by its own limits; an abort takes effect here.
  context.signal.throwIfAborted();
  if (!outcome.ok) return { answer: outcome };
  return { answer: { ok: true, content: outcome.content }, basedOn: basisOf(from, context) };
}

function unknownCall(message: string): ToolResult {
  return { answer: toolError("unknown_call", message) };
}
