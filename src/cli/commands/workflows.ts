import { jsonObject } from "../../contract/json.ts";
import type { WorkflowRecord } from "../../contract/workflow.ts";
import type { Call, Command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { readJson } from "../files.ts";
import { isWorkflowId, typedInputs, workflowOf } from "../lookup.ts";
import { listSome } from "../terminal.ts";
import { oneLine } from "../text.ts";
import { started } from "../watch/watch.ts";

const NAME = 40;

export const workflows: Command = {
  name: "workflows",
  summary: "Lists the workflows that run starts",
  args: [],
  options: { limit: { type: "string", value: "N", help: "how many; 100, if left out" } },
  async run({ client, output, given, signal }) {
    const all = client.workflows.all({ signal });
    const heading = ["WORKFLOW", "NAME", "INPUTS"];
    await listSome(output, all, given.wholeNumber("limit", 1) ?? 100, heading, workflowCells);
    return EXIT.done;
  },
};

function workflowCells({ workflowId, name, inputs }: WorkflowRecord): string[] {
  const shown = inputs.map((input) => (input.required ? input.name : `[${input.name}]`));
  return [workflowId, oneLine(name, NAME), shown.join(" ")];
}

/** Starts a run of a workflow. */
export const run: Command = {
  name: "run",
  summary: "Starts an agent from a workflow",
  args: ["workflow"],
  options: {
    watch: {
      type: "boolean",
      short: "w",
      help: "follows it to its end; the exit code tells how it ended",
    },
    input: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      help: "an input; of other types than text as JSON",
    },
    inputs: { type: "string", value: "FILE", help: "inputs by name, as a JSON object" },
    "idempotency-key": {
      type: "string",
      value: "KEY",
      help: "the same key and inputs start one run only",
    },
  },
  notes: `A workflow is named by its id or its name. A FILE of - is the standard input.
With --json the lines are: what was accepted, with --watch each entry of the log, then the result.`,
  async run(call) {
    const { client, given, signal } = call;
    const { workflowId, inputs } = await askedFor(call);
    const idempotencyKey = given.text("idempotency-key");
    const accepted = await client.workflows.run(workflowId, inputs, { idempotencyKey, signal });
    return started(call, accepted);
  },
};

/** The workflow is read only where it is needed: a key may be allowed to run it and not to read it. */
async function askedFor({ client, given, output, args: [meant = ""], signal }: Call) {
  const file = given.text("inputs");
  const texts = given.pairs("input");
  const read = file === undefined ? {} : await readJson(file, jsonObject, output.terminal);
  if (texts === undefined && isWorkflowId(meant)) return { workflowId: meant, inputs: read };
  const workflow = await workflowOf(client, meant, signal);
  const inputs = { ...read, ...typedInputs(texts ?? {}, workflow) };
  return { workflowId: workflow.workflowId, inputs };
}
