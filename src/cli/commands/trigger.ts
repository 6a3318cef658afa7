import type * as z from "zod";
import { jsonObject } from "../../contract/json.ts";
import type { triggerBody } from "../../contract/trigger.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput, readJson } from "../files.ts";
import { started } from "../watch/watch.ts";

/** Starts an execution from a prompt. */
export const trigger: Command = {
  name: "trigger",
  summary: "Start an agent from a prompt",
  args: ["prompt"],
  options: {
    watch: { short: "w", help: "follow it to its end; the exit code reflects its status" },
    model: { value: "NAME", help: "model, such as builtin/demo" },
    tools: { multiple: true, value: "A,B", help: "tools that the agent can use (default: all)" },
    approvals: { multiple: true, value: "A,B", help: "tools that require approval" },
    interactive: { help: "let the agent ask questions" },
    inputs: { value: "FILE", help: "JSON object passed to the agent as data" },
    "output-schema": { value: "FILE", help: "JSON Schema of the result's data" },
    "max-credits": { value: "N", help: "credit limit" },
    "max-steps": { value: "N", help: "step limit" },
    "timeout-seconds": { value: "N", help: "timeout" },
    metadata: { multiple: true, value: "NAME=VALUE", help: "metadata, shown in lists" },
    "idempotency-key": { value: "KEY", help: "start only one execution for the same key" },
  },
  notes: `Use - as prompt or FILE to read standard input.
With --json, prints the accepted execution and, with --watch, the events of its log and the result.`,
  async run(call) {
    const { client, values, signal } = call;
    const body = await bodyOf(call);
    const idempotencyKey = values.text("idempotency-key");
    return started(call, await client.executions.trigger(body, { idempotencyKey, signal }));
  },
};

type Body = z.input<typeof triggerBody>;

async function bodyOf({ args, values, output }: Call): Promise<Body> {
  const [prompt = ""] = args;
  const inputs = values.text("inputs");
  const outputSchema = values.text("output-schema");
  if ([prompt, inputs, outputSchema].filter((name) => name === "-").length > 1) {
    throw new UsageError("Only one argument can be read from standard input.");
  }
  const json = async (name: string | undefined) =>
    name === undefined ? undefined : readJson(name, jsonObject, output.terminal);
  return {
    prompt: prompt === "-" ? await readInput("-", output.terminal) : prompt,
    model: values.text("model"),
    tools: values.list("tools"),
    approvals: values.list("approvals"),
    interactive: values.flag("interactive"),
    inputs: await json(inputs),
    outputSchema: await json(outputSchema),
    maxCredits: values.wholeNumber("max-credits"),
    maxSteps: values.wholeNumber("max-steps"),
    timeoutSeconds: values.wholeNumber("timeout-seconds"),
    metadata: values.pairs("metadata"),
  };
}
