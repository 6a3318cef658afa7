import type * as z from "zod";
import { jsonObject } from "../../contract/json.ts";
import type { triggerBody } from "../../contract/trigger.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput, readJson } from "../files.ts";
import { started } from "../watch/watch.ts";

/** Starts a run. */
export const trigger: Command = {
  name: "trigger",
  summary: "Starts an agent from a prompt",
  args: ["prompt"],
  options: {
    watch: {
      type: "boolean",
      short: "w",
      help: "follows it to its end; the exit code tells how it ended",
    },
    model: { type: "string", value: "NAME", help: "the model, such as builtin/planner" },
    tools: {
      type: "string",
      multiple: true,
      value: "A,B",
      help: "the tools that it may use; all, if left out",
    },
    approvals: {
      type: "string",
      multiple: true,
      value: "A,B",
      help: "the tools that wait for a yes",
    },
    interactive: { type: "boolean", help: "it may ask you" },
    inputs: { type: "string", value: "FILE", help: "a JSON object that it gets as data" },
    "output-schema": {
      type: "string",
      value: "FILE",
      help: "a JSON Schema that its data has to match",
    },
    "max-credits": { type: "string", value: "N", help: "what it may use at most" },
    "max-steps": { type: "string", value: "N", help: "how many steps it may take" },
    "timeout-seconds": { type: "string", value: "N", help: "how long it may work" },
    metadata: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      help: "a note of yours, shown in lists",
    },
    "idempotency-key": {
      type: "string",
      value: "KEY",
      help: "the same key and prompt start one run only",
    },
  },
  notes: `A prompt of - is read from the standard input, as is a FILE of -.
With --json the lines are: what was accepted, with --watch each entry of the log, then the result.`,
  async run(call) {
    const { client, given, signal } = call;
    const body = await bodyOf(call);
    const idempotencyKey = given.text("idempotency-key");
    return started(call, await client.executions.trigger(body, { idempotencyKey, signal }));
  },
};

type Body = z.input<typeof triggerBody>;

async function bodyOf({ args, given, output }: Call): Promise<Body> {
  const [prompt = ""] = args;
  const inputs = given.text("inputs");
  const outputSchema = given.text("output-schema");
  if ([prompt, inputs, outputSchema].filter((name) => name === "-").length > 1) {
    throw new UsageError("Only one of them can be read from the standard input.");
  }
  const json = async (name: string | undefined) =>
    name === undefined ? undefined : readJson(name, jsonObject, output.terminal);
  return {
    prompt: prompt === "-" ? await readInput("-", output.terminal) : prompt,
    model: given.text("model"),
    tools: given.list("tools"),
    approvals: given.list("approvals"),
    interactive: given.flag("interactive"),
    inputs: await json(inputs),
    outputSchema: await json(outputSchema),
    maxCredits: given.wholeNumber("max-credits"),
    maxSteps: given.wholeNumber("max-steps"),
    timeoutSeconds: given.wholeNumber("timeout-seconds"),
    metadata: given.pairs("metadata"),
  };
}
