import type { EndpointRecord } from "../../../../contract/inbound/endpoint.ts";
import type { Json } from "../../../../contract/json.ts";
import type { WorkflowInput } from "../../../../contract/workflow.ts";
import { senderOf } from "../senders/all.ts";
import { sampleOfSender } from "../senders/samples.ts";
import { payloadFor } from "./payload.ts";

/** A request that an endpoint would take; its texts are templates, see `SenderSample`. */
export interface SampleRequest {
  method: "POST" | "GET";
  /** Null for a GET, whose payload is its query. */
  contentType: string | null;
  headers: [string, string][];
  /** What is sent: JSON, or the fields of a form or a query. */
  payload: Json;
  /** The payload as the text of a body or a query. */
  text: string;
}

/** A request as the endpoint's sender may send it, with all that its settings ask for. */
export function sampleRequest(
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
): SampleRequest {
  const sample = sampleOfSender(senderOf(endpoint).id);
  const payload = payloadFor(sample.body, endpoint, inputs);
  const method = endpoint.methods.includes("POST") ? "POST" : "GET";
  const isFields = method === "GET" || sample.isForm === true;
  return {
    method,
    contentType: method === "GET" ? null : isFields ? FORM : "application/json",
    headers: [
      ...sample.headers.map(([name, value]): [string, string] => [name, value]),
      ...settingHeaders(endpoint),
    ],
    payload,
    text: isFields ? fieldsText(payload) : JSON.stringify(payload),
  };
}

export const FORM = "application/x-www-form-urlencoded";

/** What the settings look for in headers of the sender's. */
function settingHeaders({ eventId, replayProtection }: EndpointRecord): [string, string][] {
  const { enabled, timestamp } = replayProtection;
  return [
    ...(eventId?.in === "header" ? [[eventId.path, "{{id}}"] satisfies [string, string]] : []),
    ...(enabled && timestamp?.in === "header"
      ? [[timestamp.path, "{{now}}"] satisfies [string, string]]
      : []),
  ];
}

/** Fields one level deep, as a form or a query has them; the braces of templates stay as they are. */
function fieldsText(payload: Json): string {
  const text = new URLSearchParams(fieldsOf(payload)).toString();
  return text.replaceAll("%7B%7B", "{{").replaceAll("%7D%7D", "}}");
}

/** A payload's fields as pairs of texts. */
export function fieldsOf(payload: Json): [string, string][] {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return [];
  return Object.entries(payload).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}
