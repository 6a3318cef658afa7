import { sameBytes } from "../../../lib/constant-time.ts";
import { signedMessages } from "../covered.ts";
import type { Algorithm } from "../encoding.ts";
import { hmac, importKey } from "../keys.ts";
import type { Attempt, Match } from "./attempts.ts";
import type { OtherKey } from "./secrets.ts";
import type { SentDigest } from "./sent.ts";

/** How often the doctor signs, and how much, before it gives up: whoever may be refused may ask for it. */
const MAX_SIGNED = 150;
const MAX_SIGNED_BYTES = 8 * 1_048_576;

/** The first of the attempts that makes one of the digests that were sent, or null. */
export async function findMatch(
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
        const made = await hmac(await cryptoKey(attempt.key, algorithm), message);
        const digest = digests.find((sent) => sameBytes(sent.bytes, made));
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
