import { createHash } from "node:crypto";
import {
  base64url,
  createLocalJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from "jose";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import type {
  CertificateRules,
  JwtScheme,
  SignatureScheme,
} from "../../contract/webhooks/signature.ts";
import { equalBytes } from "../../lib/secrets.ts";
import { parseExactJson } from "../../lib/strict-json.ts";
import { readPath } from "../mapping/payload-path.ts";
import { payloadOf } from "../payload/parse.ts";
import { validValues } from "../secrets.ts";
import type { InboundRequest, OpenSecret } from "../types.ts";
import { decode, secretBytes } from "./hmac.ts";
import {
  CertificateError,
  importPublicKey,
  type KeyAlgorithm,
  keyOfChain,
  readKeySet,
} from "./public-key.ts";
import {
  MAX_HEADER,
  type SignatureVerdict,
  type Unverified,
  unverified,
} from "./signature-headers.ts";

const HMAC_NAME: Record<SignatureScheme["algorithm"], string> = {
  sha1: "HS256",
  sha256: "HS256",
  sha384: "HS384",
  sha512: "HS512",
};
/** The algorithms of public keys that RFC 7518 and RFC 8037 recommend. */
const KEY_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];
/** The sender's clock may be ahead or behind by so many seconds. */
const timesAt = (now: number) => ({ currentDate: new Date(now), clockTolerance: 60 });
/** The JSON Web Token of a sender lives for minutes; one without `exp` is judged by its `iat`. */
const MAX_AGE_SECONDS = 300;

type TokenPlace = Pick<SignatureScheme, "header" | "prefix" | "in"> & {
  bodyClaim?: string | undefined;
};

/** Verifies a JSON Web Token that is signed with the endpoint's secret. */
export async function verifyJwt(
  scheme: SignatureScheme,
  secret: OpenSecret,
  request: InboundRequest,
  now: number,
): Promise<SignatureVerdict> {
  const token = tokenIn(scheme, request.headers);
  if (typeof token !== "string") return token;
  let verdict: SignatureVerdict = unverified(
    "secret_unreadable",
    `The secret is not valid ${scheme.secretEncoding}.`,
  );
  for (const [at, text] of validValues(secret, now).entries()) {
    const key = secretBytes(text, scheme.secretEncoding);
    if (key === null) continue;
    const options = { ...timesAt(now), algorithms: [HMAC_NAME[scheme.algorithm]] };
    verdict = await checked(jwtVerify(token, key, options), scheme, request, at > 0);
    if (verdict.ok) return verdict;
  }
  return verdict;
}

/** Verifies a JSON Web Token that is signed with the private key of a public key or a key set. */
export async function verifyKeyJwt(
  scheme: JwtScheme,
  token: string,
  publicKey: string,
  audience: string | null,
  request: InboundRequest,
  now: number,
): Promise<SignatureVerdict> {
  const { issuer, maxAgeSeconds } = scheme;
  const options = {
    ...timesAt(now),
    algorithms: KEY_ALGORITHMS,
    ...(maxAgeSeconds !== null && { maxTokenAge: maxAgeSeconds }),
    ...(issuer !== undefined && { issuer }),
    ...(audience !== null && { audience }),
  };
  const verified = jwtVerify(token, keyFor(publicKey, scheme.certificates, now), options);
  const verdict = await checked(verified, scheme, request, false);
  return verdict.ok && scheme.in === "body" ? { ...verdict, payload: claimsOf(token) } : verdict;
}

/** Returns the claims of a verified token, with all digits of long numbers. */
function claimsOf(token: string): PayloadValue {
  const claims = parseExactJson(base64url.decode(token.split(".")[1] ?? ""));
  if (!claims.ok) throw new Error("a verified token has no claims");
  return claims.value;
}

/**
 * Returns the key of a token: the one of its certificates, of the set the one that it names, else the only
 * one.
 */
function keyFor(
  publicKey: string,
  certificates: CertificateRules | undefined,
  now: number,
): JWTVerifyGetKey {
  return async (header, token) => {
    if (certificates !== undefined) {
      return await keyOrThrow(keyOfChain(header.x5c, publicKey, certificates, now), header.alg);
    }
    const set = readKeySet(publicKey);
    const named = set?.keys.some(({ kid }) => kid !== undefined) ? header : { alg: header.alg };
    if (set !== null) return await createLocalJWKSet(set)(named, token);
    return await keyOrThrow(publicKey, header.alg);
  };
}

/** The names of JSON Web Algorithms that use these. */
const OF_JWA: Record<string, KeyAlgorithm> = {
  EdDSA: "ed25519",
  Ed25519: "ed25519",
  ES256: "ecdsa-p256-sha256",
  RS256: "rsa-sha256",
};

async function keyOrThrow(publicKey: string, alg: string): Promise<CryptoKey> {
  const algorithm = OF_JWA[alg];
  const key = algorithm === undefined ? null : await importPublicKey(publicKey, algorithm);
  if (key === null) throw new errors.JWKInvalid();
  return key;
}

