import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import type { InboundRequest, OpenSecret } from "../types.ts";
import { attempts } from "./doctor/attempts.ts";
import { describeMatch, describeNone } from "./doctor/findings.ts";
import { findMatch } from "./doctor/search.ts";
import { keysOf } from "./doctor/secrets.ts";
import { sentDigests } from "./doctor/sent.ts";
import { templatesOf } from "./doctor/templates.ts";
import { materialOf, verifySignature } from "./verify.ts";

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
  const material = materialOf(request);
  const digests = sentDigests(scheme, request.headers);
  const keys = keysOf(secret, scheme.secretEncoding, now);
  const match =
    material === null || digests.length === 0
      ? null
      : await findMatch(attempts(keys, templatesOf(scheme, request.headers), material), digests);
  return match === null
    ? describeNone(scheme, request.headers, digests, verdict)
    : describeMatch(scheme, request.headers, match, verdict);
}
