import { jsonObject } from "../../contract/json.ts";
import { inputType, type WorkflowRecord } from "../../contract/workflow.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput, readJson } from "../files.ts";
import { isWorkflowId, typedInputs, workflowOf } from "../lookup.ts";
import type { Options } from "../options.ts";
import { printList } from "../terminal.ts";
import { oneLine } from "../text.ts";
import { started } from "../watch/watch.ts";

const NAME = 40;

export const workflows: Command = {
  name: "workflows",
  summary: "List workflows",
  options: { limit: { value: "N", help: "maximum number of rows (default: 100)" } },
  async run({ client, output, values, signal }) {
    const all = client.workflows.all({ signal });
    const heading = ["WORKFLOW", "NAME", "INPUTS"];
    await printList(output, all, values.wholeNumber("limit", 1) ?? 100, heading, workflowCells);
  },
};

function workflowCells({ workflowId, name, inputs }: WorkflowRecord): string[] {
  const shown = inputs.map((input) => (input.required ? input.name : `[${input.name}]`));
  return [workflowId, oneLine(name, NAME), shown.join(" ")];
}

export const createWorkflow: Command = {
  name: "workflows create",
  summary: "Create a workflow",
  args: ["name", "prompt"],
  options: {
    input: {
      multiple: true,
      value: "NAME[:TYPE][?]",
      help: "an input, such as orderId or total:number; ? makes it optional",
    },
    model: { value: "MODEL", help: "the model that runs it" },
  },
  notes: `{{name}} in the prompt refers to an input. Use - as prompt to read standard input.
Types: ${inputType.options.join(", ")}.`,
  async run({ client, output, values, args: [name = "", words = ""], signal }) {
    const prompt = words === "-" ? await readInput("-", output.terminal) : words;
    const model = values.text("model");
    const inputs = (values.list("input") ?? []).map(inputOf);
    const body = { name, prompt, inputs, ...(model !== undefined && { model }) };
    const created = await client.workflows.create(body, { signal });
    output.print(created, ({ workflowId }) => workflowId);
  },
};

function inputOf(text: string) {
  const [, name = "", type = "string", optional] = /^([^:?]+)(?::([^?]*))?(\?)?$/.exec(text) ?? [];
  const parsed = inputType.safeParse(type);
  if (name === "" || !parsed.success) {
    throw new UsageError(`--input must be a name, or a name and a type, not "${text}".`);
  }
  return { name, type: parsed.data, required: optional === undefined };
}

/** The options that give a workflow its inputs. */
export const INPUT_OPTIONS: Options = {
  input: {
    multiple: true,
    value: "NAME=VALUE",
    help: "an input; JSON for types other than text",
  },
  inputs: { value: "FILE", help: "JSON object of inputs by name" },
};

/** Starts an execution of a workflow. */
export const run: Command = {
  name: "run",
  summary: "Start an agent from a workflow",
  args: ["workflow"],
  options: {
    watch: { short: "w", help: "follow it to its end; the exit code reflects its status" },
    ...INPUT_OPTIONS,
    "idempotency-key": { value: "KEY", help: "start only one execution for the same key" },
  },
  notes: `Identify a workflow by its id or name. Use - as FILE to read standard input.
With --json, prints the accepted execution and, with --watch, the events of its log and the result.`,
  async run(call) {
    const { client, values, signal } = call;
    const { workflowId, inputs } = await resolveRun(call);
    const idempotencyKey = values.text("idempotency-key");
    const accepted = await client.workflows.run(workflowId, inputs, { idempotencyKey, signal });
    return started(call, accepted);
  },
};

/**
 * Returns the workflow and the inputs that a command line names. Reads the workflow only when needed:
 * the key may have permission to run it but not to read it.
 */
export async function resolveRun({ client, values, output, args: [name = ""], signal }: Call) {
  const file = values.text("inputs");
  const texts = values.pairs("input");
  const read = file === undefined ? {} : await readJson(file, jsonObject, output.terminal);
  if (texts === undefined && isWorkflowId(name)) return { workflowId: name, inputs: read };
  const workflow = await workflowOf(client, name, signal);
  const inputs = { ...read, ...typedInputs(texts ?? {}, workflow) };
  return { workflowId: workflow.workflowId, inputs };
}
