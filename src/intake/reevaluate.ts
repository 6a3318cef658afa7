import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { Stage } from "../contract/webhooks/payload.ts";
import { REDACTED } from "../lib/redaction.ts";
import { admit } from "./admit.ts";
import { plainBody } from "./payload/body.ts";
import { type ParsedPayload, parsePayload } from "./payload/parse.ts";
import type { Admission, AdmitOptions, InboundRequest } from "./types.ts";

/** Checks of the original delivery, which only its sender could pass again. */
const SKIPPED: readonly Stage[] = [
  "endpoint",
  "https",
  "method",
  "ip",
  "auth",
  "signature",
  "freshness",
];

/** Evaluates the size, payload, validation and mapping of a logged request under these settings. */
export function reevaluate(
  config: EndpointConfig,
  logged: ReceivedRequest,
  { mapAnyway = false }: Pick<AdmitOptions, "mapAnyway"> = {},
): Promise<Admission> {
  // Every check that needs a secret is skipped.
  const endpoint = { config, token: null, hmac: null, headerValues: [] };
  const options = { skip: SKIPPED, minTlsVersion: "1.0", mapAnyway };
  return admit(endpoint, requestOf(logged), logged.receivedAt, options);
}

function requestOf(logged: ReceivedRequest): InboundRequest {
  return {
    method: logged.method,
    url: loggedAddress(logged),
    headers: loggedHeaders(logged),
    body: plainBody(logged.body ?? new Uint8Array()),
    sourceIp: logged.sourceIp,
    tlsVersion: null,
    receivedAt: logged.receivedAt,
  };
}

/** Returns the headers of a logged request, without the redacted ones. */
export function loggedHeaders({
  headers,
  contentType,
}: Pick<ReceivedRequest, "headers" | "contentType">): Headers {
  const shown = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!value.includes(REDACTED)) shown.set(name, sendable(value));
  }
  if (contentType === null) shown.delete("Content-Type");
  else shown.set("Content-Type", sendable(contentType));
  return shown;
}

/** The log ends a cut value with a character that no header may hold. */
const sendable = (value: string): string => value.replace(/[^\t\x20-\x7e]/g, "");

/** Parses the payload of a logged request again. */
export function loggedPayload(logged: ReceivedRequest): Promise<ParsedPayload> {
  const { method, contentType, body } = logged;
  const bytes = body ?? new Uint8Array();
  return parsePayload({ method, url: loggedAddress(logged), contentType, bytes });
}

/** Returns an address with the query of a logged request. The log has no host. */
export function loggedAddress({ query }: Pick<ReceivedRequest, "query">): URL {
  const url = new URL("https://logged.invalid/");
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  return url;
}
