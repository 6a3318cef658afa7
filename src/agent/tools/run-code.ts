import type { Json } from "../../contract/json.ts";
import { type RunCodeInput, runCodeInput } from "../../contract/tools/run-code.ts";
import { type Tool, type ToolContext, type ToolResult, toolError } from "./tool.ts";

/** The tool that runs JavaScript in a sandbox. */
export const runCode: Tool<RunCodeInput> = {
  name: "run_code",
  description:
    "Runs JavaScript in a sandbox, for what the other tools cannot work out: calculations, reshaping, joining, text work. " +
    "`code` is the body of an async function: end it with `return`. It sees `input`, and `answers`: what the calls named in `from` answered, in that order. " +
    "Of process_data that is {columns, rows}, of http_request {status, json, text}, of browse {url, title, text, links, tables}, of run_code {value}. " +
    "What it returns comes back as JSON in `value`; console.log lines as `console`. " +
    "There is no network, no timer, no import and no memory of earlier runs; it has about a second and 32 MB. " +
    'Example: {"code": "const [page] = answers; return page.links.filter((link) => link.text.includes(input)).length;", "input": "PDF", "from": ["call_1"]}. ' +
    "Return a list of objects to use it as a table in emit_output, process_data or write_spreadsheet.",
  input: runCodeInput,
  kind: "local",
  effect: () => null,
  describe: ({ from }) =>
    from.length === 0
      ? "Running code"
      : `Running code on ${from.length === 1 ? "1 answer" : `${from.length} answers`}`,
  run,
};

async function run(
  { code, input = null, from }: RunCodeInput,
  context: ToolContext,
): Promise<ToolResult> {
  const answers: Json[] = [];
  for (const callId of from) {
    const answer = context.answer(callId);
    if (answer === null) return unknownCall(`There is no earlier call ${callId}.`);
    if (!answer.ok)
      return unknownCall(`The call ${callId} failed, so it has no answer to work on.`);
    answers.push(answer.content);
  }
  context.signal.throwIfAborted();
  const outcome = await context.ports.sandbox.run({ code, input, answers });
  // Nothing can end the run from outside: it is bounded by itself.
  context.signal.throwIfAborted();
  if (!outcome.ok) return { answer: outcome };
  return { answer: { ok: true, content: outcome.content }, basedOn: [...new Set(from)] };
}

function unknownCall(message: string): ToolResult {
  return { answer: toolError("unknown_call", message) };
}
