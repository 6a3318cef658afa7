import { signedMessages } from "../signed-message.ts";
import type { SentDigest } from "./sent-headers.ts";
import type { Findable, Match, Trial } from "./variants.ts";

/** Signatures and bytes that one diagnosis may test: any unauthenticated caller can cause it. */
const MAX_SIGNED = 500;
const MAX_SIGNED_BYTES = 8 * 1_048_576;

/** Returns the sent signature that a trial produces over a message, or null. */
export type Test<Key extends Findable> = (
  trial: Trial<Key>,
  message: Uint8Array,
) => Promise<SentDigest | null>;

/**
 * Returns the first trial that produces a signature of the request, or null. `perMessage` is the number
 * of HMACs that a test costs.
 */
export async function findMatch<Key extends Findable>(
  candidates: Iterable<Trial<Key>>,
  perMessage: number,
  test: Test<Key>,
): Promise<Match<Key> | null> {
  let [signed, bytes] = [0, 0];
  for (const trial of candidates) {
    const { template, other } = trial;
    const values = {
      timestamp: template.timestamp?.text ?? "",
      id: template.id?.text ?? "",
      signed: template.signed,
    };
    for await (const message of signedMessages(template, values, other.material)) {
      signed += perMessage;
      bytes += perMessage * message.length;
      if (signed > MAX_SIGNED || bytes > MAX_SIGNED_BYTES) return null;
      const digest = await test(trial, message);
      if (digest !== null) return { ...trial, digest };
    }
  }
  return null;
}
