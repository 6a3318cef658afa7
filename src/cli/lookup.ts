import type { Prompthook } from "../client/prompthook.ts";
import { type JsonObject, json } from "../contract/json.ts";
import { type InputType, type WorkflowRecord, workflowId } from "../contract/workflow.ts";
import { UsageError } from "./errors.ts";

const ENDPOINT_ID = /^ep_(?:[0-9a-f]{2})?[0-9a-f]{40}$/;

/** Finds an endpoint by id, name, path or URL and returns its id. Throws `UsageError` unless exactly one matches. */
export async function endpointIdOf(
  client: Prompthook,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  if (ENDPOINT_ID.test(name)) return name;
  const found: string[] = [];
  for await (const endpoint of client.webhooks.all({ signal })) {
    const { endpointId, path, url } = endpoint;
    if ([endpoint.name, path, url].includes(name)) found.push(endpointId);
  }
  const [endpointId, ...others] = found;
  if (endpointId === undefined) {
    throw new UsageError(`No endpoint matches "${name}". Run prompthook endpoints to list them.`);
  }
  if (others.length > 0) {
    throw new UsageError(`Several endpoints match "${name}": ${found.join(", ")}. Use an id.`);
  }
  return endpointId;
}

/** Reports whether the text is a workflow's id rather than its name. */
export function isWorkflowId(name: string): boolean {
  return workflowId.safeParse(name).success;
}

/** Finds a workflow by id or name. Throws `UsageError` unless exactly one matches. */
export async function workflowOf(
  client: Prompthook,
  name: string,
  signal: AbortSignal,
): Promise<WorkflowRecord> {
  if (isWorkflowId(name)) return await client.workflows.get(name, { signal });
  const found: WorkflowRecord[] = [];
  for await (const workflow of client.workflows.all({ signal })) {
    if (workflow.name === name) found.push(workflow);
  }
  const [workflow, ...others] = found;
  if (workflow === undefined) {
    throw new UsageError(`No workflow matches "${name}". Run prompthook workflows to list them.`);
  }
  if (others.length > 0) {
    const ids = found.map((each) => each.workflowId).join(", ");
    throw new UsageError(`Several workflows match "${name}": ${ids}. Use an id.`);
  }
  return workflow;
}

/** Converts `--input` texts to the types of the workflow's inputs. Unknown names pass through for the service to reject. */
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
    throw new UsageError(`--input ${name} must be JSON of type ${type}, not "${text}".`);
  }
}
