import type { Json, JsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import {
  freshEventId,
  type SenderName,
  sampleFiller,
} from "../../../contract/webhooks/signature.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import {
  OURS,
  type SecretOrigin,
  type SenderSample,
  stepsOf,
} from "../../../intake/signatures/presets/preset.ts";
import {
  CATALOG,
  type NamedPreset,
  presetNamed,
  presetOf,
} from "../../../intake/signatures/presets.ts";
import { fieldTexts, mapMembers, mapTexts } from "../../../lib/json-values.ts";
import { shellQuoted } from "../../../lib/text.ts";

/** A kind of sender that an endpoint is created for. */
export interface Sender {
  id: string;
  name: string;
  /** The text of its card; the name of a preset says enough. */
  about?: string;
  /** How an endpoint authenticates it. */
  auth: { kind: "preset"; preset: NamedPreset } | { kind: "custom" | "token" | "open" };
  secret: SecretOrigin | null;
  /** The steps in the sender's own settings. */
  steps: readonly string[];
  /** The sender's documentation of these steps. */
  docs: string | null;
  /** The path of the list whose items become requests; null for a sender without batches. */
  split: string | null;
  /** A webhook of this sender, for a first try. */
  sample: SenderSample;
}

const ANY: SenderSample = {
  body: {
    id: "{{id}}",
    message: "Hello",
    items: [
      { sku: "cable", total: 9.5 },
      { sku: "monitor", total: 249 },
    ],
  },
};

/** Returns the sender of a preset. */
export function providerOf(name: SenderName): Sender {
  const preset = presetNamed(name);
  const { name: title, secret, docs, split = null, sample } = preset.sender;
  const auth = { kind: "preset" as const, preset };
  const steps = stepsOf(preset.sender);
  return { id: name, name: title, auth, secret, steps, docs, split, sample };
}

/** What the senders without a preset have in common. */
const OWN = { docs: null, split: null, sample: ANY };

const CUSTOM: Sender = {
  ...OWN,
  id: "hmac",
  name: "Custom signature",
  about: "Any sender that signs with HMAC. You choose the header, the text and the algorithm.",
  auth: { kind: "custom" },
  secret: OURS,
  steps: [
    "Give the sender the URL and the secret.",
    "The sender signs the text of the template with HMAC and sends the signature in the header.",
  ],
};

const TOKEN: Sender = {
  ...OWN,
  id: "token",
  name: "Token",
  about: "Senders that can add a header: X-Webhook-Token or Authorization: Bearer.",
  auth: { kind: "token" },
  secret: OURS,
  steps: [
    "Give the sender the URL and the token.",
    "The sender sends the token in the header, or as Authorization: Bearer.",
  ],
};

const OPEN: Sender = {
  ...OWN,
  id: "open",
  name: "Open URL",
  about: "No secret. Anyone who knows the unguessable URL can start the workflow.",
  auth: { kind: "open" },
  secret: null,
  steps: [
    "Give the URL only to the sender: it is the only credential. An IP allowlist makes it safer.",
  ],
};

/** The senders whose cards come first. */
export const POPULAR = [
  "github",
  "stripe",
  "shopify",
  "slack",
  "standard-webhooks",
  "linear",
] as const;

/** All senders, in the order of their cards. */
export const SENDERS: readonly Sender[] = [
  ...POPULAR.map(providerOf),
  ...CATALOG.filter((name) => !POPULAR.some((one) => one === name)).map(providerOf),
  CUSTOM,
  TOKEN,
  OPEN,
];

/** Returns the sender that an endpoint is for, by its authentication. */
export function senderOf({ auth }: Pick<EndpointRecord, "auth">): Sender {
  const { hmac, signature, token } = auth;
  const preset = hmac?.preset ?? signature?.preset ?? token?.preset;
  if (preset !== undefined) return providerOf(preset);
  if (hmac !== undefined || signature !== undefined) return CUSTOM;
  return token === undefined ? OPEN : TOKEN;
}

/** A value of each type of a workflow's inputs. */
const SAMPLE_VALUES: Record<WorkflowInput["type"], Json> = {
  string: "sample",
  number: 12.5,
  integer: 7,
  boolean: true,
  timestamp: "2026-01-31T09:30:00Z",
  object: {},
  array: [],
};

