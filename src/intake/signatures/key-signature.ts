import type { StoredAuth } from "../../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import type { KeyScheme } from "../../contract/webhooks/signature.ts";
import { LruMap } from "../../lib/lru-map.ts";
import type { SenderPort } from "../../ports/webhooks.ts";
import { readPath } from "../mapping/payload-path.ts";
import { payloadOf } from "../payload/parse.ts";
import type { InboundRequest } from "../types.ts";
import { presentedToken, verifyKeyJwt } from "./jwt.ts";
import { presetOf } from "./presets.ts";
import { importPublicKey, type KeyAlgorithm, WEB_CRYPTO } from "./public-key.ts";
import { type SignatureVerdict, unverified } from "./signature-headers.ts";
import { verifySigned } from "./verify.ts";

export type StoredSignature = NonNullable<StoredAuth["signature"]>;

/** What verifying needs beside the request. */
export interface KeyContext {
  fetchKey: SenderPort["fetchKey"];
  /** Epoch milliseconds. */
  now: number;
}

/** Verifies that a request is signed with the private key of the endpoint's sender. */
export async function verifyKeySignature(
  stored: StoredSignature,
  request: InboundRequest,
  context: KeyContext,
): Promise<SignatureVerdict> {
  const { scheme, audience } = stored;
  const paths = stored.preset === null ? [] : (presetOf(stored.preset).audience?.paths ?? []);
  const isFor = (payload: PayloadValue | undefined): boolean =>
    audience === null ||
    paths.length === 0 ||
    paths.some((path) => payload !== undefined && readPath(payload, path) === audience);
  const misdirected = unverified(
    "audience",
    `The request is not for ${audience}, the configured audience: see ${paths.join(", ")} in the body.`,
  );
  const hasClaims = scheme.algorithm === "jwt" && scheme.in === "body";
  if (!hasClaims && !isFor(await payloadOf(request))) return misdirected;
  switch (scheme.algorithm) {
    case "jwt": {
      // A request without a token must not cause a fetch.
      const token = await presentedToken(scheme, request);
      if (typeof token !== "string") return token;
      const verify = async (isRenewed: boolean): Promise<SignatureVerdict> => {
        const key = await keyText(stored, request, context, isRenewed);
        if (key === null) return NO_KEY;
        const claimed = paths.length === 0 ? audience : null;
        return await verifyKeyJwt(scheme, token, key, claimed, request, context.now);
      };
      const verdict = await verify(false);
      // The sender may have a new key.
      const isRenewable = scheme.jwksUrl !== undefined && !verdict.ok;
      if (isRenewable && verdict.rule === "key_unknown") return await verify(true);
      return verdict.ok && hasClaims && !isFor(verdict.payload) ? misdirected : verdict;
    }
    case "http-message-signatures":
      return NOT_VERIFIED;
    default:
      return await verifySigned(
        scheme,
        request,
        async () => {
          const text = await keyText(stored, request, context);
          return text === null ? NO_KEY : await testOf(scheme, text);
        },
        audience ?? "",
      );
  }
}

const NO_KEY = unverified(
  "key_unknown",
  "The request names no key of its sender: it was sent by another, or a proxy changed it.",
);
const NOT_VERIFIED = unverified(
  "scheme",
  "HTTP Message Signatures are no longer verified. Set another method in auth.",
);
const UNREADABLE = unverified("key_unreadable", "The public key is not one of the algorithm.");

/** Returns the given key, or the one that the sender's documented address returns for the request. */
export async function keyText(
  { preset, publicKey, scheme }: StoredSignature,
  request: InboundRequest,
  { fetchKey }: KeyContext,
  isRenewed = false,
): Promise<string | null> {
  if (publicKey !== null) return publicKey;
  const url = scheme.algorithm === "jwt" ? scheme.jwksUrl : undefined;
  if (url !== undefined) return await fetchKey({ url, isChosen: true }, isRenewed);
  const sender = preset === null ? null : presetOf(preset);
  if (sender?.publicKey !== undefined) return sender.publicKey;
  const order = sender?.keyOrder;
  if (order === undefined) return null;
  const payload = await payloadOf(request);
  const wanted = order({ headers: request.headers, payload });
  return wanted === null ? null : await fetchKey(wanted);
}

export async function testOf(scheme: KeyScheme, text: string) {
  const algorithms: KeyAlgorithm[] = [scheme.algorithm, ...(scheme.orSha1 ? [SHA1] : [])];
  const keys = await Promise.all(
    algorithms.map(async (algorithm) => ({ algorithm, key: await keyOf(text, algorithm) })),
  );
  const usable = keys.flatMap(({ algorithm, key }) => (key === null ? [] : { algorithm, key }));
  if (usable.length === 0) return UNREADABLE;
  return async (message: Uint8Array, signatures: Uint8Array[]) => {
    for (const { algorithm, key } of usable) {
      for (const signature of signatures) {
        const bytes = algorithm === "ecdsa-p256-sha256" ? fromDer(signature) : signature;
        const isValid = await crypto.subtle.verify(WEB_CRYPTO[algorithm], key, bytes, message);
        if (isValid) return { usedPrevious: false };
      }
    }
    return null;
  };
}

const SHA1: KeyAlgorithm = "rsa-sha1";

/** Imported keys by algorithm and text: importing costs more than verifying. */
const imported = new LruMap<Promise<CryptoKey | null>>(200);

function keyOf(text: string, algorithm: KeyAlgorithm): Promise<CryptoKey | null> {
  const name = `${algorithm} ${text}`;
  const known = imported.get(name);
  if (known !== undefined) return known;
  const key = importPublicKey(text, algorithm);
  imported.set(name, key);
  return key;
}

const HALF = 32;

/** Returns an ECDSA signature as two numbers of 32 bytes, which Web Crypto takes; others send DER. */
function fromDer(signature: Uint8Array): Uint8Array {
  if (signature[0] !== 0x30 || signature.length < 8) return signature;
  const end = 4 + (signature[3] ?? 0);
  const [r, s] = [signature.subarray(4, end), signature.subarray(end + 2)];
  const raw = new Uint8Array(2 * HALF);
  for (const [at, number] of [r, s.subarray(0, signature[end + 1] ?? 0)].entries()) {
    const digits = number.subarray(Math.max(0, number.length - HALF));
    raw.set(digits, (at + 1) * HALF - digits.length);
  }
  return raw;
}
