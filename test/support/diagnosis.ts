import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { customScheme, type SignatureScheme } from "../../src/contract/webhooks/signature.ts";
import { customSchemeOf } from "../../src/intake/signatures/custom-scheme.ts";
import { diagnose } from "../../src/intake/signatures/diagnostics/hmac.ts";
import { verifySignature } from "../../src/intake/signatures/verify.ts";
import type { InboundRequest, OpenSecret } from "../../src/intake/types.ts";
import { inboundRequest, RECEIVED_AT } from "./signed-request.ts";

export const SECRET = "a secret of the tests";
export const BODY = '{"b": 1, "a": "Gr\u00fc\u00dfe/<x>"}';
export const URL_OF_ENDPOINT = "https://hooks.example/hooks/a";
export const SECOND = String(RECEIVED_AT / 1_000);

/** A scheme of the caller's own. */
export const custom = (body: object): SignatureScheme => customSchemeOf(customScheme.parse(body));

/** What a sender makes with Node's own HMAC. */
export function mac(text: string, key: string | Buffer = SECRET, algorithm = "sha256") {
  const made = createHmac(algorithm, key).update(text);
  return { hex: () => made.digest("hex"), base64: () => made.digest("base64") };
}

export const sha256 = (text: string, as: "hex" | "base64" = "hex"): string => mac(text)[as]();

/** Verifies a request and diagnoses it; returns nothing if its signature is right. */
export async function diagnosisOf(
  scheme: SignatureScheme,
  secret: OpenSecret,
  request: InboundRequest,
  now: number,
): Promise<string[]> {
  const verdict = await verifySignature(scheme, secret, request, now);
  if (verdict.ok) return [];
  return (
    await diagnose({ scheme, preset: null, secret, request, now, verdict, others: async () => [] })
  ).sentences;
}

/** Returns the diagnosis of a request as one text, which never contains a secret or a signature. */
export async function saidOf(
  scheme: SignatureScheme,
  headers: Record<string, string>,
  more: Partial<Parameters<typeof inboundRequest>[0]> & { secret?: OpenSecret } = {},
): Promise<string> {
  const { secret = { current: SECRET, previous: null }, ...changes } = more;
  const request = inboundRequest({ url: URL_OF_ENDPOINT, headers, body: BODY, ...changes });
  const sentences = await diagnosisOf(scheme, secret, request, RECEIVED_AT);
  const said = sentences.join("\n");
  expect(said).not.toContain(secret.current);
  const sent = Object.values(headers).filter(({ length }) => length > 8);
  for (const value of sent) expect(said).not.toContain(value);
  return said;
}
