import { admitAll } from "../../src/intake/admit.ts";
import { gzipBody, plainBody } from "../../src/intake/payload/body.ts";
import type { Admission, InboundRequest } from "../../src/intake/types.ts";

/** The instant at which requests of these tests come in. */
export const RECEIVED_AT = 1_795_000_000_000;

const MAX_BYTES = 1_048_576;

const encoder = new TextEncoder();

/** Admits a request that is no batch. */
export async function admit(...args: Parameters<typeof admitAll>): Promise<Admission> {
  const [{ admission }] = await admitAll(...args);
  return admission;
}

/** A request as it comes to the checks. `wire` is the body as it travelled, where it was compressed. */
export function inboundRequest({
  method = "POST",
  url = "https://hooks.example/hooks/ep_1",
  headers = {},
  body = "",
  wire,
}: {
  method?: string;
  url?: string | URL;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  wire?: Uint8Array;
}): InboundRequest {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return {
    method,
    url: new URL(url),
    headers: new Headers(headers),
    body: wire === undefined ? plainBody(bytes) : gzipBody(wire, MAX_BYTES),
    sourceIp: "203.0.113.7",
    tlsVersion: "TLSv1.3",
    receivedAt: RECEIVED_AT,
  };
}