/** A webhook of an endpoint's sender. The service adds the credentials when it is sent. */
type SampleEvent = ReturnType<typeof sampleEvent>;

/**
 * Returns the sample of the endpoint's sender under an event id, with a value for each required input of
 * the workflow that no field of the mapping sets; `text` is the payload as the text of a body, or as the query
 * of a GET. `now` in epoch milliseconds.
 */
export function sampleEvent(
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
  id: string,
  now: number,
) {
  const { headers = {}, body, isForm = false } = senderOf(endpoint).sample;
  const filled = sampleFiller(id, now);
  const known = mapMembers(body, (value) => mapTexts(value, filled));
  const payload: JsonObject = { ...neededBy(endpoint, inputs), ...known };
  const isQuery = !endpoint.methods.includes("POST");
  const isFields = isQuery || isForm;
  return {
    method: isQuery ? ("GET" as const) : ("POST" as const),
    headers: [
      ...(isQuery ? [] : [["Content-Type", isForm ? FORM : JSON_TYPE] satisfies [string, string]]),
      ...[...Object.entries(headers), ...placedHeaders(endpoint)].map(
        ([name, value]): [string, string] => [name, filled(value)],
      ),
    ],
    payload,
    text: isFields ? new URLSearchParams(fieldTexts(payload)).toString() : JSON.stringify(payload),
  };
}

/** Returns a sample as it is sent now. */
export const freshEvent = (endpoint: EndpointRecord, inputs: readonly WorkflowInput[]) =>
  sampleEvent(endpoint, inputs, freshEventId(), Date.now());

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** Returns the headers in which the endpoint looks for the event id and the timestamp. */
function placedHeaders({ eventId, replayProtection }: EndpointRecord): [string, string][] {
  const { enabled, timestamp } = replayProtection;
  return [
    eventId && ([eventId, "{{id}}"] as const),
    enabled && timestamp && ([timestamp, "{{now}}"] as const),
  ].flatMap((set): [string, string][] =>
    set && set[0].in === "header" ? [[set[0].path, set[1]]] : [],
  );
}

/** Returns a value for each input that a sample must have, since the mapping finds it by its name. */
function neededBy({ mapping }: EndpointRecord, inputs: readonly WorkflowInput[]): JsonObject {
  if (!mapping.auto) return {};
  const needed = inputs.filter(
    ({ name, required, default: standard }) =>
      required && standard === null && !mapping.fields.some(({ to }) => to === name),
  );
  return Object.fromEntries(needed.map(({ name, type }) => [name, SAMPLE_VALUES[type]]));
}

/** Returns whether the service can sign a request: not with the sender's private key, nor within a body. */
export function isSignable({ auth: { hmac, signature } }: EndpointRecord): boolean {
  if (signature !== undefined) return false;
  return hmac?.preset === undefined || presetOf(hmac.preset).scheme.in !== "body";
}

/** Returns the body with which the API signs and sends a sample. */
export function sentSample({ method, headers, text }: SampleEvent) {
  const content =
    method === "GET" ? { query: Object.fromEntries(new URLSearchParams(text)) } : { body: text };
  return { method, headers: Object.fromEntries(headers), ...content, sign: true, send: true };
}

/**
 * Returns a command that sends the sample: to the URL of an open endpoint; through the API, which adds the
 * credentials, to any other. Null where only the sender can sign a request.
 */
export function curlLine(endpoint: EndpointRecord, sample: SampleEvent): string | null {
  if (!isSignable(endpoint)) return null;
  const { url, endpointId, auth } = endpoint;
  const { method, headers, text } = sample;
  if (method === "POST" && Object.keys(auth).length === 0) {
    const sent = headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
    return `curl ${url} ${sent.join(" ")} -d ${shellQuoted(text)}`;
  }
  return [
    `curl ${new URL(url).origin}/api/v1/webhooks/${endpointId}/test`,
    `-H "Authorization: Bearer $PROMPTHOOK_API_KEY" -H 'Content-Type: application/json'`,
    `-d ${shellQuoted(JSON.stringify(sentSample(sample)))}`,
  ].join(" ");
}
