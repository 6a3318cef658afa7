import type { AdviceChange } from "../../../contract/inbound/advice.ts";
import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import { equalBytes } from "../../../lib/secrets.ts";
import type { OpenSecret } from "../../types.ts";
import type { Algorithm } from "../hmac.ts";
import { hmac, importKey, plainHash } from "../hmac.ts";
import { namesIn } from "../signature-headers.ts";
import { signedMessages } from "../signed-message.ts";
import { materialOf, sentParts, verifySignature } from "../verify.ts";
import { applied, changeFor } from "./change.ts";
import {
  type Diagnosis,
  describeMatch,
  describeNone,
  otherPreset,
  type UnverifiedRequest,
} from "./findings.ts";
import { diagnoseJwt } from "./jwt.ts";
import { keysOf, type OtherKey } from "./keys.ts";
import type { SentDigest } from "./sent-headers.ts";
import { sentDigests } from "./sent-headers.ts";
import { losesTime, templatesOf } from "./templates.ts";
import { type Attempt, attempts, type Match } from "./variants.ts";

/** Diagnoses of one secret within the window: forged requests are free for an attacker. */
const MAX_DIAGNOSES = 30;
const DIAGNOSES_WINDOW_MS = 10_000;

/** Times of recent diagnoses, by secret. */
const diagnoses = new WeakMap<OpenSecret, number[]>();

/**
 * Explains why a request's signature does not match. Tries known variants in bounded time, and never
 * reveals a secret. A change is advised only if the request is accepted under it.
 */
export async function diagnose(unverified: UnverifiedRequest): Promise<Diagnosis> {
  const { scheme, secret, request, now, verdict } = unverified;
  if (!isWithinRate(secret, now)) {
    const text = `More than ${MAX_DIAGNOSES} signatures did not match within seconds, so this one was not examined.`;
    return { sentences: [text], advice: null };
  }
  if (scheme.form === "jwt") return await diagnoseJwt(unverified);
  const { sent: headers, payload } = await sentParts(scheme, request);
  const whole = materialOf(request);
  const material = whole && { ...whole, payload };
  const used = { ...scheme, ...namesIn(scheme, headers) };
  const digests = sentDigests(used, headers);
  const keys = keysOf(secret, scheme.secretEncoding, unverified.preset ?? "", now);
  const match =
    material === null || digests.length === 0
      ? null
      : await findMatch(attempts(keys, templatesOf(used, headers), material, headers), digests);
  const findings =
    match === null
      ? describeNone(used, secret.current, headers, digests, verdict)
      : describeMatch(used, headers, match, verdict);
  const change = match === null ? null : await verifiedChange(unverified, used, match);
  return {
    sentences: findings.map(({ text }) => text),
    advice: { causes: findings.map(({ cause }) => cause), change },
  };
}

/** Returns the change that a match suggests, if the request is accepted under it. */
async function verifiedChange(
  { scheme, preset, secret, request, now }: UnverifiedRequest,
  used: SignatureScheme,
  match: Match,
): Promise<AdviceChange | null> {
  // A preset also knows event ids and handshakes: it is kept where it can be.
  const presets = [preset, otherPreset(scheme, match)].filter((each) => each !== null);
  for (const each of [...presets, null]) {
    const change = changeFor(used, match, each);
    const after = change && applied(change, secret);
    if (!change || !after || losesTime(scheme, after.scheme)) continue;
    const verdict = await verifySignature(after.scheme, after.secret, request, now);
    if (verdict.ok) return change;
  }
  return null;
}

function isWithinRate(secret: OpenSecret, now: number): boolean {
  const recent = (diagnoses.get(secret) ?? []).filter((time) => now - time < DIAGNOSES_WINDOW_MS);
  if (recent.length >= MAX_DIAGNOSES) return false;
  diagnoses.set(secret, [...recent, now]);
  return true;
}

/** Signatures and bytes that one diagnosis may compute: any unauthenticated caller can cause it. */
const MAX_SIGNED = 500;
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
        const computed = await digestOf(attempt, algorithm, message);
        const digest = digests.find((sent) => equalBytes(sent.bytes, computed));
        if (digest !== undefined) return { ...attempt, digest };
      }
    }
  }
  return null;

  async function digestOf(
    { key, hash }: Attempt,
    algorithm: Algorithm,
    message: Uint8Array,
  ): Promise<Uint8Array> {
    if (hash === "hmac") return await hmac(await cryptoKey(key, algorithm), message);
    if (hash === "swapped") {
      // HMAC fills a key up with zeros, so that this one is the empty key.
      const bytes = message.length === 0 ? new Uint8Array(1) : message;
      return await hmac(await importKey(bytes, algorithm), key.bytes);
    }
    const parts = {
      message: [message],
      key_message: [key.bytes, message],
      message_key: [message, key.bytes],
    };
    return await plainHash(algorithm, parts[hash]);
  }

  function cryptoKey({ bytes }: OtherKey, algorithm: Algorithm): Promise<CryptoKey> {
    const name = `${algorithm} ${bytes.join()}`;
    const key = keys.get(name) ?? importKey(bytes, algorithm);
    keys.set(name, key);
    return key;
  }
}
