import type { Prompthook } from "../client/prompthook.ts";
import { type JsonObject, json } from "../contract/json.ts";
import { type EndpointRecord, endpointId } from "../contract/webhooks/endpoint.ts";
import { type InputType, type WorkflowRecord, workflowId } from "../contract/workflow.ts";
import { mapMembers } from "../lib/json-values.ts";
import { UsageError } from "./errors.ts";

/** Finds an endpoint by id, name, path or URL and returns its id. Throws `UsageError` unless exactly one matches. */
export async function endpointIdOf(client: Prompthook, text: string, signal: AbortSignal) {
  if (endpointId.safeParse(text).success) return text;
  const isNamed = ({ name, path, url }: EndpointRecord) => [name, path, url].includes(text);
  const idOf = ({ endpointId: id }: EndpointRecord) => id;
  return idOf(await oneOf("endpoint", text, client.webhooks.all({ signal }), isNamed, idOf));
}

/** Finds a workflow by id or name. Throws `UsageError` unless exactly one matches. */
export async function workflowOf(client: Prompthook, text: string, signal: AbortSignal) {
  if (workflowId.safeParse(text).success) return await client.workflows.get(text, { signal });
  const isNamed = ({ name }: WorkflowRecord) => name === text;
  const idOf = ({ workflowId: id }: WorkflowRecord) => id;
  return await oneOf("workflow", text, client.workflows.all({ signal }), isNamed, idOf);
}

/** Returns the one of these that matches. Throws `UsageError` if none or several do. */
async function oneOf<Item>(
  noun: string,
  text: string,
  items: AsyncIterable<Item>,
  matches: (item: Item) => boolean,
  idOf: (item: Item) => string,
): Promise<Item> {
  const found: Item[] = [];
  for await (const item of items) if (matches(item)) found.push(item);
  const [first, ...others] = found;
  if (first === undefined)
    throw new UsageError(`No ${noun} matches "${text}". Run prompthook ${noun}s to list them.`);
  if (others.length === 0) return first;
  const ids = found.map(idOf).join(", ");
  throw new UsageError(`Several ${noun}s match "${text}": ${ids}. Use an id.`);
}

/** Converts `--input` texts to the types of the workflow's inputs. Unknown names pass through for the service to reject. */
export function typedInputs(texts: Readonly<Record<string, string>>, { inputs }: WorkflowRecord) {
  return mapMembers(texts, (text, name) => {
    const type = inputs.find((input) => input.name === name)?.type ?? "string";
    const isText = type === "string" || type === "timestamp";
    return isText ? text : parsed(name, text, type);
  });
}

function parsed(name: string, text: string, type: InputType): JsonObject[string] {
  try {
    return json.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--input ${name} must be JSON of type ${type}, not "${text}".`);
  }
}
