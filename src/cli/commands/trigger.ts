import * as z from "zod";
import { jsonObject } from "../../contract/json.ts";
import type { triggerBody } from "../../contract/trigger.ts";
import { workflowId } from "../../contract/workflow.ts";
import { type Call, type Command, listing } from "../command.ts";
import { EXIT, type Exit, UsageError } from "../errors.ts";
import { readFiles, readInput } from "../files.ts";
import { typedInputs, workflowOf } from "../lookup.ts";
import { jsonLine, oneLine } from "../terminal.ts";
import { onceOf, STARTING, started } from "../watch.ts";

const FILES = { multiple: true, value: "PATH", help: "a file for the agent; repeat for more" };

/** Starts an execution from a prompt. */
export const trigger: Command = {
  name: "trigger",
  summary: "Start an agent from a prompt",
  args: ["prompt?"],
  options: {
    batch: { value: "FILE", help: "start one execution for each line, a trigger's JSON body" },
    ...STARTING,
    model: { value: "NAME", help: "model, such as builtin/demo" },
    tools: { multiple: true, value: "A,B", help: "tools that the agent can use (default: all)" },
    approvals: { multiple: true, value: "A,B", help: "tools that require approval" },
    interactive: { help: "let the agent ask questions" },
    inputs: { value: "FILE", help: "JSON object passed to the agent as data" },
    file: FILES,
    "output-schema": { value: "FILE", help: "JSON Schema of the result's data" },
    "max-credits": { value: "N", help: "credit limit" },
    "max-steps": { value: "N", help: "step limit" },
    "timeout-seconds": { value: "N", help: "timeout" },
    metadata: { multiple: true, value: "NAME=VALUE", help: "metadata, shown in lists" },
  },
  notes: `Use - as prompt or FILE to read standard input.
With --json, prints the accepted execution and, with --watch, the events of its log and the result.`,
  async run(call) {
    const { args, values } = call;
    const file = values.text("batch");
    if (file !== undefined) {
      // Each line has its own settings.
      const { batch: _, watch: __, ...others } = trigger.options ?? {};
      values.refuse(Object.keys(others), "trigger --batch");
      if (args[0] !== "") throw new UsageError("trigger --batch does not take a prompt.");
      return startAll(call, file);
    }
    if (args[0] === "") throw new UsageError("trigger needs <prompt>, or --batch.");
    return started(call, await call.client.executions.trigger(await bodyOf(call), onceOf(call)));
  },
};

/** Starts the lines of a file; with --watch waits for them. Prints a line of JSON for each, in their order. */
async function startAll({ client, output, values, signal }: Call, file: string): Promise<Exit> {
  const text = await readInput(file, output.terminal);
  const lines = text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [{ line, at }]));
  const bodies = lines.map(({ line, at }) => {
    try {
      return z.looseObject({ prompt: z.string() }).parse(JSON.parse(line));
    } catch {
      throw new UsageError(`${file}:${at + 1}: must be a JSON object with a prompt.`);
    }
  });
  if (values.flag("watch")) {
    const onStarted = (executionId: string, at: number) =>
      output.note(`${file}:${(lines[at]?.at ?? 0) + 1}  ${executionId}`);
    const results = await client.executions.runAll(bodies, { signal, onStarted });
    for (const result of results) output.print(result, jsonLine);
    return results.every(({ status }) => status === "completed") ? EXIT.done : EXIT.executionFailed;
  }
  let isRefused = false;
  for (let at = 0; at < bodies.length; at += MOST_IN_BATCH) {
    const some = bodies.slice(at, at + MOST_IN_BATCH);
    const { results } = await client.executions.triggerMany(some, { signal });
    for (const result of results) output.print(result, jsonLine);
    isRefused ||= results.some(({ status }) => status !== 202);
  }
  return isRefused ? EXIT.refused : EXIT.done;
}

const MOST_IN_BATCH = 100;

type Body = z.input<typeof triggerBody>;

async function bodyOf(call: Call): Promise<Body> {
  const { args, values, output } = call;
  const [prompt = ""] = args;
  const inputs = values.text("inputs");
  const outputSchema = values.text("output-schema");
  if ([prompt, inputs, outputSchema].filter((name) => name === "-").length > 1)
    throw new UsageError("Only one argument can be read from standard input.");
  return {
    prompt: prompt === "-" ? await readInput("-", output.terminal) : prompt,
    model: values.text("model"),
    tools: values.list("tools"),
    approvals: values.list("approvals"),
    interactive: values.flag("interactive"),
    inputs: await call.json("inputs", jsonObject),
    files: await readFiles(values.texts("file")),
    outputSchema: await call.json("output-schema", jsonObject),
    maxCredits: values.wholeNumber("max-credits"),
    maxSteps: values.wholeNumber("max-steps"),
    timeoutSeconds: values.wholeNumber("timeout-seconds"),
    metadata: values.pairs("metadata"),
  };
}

const NAME = 40;

export const workflows = listing({
  name: "workflows",
  summary: "List workflows",
  items: (call) => call.client.workflows.all(call),
  columns: {
    WORKFLOW: ({ workflowId }) => workflowId,
    NAME: ({ name }) => oneLine(name, NAME),
    INPUTS: ({ inputs }) =>
      inputs.map(({ name, required }) => (required ? name : `[${name}]`)).join(" "),
  },
});

/** Starts an execution of a workflow. */
export const run: Command = {
  name: "run",
  summary: "Start an agent from a workflow",
  args: ["workflow"],
  options: {
    ...STARTING,
    input: {
      multiple: true,
      value: "NAME=VALUE",
      help: "an input; JSON for types other than text",
    },
    inputs: { value: "FILE", help: "JSON object of inputs by name" },
    file: FILES,
  },
  notes: `Identify a workflow by its id or name. Use - as FILE to read standard input.
With --json, prints the accepted execution and, with --watch, the events of its log and the result.`,
  async run(call) {
    const { workflowId, inputs } = await resolveRun(call);
    const options = { ...onceOf(call), files: await readFiles(call.values.texts("file")) };
    return started(call, await call.client.workflows.run(workflowId, inputs, options));
  },
};

/**
 * Returns the workflow and the inputs that a command line names. Reads the workflow only when needed:
 * the key may have permission to run it but not to read it.
 */
async function resolveRun(call: Call) {
  const { client, values, args, signal } = call;
  const [name = ""] = args;
  const texts = values.pairs("input");
  const read = (await call.json("inputs", jsonObject)) ?? {};
  if (texts === undefined && workflowId.safeParse(name).success)
    return { workflowId: name, inputs: read };
  const workflow = await workflowOf(client, name, signal);
  const inputs = { ...read, ...typedInputs(texts ?? {}, workflow) };
  return { workflowId: workflow.workflowId, inputs };
}
