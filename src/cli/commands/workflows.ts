import { jsonObject } from "../../contract/json.ts";
import { inputType } from "../../contract/workflow.ts";
import { type Call, type Command, calling, listing } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput, readJson } from "../files.ts";
import { isWorkflowId, typedInputs, workflowOf } from "../lookup.ts";
import { oneLine } from "../text.ts";
import { onceOf, STARTING, started } from "../watch/watch.ts";

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

export const createWorkflow = calling({
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
  async ask(call, name, words) {
    const { client, output, values } = call;
    const prompt = words === "-" ? await readInput("-", output.terminal) : words;
    const model = values.text("model");
    const inputs = (values.list("input") ?? []).map(inputOf);
    const body = { name, prompt, inputs, ...(model !== undefined && { model }) };
    return await client.workflows.create(body, call);
  },
  text: ({ workflowId }) => workflowId,
});

function inputOf(text: string) {
  const [, name = "", type = "string", optional] = /^([^:?]+)(?::([^?]*))?(\?)?$/.exec(text) ?? [];
  const parsed = inputType.safeParse(type);
  if (name === "" || !parsed.success) {
    throw new UsageError(`--input must be a name, or a name and a type, not "${text}".`);
  }
  return { name, type: parsed.data, required: optional === undefined };
}

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
  },
  notes: `Identify a workflow by its id or name. Use - as FILE to read standard input.
With --json, prints the accepted execution and, with --watch, the events of its log and the result.`,
  async run(call) {
    const { workflowId, inputs } = await resolveRun(call);
    return started(call, await call.client.workflows.run(workflowId, inputs, onceOf(call)));
  },
};

/**
 * Returns the workflow and the inputs that a command line names. Reads the workflow only when needed:
 * the key may have permission to run it but not to read it.
 */
async function resolveRun({ client, values, output, args: [name = ""], signal }: Call) {
  const file = values.text("inputs");
  const texts = values.pairs("input");
  const read = file === undefined ? {} : await readJson(file, jsonObject, output.terminal);
  if (texts === undefined && isWorkflowId(name)) return { workflowId: name, inputs: read };
  const workflow = await workflowOf(client, name, signal);
  const inputs = { ...read, ...typedInputs(texts ?? {}, workflow) };
  return { workflowId: workflow.workflowId, inputs };
}
