import type { EndpointConfig, StoredAuth } from "../../src/contract/inbound/endpoint.ts";
import type { Endpoint, InboundRequest } from "../../src/inbound/types.ts";
import { configWith } from "./endpoint.ts";

/** When the requests of these tests come in. */
export const NOW = 1_795_000_000_000;

/** What an endpoint asks for: nothing but these. */
export function authWith(changes: Partial<StoredAuth> = {}): StoredAuth {
  return { token: null, hmac: null, ipAllowlist: null, headers: [], ...changes };
}

/** An endpoint with its secrets opened. */
export function endpointWith(
  changes: Partial<EndpointConfig> = {},
  secrets: Partial<Omit<Endpoint, "config">> = {},
): Endpoint {
  return { config: configWith(changes), token: null, hmac: null, headerValues: [], ...secrets };
}

/** A POST of an empty object. */
export function requestWith({
  headers = {},
  url = "https://hooks.example/hooks/a",
  ...changes
}: Partial<Omit<InboundRequest, "headers" | "url">> & {
  headers?: Record<string, string>;
  url?: string;
} = {}): InboundRequest {
  const body = new TextEncoder().encode("{}");
  return {
    method: "POST",
    url: new URL(url),
    headers: new Headers(headers),
    body: { kind: "whole", raw: body, bytes: body },
    sourceIp: "203.0.113.7",
    tlsVersion: "TLSv1.3",
    receivedAt: NOW,
    ...changes,
  };
}
