import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import { sameBytes } from "../../lib/constant-time.ts";
import { sha256Hex } from "../../lib/hex.ts";
import type { InboundRequest, OpenSecret } from "../types.ts";
import { BODY_HASH, isForm, type Material, signedMessages } from "./covered.ts";
import { encode } from "./encoding.ts";
import { hmac, keyOf } from "./keys.ts";
import { readPresented, type Unverified, unverified } from "./presented.ts";
import { partsOf } from "./template.ts";

export type SignatureVerdict =
  /** `signedAt`: the signed timestamp in epoch milliseconds, null where the scheme signs none. */
  { ok: true; signedAt: number | null; usedPrevious: boolean } | Unverified;

/**
 * Whether a request was signed with an endpoint's secret, or the one before it while that is valid. What
 * was signed are the bytes on the wire, or those without their Content-Encoding.
 */
export async function verifySignature(
  scheme: SignatureScheme,
  secret: OpenSecret,
  request: InboundRequest,
  now: number,
): Promise<SignatureVerdict> {
  const reading = readPresented(scheme, request.headers);
  if (!reading.ok) return reading;
  const material = materialOf(request);
  if (material === null) return unverified("body_incomplete", "The body was not read whole.");
  const keys = await validKeys(scheme, secret, now);
  if (keys.length === 0) {
    return unverified("secret_unreadable", `The secret is not ${scheme.secretEncoding}.`);
  }

  const { signatures, signedAt } = reading.presented;
  let covered = false;
  for await (const message of signedMessages(scheme, reading.presented, material)) {
    covered = true;
    for (const { key, isPrevious } of keys) {
      const digest = await hmac(key, message);
      if (signatures.some((signature) => sameBytes(signature, digest))) {
        return { ok: true, signedAt, usedPrevious: isPrevious };
      }
    }
  }
  return covered
    ? unverified("signature_mismatch", "The signature does not match.")
    : unverified(
        "body_unsigned",
        `The signature does not cover the body: it is no form, and ${BODY_HASH} in the address is not its hash.`,
      );
}

/** What a signature can cover of a request, or null when the body was not read whole. */
export function materialOf({ method, url, headers, body }: InboundRequest): Material | null {
  if (body.kind !== "whole") return null;
  const bodies = body.raw === body.bytes ? [body.raw] : [body.raw, body.bytes];
  return { method, url, contentType: headers.get("content-type"), bodies };
}

async function validKeys(
  scheme: SignatureScheme,
  secret: OpenSecret,
  now: number,
): Promise<{ key: CryptoKey; isPrevious: boolean }[]> {
  const current = await keyOf(secret, "current", scheme);
  const isOverlap = secret.previous !== null && now < secret.previous.validUntil;
  const previous = isOverlap ? await keyOf(secret, "previous", scheme) : null;
  return [
    ...(current === null ? [] : [{ key: current, isPrevious: false }]),
    ...(previous === null ? [] : [{ key: previous, isPrevious: true }]),
  ];
}

/** A request that is about to be signed, as its sender would. */
export interface OutgoingMessage {
  url: URL;
  body: Uint8Array;
  contentType: string | null;
  /** Epoch milliseconds. */
  now: number;
  id: string;
  /** POST unless it is said. */
  method?: string;
}

/**
 * The headers that a sender adds: the signature with its timestamp and id, by their names in lower
 * case. Throws when the secret is not of the scheme's encoding.
 */
export async function signHeaders(
  scheme: SignatureScheme,
  secret: string,
  message: OutgoingMessage,
): Promise<Record<string, string>> {
  const key = await keyOf({ current: secret, previous: null }, "current", scheme);
  if (key === null) throw new Error(`The secret is not ${scheme.secretEncoding}.`);
  const { url, body, contentType, id, method = "POST" } = message;
  const timestamp = String(Math.floor(message.now / 1_000));
  const material = { method, url, contentType, bodies: [body] };
  const { value } = await signedMessages(scheme, { id, timestamp }, material).next();
  if (value === undefined) throw new Error(`The address lacks the body's ${BODY_HASH}.`);
  const signature = encode(await hmac(key, value), scheme.encoding);
  return Object.fromEntries(
    [
      [scheme.header, headerText(scheme, timestamp, signature)],
      [scheme.timestampHeader, timestamp],
      [scheme.idHeader, id],
    ].flatMap(([name, text]) => (name === null ? [] : [[name?.toLowerCase(), text]])),
  );
}

function headerText(scheme: SignatureScheme, timestamp: string, signature: string): string {
  const { form, prefix, timestampPair } = scheme;
  if (form !== "pairs") return `${prefix}${signature}`;
  const time = timestampPair === null ? "" : `${timestampPair}=${timestamp},`;
  return `${time}${prefix}=${signature}`;
}

/** The address that a sender calls: with the body's hash where the scheme covers the body by it. */
export async function signedAddress(
  { template }: SignatureScheme,
  { url, body, contentType }: Pick<OutgoingMessage, "url" | "body" | "contentType">,
): Promise<URL> {
  const address = new URL(url);
  const isHashed = partsOf(template).includes("sortedParams") && !isForm(contentType);
  if (isHashed && body.length > 0) address.searchParams.set(BODY_HASH, await sha256Hex(body));
  return address;
}
