import type { JSONWebKeySet } from "jose";
import * as z from "zod";
import { fromStrictBase64 } from "../../lib/encoding.ts";
import { jsonOrNull } from "../../lib/json-values.ts";
import { keyPem, readCertificate } from "./certificates.ts";
import { decode } from "./hmac.ts";

/** The algorithms of public keys, as Web Crypto imports and uses them. */
export const WEB_CRYPTO = {
  ed25519: { name: "Ed25519" },
  "ecdsa-p256-sha256": { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  "rsa-sha256": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  "rsa-sha512": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  "rsa-sha1": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" },
} as const;
export type KeyAlgorithm = keyof typeof WEB_CRYPTO;

const text = z.string();
/** The public members of a JSON Web Key (RFC 7517); private ones are dropped. */
const webKey = z.object({
  kty: z.enum(["RSA", "EC", "OKP"]),
  kid: text.exactOptional(),
  alg: text.exactOptional(),
  use: text.exactOptional(),
  crv: text.exactOptional(),
  x: text.exactOptional(),
  y: text.exactOptional(),
  n: text.exactOptional(),
  e: text.exactOptional(),
});
const keySet = z.object({ keys: z.array(webKey).min(1).max(100) });

/** Returns the keys of a JSON Web Key Set, or a lone JSON Web Key as a set; null for any other text. */
export function readKeySet(given: string): JSONWebKeySet | null {
  const json = jsonIn(given);
  const set = keySet.safeParse(json);
  if (set.success) return set.data;
  const key = webKey.safeParse(json);
  if (!key.success) return null;
  // Any token means the only key, whatever it calls it.
  const { kid: _, ...lone } = key.data;
  return { keys: [lone] };
}

/**
 * Imports a public key: PEM, an X.509 certificate, a JWK, hex or base64 of the raw key or its DER form,
 * with or without `whpk_`. Returns null if the text is no key of the algorithm.
 */
export async function importPublicKey(
  given: string,
  algorithm: KeyAlgorithm,
): Promise<CryptoKey | null> {
  try {
    return await importNow(given.trim(), algorithm);
  } catch {
    return null;
  }
}

const CERTIFICATE = /^-----BEGIN CERTIFICATE-----/;
const PEM = /^-----BEGIN PUBLIC KEY-----([\s\S]+)-----END PUBLIC KEY-----$/;
/** The lengths of raw keys in bytes. */
const RAW: Partial<Record<KeyAlgorithm, number>> = { ed25519: 32, "ecdsa-p256-sha256": 65 };

async function importNow(given: string, algorithm: KeyAlgorithm): Promise<CryptoKey | null> {
  const parameters = WEB_CRYPTO[algorithm];
  const jwk = webKey.safeParse(jsonIn(given));
  if (jwk.success) {
    const { kty, crv, x, y, n, e } = jwk.data;
    const members = Object.entries({ crv, x, y, n, e }).filter(([, value]) => value !== undefined);
    const key = { kty, ...Object.fromEntries(members) };
    return await crypto.subtle.importKey("jwk", key, parameters, false, ["verify"]);
  }
  const text = CERTIFICATE.test(given) ? keyPem(readCertificate(given)) : given;
  const der = bytesOf(PEM.exec(text)?.[1]?.replace(/\s/g, "") ?? text.replace(/^whpk_/, ""));
  if (der === null) return null;
  const format = der.length === RAW[algorithm] ? "raw" : "spki";
  return await crypto.subtle.importKey(format, der, parameters, false, ["verify"]);
}

function bytesOf(given: string): Uint8Array | null {
  return decode(given, "hex") ?? fromStrictBase64(given);
}

function jsonIn(given: string): unknown {
  return given.trimStart().startsWith("{") ? jsonOrNull(given) : null;
}
