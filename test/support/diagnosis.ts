import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { Advice, Cause } from "../../src/contract/webhooks/advice.ts";
import {
  customScheme,
  PRESETS,
  type SignatureScheme,
} from "../../src/contract/webhooks/signature.ts";
import { customSchemeOf } from "../../src/intake/signatures/custom-scheme.ts";
import { applied, diagnose } from "../../src/intake/signatures/diagnostics/hmac.ts";
import { presetOf } from "../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../src/intake/signatures/verify.ts";
import type { OpenSecret } from "../../src/intake/types.ts";
import { inboundRequest, RECEIVED_AT } from "./signed-request.ts";

export const SECRET = "s3cr3t-of-the-webhook";
export const BODY = '{"id":7,"name":"J\u00fcrgen <b>","url":"https://a.example/x","items":[1,2]}';
export const URL_OF_ENDPOINT = "https://hooks.example/hooks/a";
export const SECOND = String(RECEIVED_AT / 1_000);

/** A scheme of the caller's own. */
export const custom = (body: object = {}): SignatureScheme =>
  customSchemeOf(customScheme.parse(body));

type Key = string | Buffer;

/** Signatures as a sender makes them with Node's own HMAC. */
export const hex = (text: string, key: Key = SECRET, algorithm = "sha256"): string =>
  createHmac(algorithm, key).update(text).digest("hex");
export const base64 = (text: string, key: Key = SECRET, algorithm = "sha256"): string =>
  createHmac(algorithm, key).update(text).digest("base64");

type Sent = Parameters<typeof inboundRequest>[0];

/** A request that is not verified, as its sender and an endpoint do not agree. */
interface Disagreement extends Sent {
  scheme: SignatureScheme;
  /** What the endpoint has stored. */
  secret?: Partial<OpenSecret>;
}

/** Expects a diagnosis with this cause and this text, and a change of the endpoint only if that mends it. */
export async function expectCause(
  disagreement: Disagreement,
  { cause, says, isFixable }: { cause: Cause; says: string; isFixable: boolean },
): Promise<void> {
  const found = await diagnosed(disagreement);
  expect(found.causes, found.said).toContain(cause);
  expect(found.said).toContain(says);
  expect(found.isFixable).toBe(isFixable);
}

/**
 * Diagnoses a request that is not verified. The diagnosis must show no secret and no signature, and must
 * advise no change that fails or that gives up a signed time.
 */
export async function diagnosed({ scheme, secret, ...sent }: Disagreement) {
  const stored: OpenSecret = { current: SECRET, previous: null, ...secret };
  const { headers = {} } = sent;
  const json = { "content-type": "application/json", ...headers };
  const request = inboundRequest({ url: URL_OF_ENDPOINT, body: BODY, ...sent, headers: json });
  const verdict = await verifySignature(scheme, stored, request, RECEIVED_AT);
  if (verdict.ok) throw new Error("the sender and the endpoint agree");
  const preset = PRESETS.find((name) => presetOf(name).scheme === scheme) ?? null;
  const others = async () => [];
  const now = RECEIVED_AT;
  const wrong = { scheme, preset, secret: stored, request, now, verdict, others };
  const { sentences, advice } = await diagnose(wrong);
  const said = sentences.join("\n");
  for (const shown of [stored.current, ...Object.values(headers)]) {
    if (shown.length > 8) expect(said).not.toContain(shown);
  }
  const causes = advice?.causes ?? [];
  const isFixable = await isMended(advice, scheme, stored, request);
  return { said, causes, change: advice?.change ?? null, isFixable };
}

/** Returns whether a change is advised, which must then make the endpoint accept the request. */
async function isMended(
  advice: Advice | null,
  before: SignatureScheme,
  stored: OpenSecret,
  request: ReturnType<typeof inboundRequest>,
): Promise<boolean> {
  if (!advice?.change) return false;
  // A prefix with a time in it would fit no other request.
  expect(JSON.stringify(advice.change)).not.toMatch(/\d{9}/);
  const after = applied(advice.change, stored);
  if (after === null) throw new Error("the change cannot be applied");
  const { scheme, secret } = after;
  const verdict = await verifySignature(scheme, secret, request, RECEIVED_AT);
  expect(verdict).toMatchObject({ ok: true });
  const isTimed = ({ template }: SignatureScheme) => template.includes("{timestamp}");
  if (isTimed(before)) expect(isTimed(scheme)).toBe(true);
  return true;
}
