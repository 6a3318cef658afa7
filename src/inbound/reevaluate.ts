import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { ReceivedRequest } from "../contract/inbound/inbox.ts";
import type { Stage } from "../contract/inbound/payload.ts";
import { admit } from "./admit.ts";
import { plainBody } from "./payload/body.ts";
import type { Admission, AdmitOptions, InboundRequest } from "./types.ts";

/** What was judged when the request came, and what only its sender could pass again. */
const SKIPPED: readonly Stage[] = [
  "endpoint",
  "https",
  "method",
  "ip",
  "auth",
  "signature",
  "freshness",
];

/** Judges a logged request by these settings: its size, its payload, validation and mapping. */
export function reevaluate(
  config: EndpointConfig,
  logged: ReceivedRequest,
  { mapAnyway = false }: Pick<AdmitOptions, "mapAnyway"> = {},
): Promise<Admission> {
  // None of the checks that look at a secret is made.
  const endpoint = { config, token: null, hmac: null, headerValues: [] };
  const options = { skip: SKIPPED, minTlsVersion: "1.0", mapAnyway };
  return admit(endpoint, requestOf(logged), logged.receivedAt, options);
}

function requestOf(logged: ReceivedRequest): InboundRequest {
  return {
    method: logged.method,
    url: loggedAddress(logged),
    headers: headersOf(logged),
    body: plainBody(logged.body ?? new Uint8Array()),
    sourceIp: logged.sourceIp,
    tlsVersion: null,
    receivedAt: logged.receivedAt,
  };
}

/** The others are redacted and cut, and say nothing of the payload. */
function headersOf({ contentType }: ReceivedRequest): Headers {
  if (contentType === null) return new Headers();
  // The log ends a cut value with a character that no header may hold.
  return new Headers({ "Content-Type": contentType.replace(/[^\t\x20-\x7e]/g, "") });
}

/** The address of a logged request as far as its payload lies in it. The log has no host. */
export function loggedAddress({ query }: Pick<ReceivedRequest, "query">): URL {
  const url = new URL("https://logged.invalid/");
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  return url;
}