/** Characters of a token in a body; a longer one is refused. */
const MAX_TOKEN = 65_536;

/** Returns the token at the place that a scheme names. */
export async function presentedToken(
  scheme: TokenPlace,
  request: InboundRequest,
): Promise<string | Unverified> {
  if (scheme.in !== "body") return tokenIn(scheme, request.headers);
  const payload = await payloadOf(request);
  const text = payload === undefined ? undefined : readPath(payload, scheme.header);
  if (typeof text !== "string" || text === "") {
    return unverified("signature_missing", `The field ${scheme.header} is missing.`);
  }
  if (text.length <= MAX_TOKEN) return text;
  return unverified("signature_oversized", `The field ${scheme.header} is too long.`);
}

/** Returns the token in the headers of a request. */
function tokenIn({ header, prefix }: TokenPlace, headers: Headers): string | Unverified {
  const text = headers.get(header)?.trim() ?? "";
  if (text === "") return unverified("signature_missing", `The header ${header} is missing.`);
  if (text.length > MAX_HEADER) {
    return unverified("signature_oversized", `The header ${header} is too long.`);
  }
  const isMarked = prefix !== "" && text.startsWith(prefix);
  return isMarked ? text.slice(prefix.length).trim() : text.replace(/^Bearer +/i, "");
}

/** Checks what the token says of the body, once its signature is valid. */
async function checked(
  verified: Promise<{ payload: JWTPayload }>,
  scheme: TokenPlace,
  request: InboundRequest,
  usedPrevious: boolean,
): Promise<SignatureVerdict> {
  let claims: JWTPayload;
  try {
    ({ payload: claims } = await verified);
  } catch (error) {
    return faultOf(error);
  }
  const { bodyClaim } = scheme;
  if (bodyClaim !== undefined && !covers(claims[bodyClaim], request)) {
    return unverified(
      "signature_mismatch",
      `The claim ${bodyClaim} is not the SHA-256 of the body.`,
    );
  }
  const { iat } = claims;
  return { ok: true, signedAt: iat === undefined ? null : iat * 1_000, usedPrevious };
}

/** The faults of tokens, by the codes of the library. */
const FAULTS: Record<string, [rule: string, message: string] | undefined> = {
  ERR_JWT_EXPIRED: ["token_expired", "The JSON Web Token has expired."],
  ERR_JOSE_ALG_NOT_ALLOWED: [
    "token_algorithm",
    "The JSON Web Token is signed by another algorithm than the configured one: see `alg` in its header. A shared secret is for auth.hmac, a public key for auth.signature.",
  ],
  ERR_JWKS_NO_MATCHING_KEY: [
    "key_unknown",
    "The sender's keys do not include the one of the token.",
  ],
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: ["signature_mismatch", "The signature does not match."],
};

function faultOf(error: unknown): Unverified {
  if (!(error instanceof errors.JOSEError)) throw error;
  if (error instanceof CertificateError) return unverified("certificate", error.message);
  if (error instanceof errors.JWTClaimValidationFailed) {
    return unverified("token_claim", `The JSON Web Token has the wrong claim ${error.claim}.`);
  }
  const known = FAULTS[error.code];
  if (known !== undefined) return unverified(...known);
  return unverified("signature_malformed", "The header holds no JSON Web Token that is accepted.");
}

/** Whether a claim is the SHA-256 of the body, in hex or base64. */
function covers(claim: unknown, { body }: InboundRequest): boolean {
  if (typeof claim !== "string" || body.kind !== "whole") return false;
  const given = [decode(claim, "hex"), decode(claim, "base64")].filter((bytes) => bytes !== null);
  const content = body.content();
  const bodies = [body.raw, ...(content.kind === "whole" ? [content.bytes] : [])];
  for (const bytes of bodies) {
    const digest = createHash("sha256").update(bytes).digest();
    if (given.some((claimed) => equalBytes(claimed, digest))) return true;
  }
  return false;
}

/** Returns the header of a JSON Web Token as the sender signs it. */
export async function signJwt(
  scheme: SignatureScheme,
  secret: string,
  { body, now }: { body: Uint8Array; now: number },
): Promise<Record<string, string>> {
  const key = secretBytes(secret, scheme.secretEncoding);
  if (key === null) throw new Error(`The secret is not valid ${scheme.secretEncoding}.`);
  const { bodyClaim } = scheme;
  const issuedAt = Math.floor(now / 1_000);
  const hash = createHash("sha256").update(body).digest("hex");
  const token = await new SignJWT(bodyClaim === undefined ? {} : { [bodyClaim]: hash })
    .setProtectedHeader({ alg: HMAC_NAME[scheme.algorithm] })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + MAX_AGE_SECONDS)
    .sign(key);
  return { [scheme.header.toLowerCase()]: `${scheme.prefix}${token}` };
}
