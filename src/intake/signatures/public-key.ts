import { X509Certificate } from "node:crypto";
import { errors, type JSONWebKeySet } from "jose";
import * as z from "zod";
import type { CertificateRules } from "../../contract/webhooks/signature.ts";
import { fromStrictBase64 } from "../../lib/encoding.ts";
import { jsonOrNull } from "../../lib/json-values.ts";
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
export function importPublicKey(given: string, algorithm: KeyAlgorithm): Promise<CryptoKey | null> {
  return importNow(given.trim(), algorithm).catch(() => null);
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

/** The certificates of a token do not prove its key. */
export class CertificateError extends errors.JOSEError {
  override readonly name = "CertificateError";
}

/** Certificates below the root; senders use two. */
const MAX_CERTIFICATES = 4;

/**
 * Returns the public key, as PEM, of the first of the certificates of a token (RFC 7515, section 4.1.6).
 * Each must be issued by the next, the last one by the root, and all be valid now (epoch milliseconds).
 * Revocation is not checked. Throws a `CertificateError`.
 */
export function keyOfChain(
  x5c: unknown,
  root: string,
  { leaf: leafOid, issuer: issuerOid }: CertificateRules,
  now: number,
): string {
  const trusted = readCertificate(root);
  const sent = Array.isArray(x5c) ? x5c.slice(0, MAX_CERTIFICATES + 1).map(certificateOf) : [];
  const chain = sent.filter(({ fingerprint256 }) => fingerprint256 !== trusted.fingerprint256);
  const [leaf] = chain;
  if (leaf === undefined) throw new CertificateError("The token has no certificates in x5c.");
  if (chain.length > MAX_CERTIFICATES) {
    throw new CertificateError("The token has too many certificates in x5c.");
  }
  const issuers = [...chain.slice(1), trusted];
  for (const [at, issuer] of issuers.entries()) {
    const issued = chain[at];
    if (!issuer.ca || !issued?.checkIssued(issuer) || !issued.verify(issuer.publicKey)) {
      throw new CertificateError("The certificates of the token do not lead to the root.");
    }
  }
  for (const certificate of [...chain, trusted]) checkDates(certificate, now);
  checkExtension(leaf, leafOid);
  checkExtension(issuers[0] ?? trusted, issuerOid);
  return keyPem(leaf);
}

/** Returns the public key of a certificate as PEM. */
function keyPem({ publicKey }: X509Certificate): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString().trim();
}

function certificateOf(base64: unknown): X509Certificate {
  const der = typeof base64 === "string" ? fromStrictBase64(base64) : null;
  if (der === null) throw new CertificateError("The certificates in x5c are not base64.");
  return readCertificate(der);
}

/** Reads a certificate in PEM or DER. Throws a `CertificateError`. */
export function readCertificate(given: string | Uint8Array): X509Certificate {
  try {
    return new X509Certificate(given);
  } catch {
    throw new CertificateError("A certificate cannot be read.");
  }
}

function checkDates({ validFrom, validTo }: X509Certificate, now: number): void {
  if (Date.parse(validFrom) <= now && now <= Date.parse(validTo)) return;
  throw new CertificateError(
    `A certificate of the token is valid only from ${validFrom} to ${validTo}.`,
  );
}

function checkExtension({ raw }: X509Certificate, oid: string | undefined): void {
  if (oid === undefined || extensionsOf(raw).includes(oid)) return;
  throw new CertificateError(`A certificate of the token lacks the extension ${oid}.`);
}

const EXTENSIONS = 0xa3;
const OBJECT_IDENTIFIER = 0x06;

/** Returns the identifiers of a certificate's extensions (RFC 5280, section 4.1), which no platform names. */
function extensionsOf(certificate: Uint8Array): string[] {
  const inside = (elements: DerElement[]) => elements.flatMap(({ content }) => derOf(content));
  const [signed] = inside(derOf(certificate));
  const fields = signed === undefined ? [] : derOf(signed.content);
  const lists = inside(fields.filter(({ tag }) => tag === EXTENSIONS));
  return inside(inside(lists))
    .filter(({ tag }) => tag === OBJECT_IDENTIFIER)
    .map(({ content }) => identifierOf(content));
}

interface DerElement {
  tag: number;
  content: Uint8Array;
}

/** Splits DER, which the platform has read before, into its elements. */
function derOf(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const start = at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    const length = first < 0x80 ? first : bytes.subarray(at + 2, start).reduce(append256, 0);
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

const append256 = (number: number, digit: number): number => number * 256 + digit;

/** Writes an object identifier with dots. */
function identifierOf(bytes: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of bytes) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join(".");
}
