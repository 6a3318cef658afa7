import type { Prompthook } from "../client/prompthook.ts";
import { type JsonObject, json } from "../contract/json.ts";
import { type InputType, type WorkflowRecord, workflowId } from "../contract/workflow.ts";
import { UsageError } from "./errors.ts";

const ENDPOINT_ID = /^ep_[0-9a-f]{40}$/;

/** The id of the endpoint that somebody means, by its id, its name, its path or its address. */
export async function endpointIdOf(
  client: Prompthook,
  meant: string,
  signal: AbortSignal,
): Promise<string> {
  if (ENDPOINT_ID.test(meant)) return meant;
  const found: string[] = [];
  for await (const { endpointId, name, path, url } of client.webhooks.all({ signal })) {
    if ([name, path, url].includes(meant)) found.push(endpointId);
  }
  const [endpointId, ...others] = found;
  if (endpointId === undefined) {
    throw new UsageError(`There is no endpoint "${meant}". prompthook endpoints lists them.`);
  }
  if (others.length > 0) {
    throw new UsageError(`"${meant}" is the name of several endpoints: ${found.join(", ")}.`);
  }
  return endpointId;
}

/** Whether a workflow is meant by its id, and not by its name. */
export function isWorkflowId(meant: string): boolean {
  return workflowId.safeParse(meant).success;
}

/** The workflow that somebody means, by its id or its name. */
export async function workflowOf(
  client: Prompthook,
  meant: string,
  signal: AbortSignal,
): Promise<WorkflowRecord> {
  if (isWorkflowId(meant)) return await client.workflows.get(meant, { signal });
  const found: WorkflowRecord[] = [];
  for await (const workflow of client.workflows.all({ signal })) {
    if (workflow.name === meant) found.push(workflow);
  }
  const [workflow, ...others] = found;
  if (workflow === undefined) {
    throw new UsageError(`There is no workflow "${meant}". prompthook workflows lists them.`);
  }
  if (others.length > 0) {
    const ids = found.map((each) => each.workflowId).join(", ");
    throw new UsageError(`"${meant}" is the name of several workflows: ${ids}.`);
  }
  return workflow;
}

/** Texts of a command line as values of a workflow's inputs; the service judges what it does not know. */
export function typedInputs(
  texts: Readonly<Record<string, string>>,
  { inputs }: WorkflowRecord,
): JsonObject {
  const values = Object.entries(texts).map(([name, text]) => {
    const type = inputs.find((input) => input.name === name)?.type ?? "string";
    return [name, isText(type) ? text : parsed(name, text, type)] as const;
  });
  return Object.fromEntries(values);
}

const isText = (type: InputType) => type === "string" || type === "timestamp";

function parsed(name: string, text: string, type: InputType): JsonObject[string] {
  try {
    return json.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--input ${name} takes JSON of the type ${type}; not "${text}".`);
  }
}
