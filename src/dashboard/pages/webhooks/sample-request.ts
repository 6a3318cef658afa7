import type { Json, JsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { MappedField } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { autoMap } from "../../../intake/mapping/auto.ts";
import { type Path, parsePath, readPath } from "../../../intake/mapping/payload-path.ts";
import { isObject } from "../../../lib/json-values.ts";
import { senderOf } from "./senders.ts";

/** A sample value of each type. */
export const SAMPLE_VALUES: Record<string, Json> = {
  string: "text",
  number: 12.5,
  integer: 7,
  boolean: true,
  timestamp: "2026-01-31T09:30:00Z",
  object: {},
  array: [],
  null: null,
};

/**
 * Returns a sender's payload with the fields that the endpoint's validation and mapping name and with
 * the workflow's required inputs. JSON Schemas are not followed.
 */
function payloadFor(
  sample: JsonObject,
  { mapping, validation, eventId, replayProtection }: EndpointRecord,
  inputs: readonly WorkflowInput[],
): Json {
  let payload: Json = sample;
  const put = (text: string, value: Json) => {
    const parsed = parsePath(text);
    if (parsed.ok) payload = withValue(payload, parsed.path, value);
  };
  const fill = (text: string, value: Json) => {
    if (readPath(payload, text) === undefined) put(text, value);
  };
  for (const [path, type] of Object.entries(validation.types)) {
    fill(path, SAMPLE_VALUES[type] ?? null);
  }
  for (const field of mapping.fields) {
    const input = inputs.find(({ name }) => name === field.to);
    if (field.from !== null && field.from !== "$" && (field.in ?? "body") === "body")
      fill(field.from, beforeTransforms(field, input));
  }
  for (const path of validation.required) fill(path, wordFor(path));
  for (const name of missing(payload, mapping, inputs)) {
    put(name, valueFor(inputs.find((input) => input.name === name)));
  }
  if (eventId && eventId.in === "body") put(eventId.path, "{{id}}");
  const { enabled, timestamp } = replayProtection;
  if (enabled && timestamp?.in === "body") put(timestamp.path, "{{now}}");
  return payload;
}

/** Returns the required inputs that no field of the payload would fill. */
function missing(
  payload: PayloadValue,
  { auto, fields }: EndpointRecord["mapping"],
  inputs: readonly WorkflowInput[],
): string[] {
  if (!auto) return [];
  const names = inputs
    .filter(({ required, default: standard }) => required && standard === null)
    .map(({ name }) => name)
    .filter((name) => !fields.some(({ to }) => to === name));
  const { values } = autoMap(payload, names);
  return names.filter((name) => !values.has(name));
}

function valueFor(input: WorkflowInput | undefined): Json {
  if (input === undefined || input.type === "string") return wordFor(input?.name ?? "");
  return SAMPLE_VALUES[input.type] ?? null;
}

/** Returns a sample of a field before its first transform. */
function beforeTransforms({ transforms: [first], from }: MappedField, input?: WorkflowInput): Json {
  switch (first?.type) {
    case undefined:
      return valueFor(input);
    case "domain":
      return "jane@example.com";
    case "timestamp":
      return MOMENTS[first.from];
    case "unit":
    case "number":
    case "integer":
      return 100;
    case "boolean":
      return true;
    case "join":
    case "first":
    case "last":
    case "length":
      return ["a", "b"];
    case "json":
      return "{}";
    default:
      return wordFor(from ?? "");
  }
}

const MOMENTS = {
  auto: "2026-01-31T09:30:00Z",
  iso: "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  epoch_seconds: 1_769_851_800,
  epoch_ms: 1_769_851_800_000,
  epoch_us: 1_769_851_800_000_000,
  epoch_ns: 1_769_851_800_000_000_000,
};

function wordFor(name: string): string {
  if (/mail/i.test(name)) return "jane@example.com";
  return /(?:url|link|page|site|href)s?$/i.test(name) ? "https://example.com/" : "text";
}

/** The most elements that a list is filled up to. */
const MOST_ELEMENTS = 20;

/** Returns the payload with a value at a path, creating the objects and lists on the way. */
function withValue(place: Json | undefined, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "string") {
    const object = isObject(place) ? place : {};
    const child = Object.hasOwn(object, step) ? object[step] : undefined;
    return { ...object, [step]: withValue(child, rest, value) };
  }
  const list = Array.isArray(place) ? place : [];
  if (step >= MOST_ELEMENTS) return list;
  return Array.from({ length: Math.max(list.length, step + 1) }, (_, at) =>
    at === step ? withValue(list[at], rest, value) : (list[at] ?? null),
  );
}

/** A request that an endpoint would accept; its texts are templates, see `SenderSample`. */
export interface SampleRequest {
  method: "POST" | "GET";
  /** Null for a GET, whose payload is its query. */
  contentType: string | null;
  headers: [string, string][];
  /** JSON, or the fields of a form or a query. */
  payload: Json;
  /** The payload as the text of a body or a query. */
  text: string;
}

/** Returns a request of the endpoint's sender that meets all of its settings. */
export function sampleRequest(
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
): SampleRequest {
  const { sample } = senderOf(endpoint);
  const { headers = [] } = sample;
  const payload = payloadFor(sample.body, endpoint, inputs);
  const method = endpoint.methods.includes("POST") ? "POST" : "GET";
  const isFields = method === "GET" || sample.isForm === true;
  return {
    method,
    contentType: method === "GET" ? null : isFields ? FORM : "application/json",
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ...settingHeaders(endpoint),
    ],
    payload,
    text: isFields ? fieldsText(payload) : JSON.stringify(payload),
  };
}

const FORM = "application/x-www-form-urlencoded";

/** Returns the headers that hold the event id and the timestamp. */
function settingHeaders({ eventId, replayProtection }: EndpointRecord): [string, string][] {
  const { enabled, timestamp } = replayProtection;
  return [
    ...(eventId && eventId.in === "header"
      ? [[eventId.path, "{{id}}"] satisfies [string, string]]
      : []),
    ...(enabled && timestamp?.in === "header"
      ? [[timestamp.path, "{{now}}"] satisfies [string, string]]
      : []),
  ];
}

/** Encodes fields one level deep as a form or a query, leaving the braces of templates unescaped. */
function fieldsText(payload: Json): string {
  const text = new URLSearchParams(fieldsOf(payload)).toString();
  return text.replaceAll("%7B%7B", "{{").replaceAll("%7D%7D", "}}");
}

/** Returns a payload's fields as pairs of texts. */
export function fieldsOf(payload: Json): [string, string][] {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return [];
  return Object.entries(payload).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}
