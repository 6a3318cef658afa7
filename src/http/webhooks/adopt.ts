import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import { HttpProblem } from "../problem.ts";
import { replaceSecret, type SealTarget } from "./auth.ts";
import type { EndpointDraft } from "./draft.ts";

/**
 * Returns the endpoint with the signing secret that its sender has chosen. Throws a 401 if it has one
 * already: another handshake came first.
 */
export async function withAdoptedSecret(
  before: EndpointConfig,
  given: string,
  target: SealTarget,
): Promise<EndpointDraft> {
  const { hmac } = before.auth;
  if (hmac?.awaitsSecret !== true) {
    throw new HttpProblem("unauthorized", "The endpoint has a signing secret already.");
  }
  const { preset, scheme } = hmac;
  const { secret } = await replaceSecret(
    { given, kept: null, use: "hmac", encoding: scheme.secretEncoding, validUntil: target.now },
    target,
  );
  const auth = { ...before.auth, hmac: { preset, scheme, secret } };
  return { config: { ...before, auth }, generated: {} };
}
