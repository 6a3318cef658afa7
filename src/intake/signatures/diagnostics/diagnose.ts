import type { AdviceChange } from "../../../contract/webhooks/advice.ts";
import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { equalBytes } from "../../../lib/secrets.ts";
import { type Algorithm, hmac, importKey, isHash, plainHash } from "../hmac.ts";
import { namesIn } from "../signature-headers.ts";
import { sentParts, verifySignature } from "../verify.ts";
import { applied, changeFor } from "./change.ts";
import {
  type Diagnosis,
  describeMatch,
  describeNone,
  diagnosisOf,
  NO_VARIANT,
  otherPreset,
  secretFindings,
  type UnverifiedRequest,
} from "./findings.ts";
import { diagnoseJwt } from "./jwt.ts";
import { keysOf, type OtherKey } from "./keys.ts";
import { findMatch, type Test } from "./match.ts";
import { endpointOfHmac } from "./other-endpoints.ts";
import { isWithinRate, TOO_MANY } from "./rate.ts";
import type { SentDigest } from "./sent-headers.ts";
import { sentDigests } from "./sent-headers.ts";
import { losesTime, templatesOf } from "./templates.ts";
import { HASHES, type Match, type Trial, trials } from "./variants.ts";

/**
 * Explains why a request's signature does not match. Tries known variants in bounded time, and never
 * reveals a secret. A change is advised only if the request is accepted under it.
 */
export async function diagnose(unverified: UnverifiedRequest): Promise<Diagnosis> {
  const { scheme, secret, request, now, verdict } = unverified;
  if (!isWithinRate(secret, now)) return TOO_MANY;
  if (scheme.form === "jwt") return await diagnoseJwt(unverified);
  const { sent: headers, material } = await sentParts(scheme, request);
  const used = { ...scheme, ...namesIn(scheme, headers) };
  const digests = sentDigests(used, headers);
  const keys = keysOf(secret, scheme.secretEncoding, unverified.preset ?? "", now);
  const algorithms = [...new Set(digests.map(({ algorithm }) => algorithm))].filter(isHash);
  const match =
    material === null || algorithms.length === 0
      ? null
      : await findMatch(
          trials(keys, templatesOf(used, headers), material, headers, HASHES),
          algorithms.length,
          digestTest(digests, algorithms),
        );
  const other = match === null && digests.length > 0 ? await endpointOfHmac(unverified) : null;
  const none = other === null ? [...secretFindings(secret.current), NO_VARIANT] : [other];
  const findings =
    match === null
      ? describeNone(used, headers, digests, verdict, none)
      : describeMatch(used, headers, match, verdict);
  const change = match === null ? null : await verifiedChange(unverified, used, match);
  return diagnosisOf(findings, change);
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

/** Returns a test of an attempt: whether its message has one of these digests under its key. */
function digestTest(digests: SentDigest[], algorithms: Algorithm[]): Test<OtherKey> {
  const keys = new Map<string, Promise<CryptoKey>>();
  return async (attempt, message) => {
    for (const algorithm of algorithms) {
      const computed = await digestOf(attempt, algorithm, message);
      const digest = digests.find((sent) => equalBytes(sent.bytes, computed));
      if (digest !== undefined) return digest;
    }
    return null;
  };

  async function digestOf(
    { key, hash }: Trial,
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
