import type { StoredAuth } from "../../src/contract/webhooks/endpoint.ts";
import { plainBody, type ReceivedBody } from "../../src/intake/payload/body.ts";
import type { Endpoint, InboundRequest } from "../../src/intake/types.ts";
import type { SenderPort } from "../../src/ports/webhooks.ts";
import { configWith } from "./endpoint.ts";

/** When requests of tests come in. */
export const NOW = 1_795_024_000_000;

/** A kept secret; what it opens to is said apart from it. */
export const KEPT = { sealed: "v1.sealed", last4: "", previous: null };

/** A body that was read whole, without a Content-Encoding. */
export function wholeBody(text: string): ReceivedBody {
  return plainBody(new TextEncoder().encode(text));
}

type Changes = Partial<Omit<InboundRequest, "url" | "headers" | "body">> & {
  url?: string;
  headers?: Record<string, string>;
  body?: ReceivedBody | string;
};

/** A request that an endpoint takes which asks for nothing. */
export function requestWith({
  url,
  headers,
  body = "{}",
  ...changes
}: Changes = {}): InboundRequest {
  return {
    method: "POST",
    url: new URL(url ?? "https://prompthook.example/hooks/orders"),
    headers: new Headers({ "Content-Type": "application/json", ...headers }),
    body: typeof body === "string" ? wholeBody(body) : body,
    sourceIp: "203.0.113.7",
    tlsVersion: "TLSv1.3",
    receivedAt: NOW,
    ...changes,
  };
}

/** An opened endpoint that asks for nothing but what the changes say. */
export function endpointWith(
  config: Parameters<typeof configWith>[0] = {},
  secrets: Partial<Omit<Endpoint, "config">> = {},
): Endpoint {
  return { config: configWith(config), token: null, hmac: null, headerValues: [], ...secrets };
}

/** Authentication of which only a part is set. */
export function authWith(changes: Partial<StoredAuth>): StoredAuth {
  return { token: null, hmac: null, ipAllowlist: null, headers: [], ...changes };
}

/** A sender that cannot be asked for keys. */
export const NOBODY: SenderPort = { fetchKey: async () => null, confirm: async () => true };
