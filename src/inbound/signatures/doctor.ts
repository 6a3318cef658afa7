import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import type { InboundRequest, OpenSecret } from "../types.ts";
import { attempts } from "./doctor/attempts.ts";
import { describeMatch, describeNone } from "./doctor/findings.ts";
import { findMatch } from "./doctor/search.ts";
import { keysOf } from "./doctor/secrets.ts";
import { sentDigests } from "./doctor/sent.ts";
import { templatesOf } from "./doctor/templates.ts";
import { namesIn } from "./presented.ts";
import { materialOf, verifySignature } from "./verify.ts";

/** Forged requests cost a stranger nothing; what is said of the hundredth is what was said of the first. */
const MAX_VISITS = 30;
const VISITS_MS = 10_000;

/** When the doctor was asked last, by the secret that did not match. */
const visits = new WeakMap<OpenSecret, number[]>();

/**
 * Why a request's signature does not match, in sentences that tell the operator what to change; none
 * when it does match. Tries the known variants within a bounded time, and tells no secret.
 */
export async function diagnose(
  scheme: SignatureScheme,
  secret: OpenSecret,
  request: InboundRequest,
  now: number,
): Promise<string[]> {
  const verdict = await verifySignature(scheme, secret, request, now);
  if (verdict.ok) return [];
  if (!mayVisit(secret, now)) {
    return [
      `More than ${MAX_VISITS} signatures did not match within seconds; not each is looked into.`,
    ];
  }
  const material = materialOf(request);
  const used = { ...scheme, ...namesIn(scheme, request.headers) };
  const digests = sentDigests(used, request.headers);
  const keys = keysOf(secret, scheme.secretEncoding, now);
  const match =
    material === null || digests.length === 0
      ? null
      : await findMatch(attempts(keys, templatesOf(used, request.headers), material), digests);
  return match === null
    ? describeNone(used, request.headers, digests, verdict)
    : describeMatch(used, request.headers, match, verdict);
}

function mayVisit(secret: OpenSecret, now: number): boolean {
  const recent = (visits.get(secret) ?? []).filter((time) => now - time < VISITS_MS);
  if (recent.length >= MAX_VISITS) return false;
  visits.set(secret, [...recent, now]);
  return true;
}
