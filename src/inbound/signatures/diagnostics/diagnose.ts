import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import { equalBytes } from "../../../lib/secrets.ts";
import type { InboundRequest, OpenSecret } from "../../types.ts";
import type { Algorithm } from "../hmac.ts";
import { hmac, importKey } from "../hmac.ts";
import { namesIn, type Unverified } from "../signature-headers.ts";
import { signedMessages } from "../signed-message.ts";
import { materialOf } from "../verify.ts";
import { describeMatch, describeNone } from "./findings.ts";
import type { SentDigest } from "./sent-headers.ts";
import { sentDigests } from "./sent-headers.ts";
import type { Attempt, Match, OtherKey } from "./variants.ts";
import { attempts, keysOf, templatesOf } from "./variants.ts";

/** Diagnoses of one secret within the window: forged requests are free for an attacker. */
const MAX_DIAGNOSES = 30;
const DIAGNOSES_WINDOW_MS = 10_000;

/** Times of recent diagnoses, by secret. */
const diagnoses = new WeakMap<OpenSecret, number[]>();

/** A request whose signature was not verified. */
interface UnverifiedRequest {
  scheme: SignatureScheme;
  secret: OpenSecret;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  verdict: Unverified;
}

/**
 * Explains why a request's signature does not match, in sentences that say what to change. Tries known
 * variants in bounded time, and never reveals a secret.
 */
export async function diagnose({
  scheme,
  secret,
  request,
  now,
  verdict,
}: UnverifiedRequest): Promise<string[]> {
  if (!isWithinRate(secret, now)) {
    return [
      `More than ${MAX_DIAGNOSES} signatures did not match within seconds, so this one was not examined.`,
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

function isWithinRate(secret: OpenSecret, now: number): boolean {
  const recent = (diagnoses.get(secret) ?? []).filter((time) => now - time < DIAGNOSES_WINDOW_MS);
  if (recent.length >= MAX_DIAGNOSES) return false;
  diagnoses.set(secret, [...recent, now]);
  return true;
}

/** Signatures and bytes that one diagnosis may compute: any unauthenticated caller can cause it. */
const MAX_SIGNED = 150;
const MAX_SIGNED_BYTES = 8 * 1_048_576;

/** Returns the first attempt that produces a digest of the request, or null. */
async function findMatch(
  candidates: Iterable<Attempt>,
  digests: SentDigest[],
): Promise<Match | null> {
  const algorithms = [...new Set(digests.map(({ algorithm }) => algorithm))];
  const keys = new Map<string, Promise<CryptoKey>>();
  let [signed, bytes] = [0, 0];
  for (const attempt of candidates) {
    const values = {
      timestamp: attempt.template.timestamp?.text ?? "",
      id: attempt.template.id?.text ?? "",
    };
    const messages = signedMessages(attempt.template, values, attempt.other.material);
    for await (const message of messages) {
      for (const algorithm of algorithms) {
        signed += 1;
        bytes += message.length;
        if (signed > MAX_SIGNED || bytes > MAX_SIGNED_BYTES) return null;
        const computed = await hmac(await cryptoKey(attempt.key, algorithm), message);
        const digest = digests.find((sent) => equalBytes(sent.bytes, computed));
        if (digest !== undefined) return { ...attempt, digest };
      }
    }
  }
  return null;

  function cryptoKey({ bytes }: OtherKey, algorithm: Algorithm): Promise<CryptoKey> {
    const name = `${algorithm} ${bytes.join()}`;
    const key = keys.get(name) ?? importKey(bytes, algorithm);
    keys.set(name, key);
    return key;
  }
}
