import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTVerifyGetKey } from "jose";
import type { AdviceChange } from "../../../contract/webhooks/advice.ts";
import type { JwtScheme, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { toBase64, toBase64Url, toHex } from "../../../lib/encoding.ts";
import type { InboundRequest } from "../../types.ts";
import { KEY_ALGORITHMS, keyFor, presentedToken, type TokenPlace } from "../jwt.ts";
import { presetOf } from "../presets.ts";
import { isForm } from "../signed-message.ts";
import { verifySignature } from "../verify.ts";
import { otherBodies } from "./body-variants.ts";
import { applied } from "./change.ts";
import {
  type Diagnosis,
  diagnosisOf,
  NO_VARIANT,
  secretFindings,
  type UnverifiedRequest,
} from "./findings.ts";
import { type Finding, keysOf, type OtherKey } from "./keys.ts";
import { endpointOfHmac } from "./other-endpoints.ts";
import { type Findable, signedBody } from "./variants.ts";

/** Headers whose tokens are examined. */
const MAX_TOKENS = 3;
const TOKEN = /^(?:Bearer +)?([\w-]+\.[\w-]+\.[\w-]*)$/i;

const HASHES: Record<string, SignatureScheme["algorithm"]> = {
  HS256: "sha256",
  HS384: "sha384",
  HS512: "sha512",
};

/** A JSON Web Token in a header, with the algorithm that it names. */
interface SentToken {
  header: string;
  token: string;
  algorithm: string;
}

/** Explains why the JSON Web Token of a request is not valid. */
export async function diagnoseJwt(unverified: UnverifiedRequest): Promise<Diagnosis> {
  const { scheme, preset, secret, request, now } = unverified;
  const keys = keysOf(secret, scheme.secretEncoding, preset ?? "", now);
  const match = await matchOf(tokensIn(scheme, request.headers), keys, isSignedWith);
  const change = match === null ? null : await verifiedChange(unverified, match);
  const none = async () => {
    const other = await endpointOfHmac(unverified);
    return other === null ? [...secretFindings(secret.current), NO_VARIANT] : [other];
  };
  return diagnosisOf(await describe(unverified, match, none), change);
}

/** Explains why the JSON Web Token of a sender with a private key is not valid. */
export async function diagnoseKeyJwt(
  unverified: UnverifiedToken & { scheme: JwtScheme },
  publicKey: string,
  now: number,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const { scheme } = unverified;
  const keys = [{ keyOf: keyFor(publicKey, scheme.certificates, now), finding: null }];
  const match = await matchOf(await tokensOf(unverified), keys, isSignedFor);
  return diagnosisOf(await describe(unverified, match, none));
}

const isShared = (algorithm: string): boolean => HASHES[algorithm] !== undefined;

async function isSignedWith({ token, algorithm }: SentToken, { bytes }: OtherKey) {
  if (isShared(algorithm)) await compactVerify(token, bytes, { algorithms: [algorithm] });
  return isShared(algorithm);
}

async function isSignedFor({ token }: SentToken, { keyOf }: { keyOf: JWTVerifyGetKey }) {
  await compactVerify(token, keyOf, { algorithms: KEY_ALGORITHMS });
  return true;
}

/** A request whose JSON Web Token was not verified. */
type UnverifiedToken = Pick<UnverifiedRequest, "request" | "verdict"> & {
  scheme: SignatureScheme | JwtScheme;
};

async function describe(
  unverified: UnverifiedToken,
  match: Match<Findable> | null,
  none: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const { scheme, request, verdict } = unverified;
  if (match !== null) return await findingsOf(unverified, match);
  const [first] = await tokensOf(unverified);
  return first === undefined
    ? [noToken(scheme, request.headers, verdict.message)]
    : (noMatch(first, scheme.algorithm === "jwt") ?? (await none()));
}

/** Returns the tokens of a request: the one in the body, or those in the headers. */
async function tokensOf({ scheme, request }: UnverifiedToken): Promise<SentToken[]> {
  if (scheme.algorithm !== "jwt" || scheme.in !== "body") return tokensIn(scheme, request.headers);
  const token = await presentedToken(scheme, request);
  const algorithm = typeof token === "string" ? algorithmOf(token) : null;
  return typeof token === "string" && algorithm !== null
    ? [{ header: scheme.header, token, algorithm }]
    : [];
}

/** Returns the tokens of a request, the one in the configured header first. */
function tokensIn({ header, prefix }: TokenPlace, headers: Headers): SentToken[] {
  const others = [...headers].filter(([name]) => name !== header.toLowerCase());
  const all = [[header, headers.get(header) ?? ""] as const, ...others];
  return all
    .flatMap(([name, value]) => {
      const text = value.startsWith(prefix) ? value.slice(prefix.length) : value;
      const token = TOKEN.exec(text.trim())?.[1];
      const algorithm = token === undefined ? null : algorithmOf(token);
      return token === undefined || algorithm === null ? [] : [{ header: name, token, algorithm }];
    })
    .slice(0, MAX_TOKENS);
}

/** Returns the algorithm that a token names; null for a text that is no token. */
function algorithmOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).alg ?? "none";
  } catch {
    return null;
  }
}

interface Match<Key extends Findable = OtherKey> {
  sent: SentToken;
  key: Key;
}

/** Returns the first key under which the signature of a token is valid, whatever the token claims. */
async function matchOf<Key extends Findable>(
  tokens: SentToken[],
  keys: Key[],
  isSigned: (sent: SentToken, key: Key) => Promise<boolean>,
): Promise<Match<Key> | null> {
  for (const sent of tokens) {
    for (const key of keys) {
      if (await isSigned(sent, key).catch(() => false)) return { sent, key };
    }
  }
  return null;
}

async function findingsOf(
  { scheme, request, verdict }: UnverifiedToken,
  { sent, key }: Match<Findable>,
): Promise<Finding[]> {
  const { header, algorithm } = sent;
  const hash = HASHES[algorithm];
  const all = [
    header.toLowerCase() === scheme.header.toLowerCase()
      ? null
      : {
          cause: "header_name" as const,
          text: `The token is in ${header}, but ${scheme.header} is configured. Set header to "${header}".`,
        },
    hash === undefined || hash === scheme.algorithm
      ? null
      : {
          cause: "algorithm" as const,
          text: `The token is signed with ${algorithm}. Set algorithm to "${hash}".`,
        },
    key.finding,
    await bodyFinding(scheme, request, sent.token),
  ].filter((finding) => finding !== null);
  return all.length > 0
    ? all
    : [{ cause: "signed_values", text: claimsText(sent.token, verdict.message) }];
}

/** Says which other body a token claims to cover; null for the received one, or an unknown one. */
async function bodyFinding(
  { bodyClaim }: TokenPlace,
  { body, headers }: InboundRequest,
  token: string,
): Promise<Finding | null> {
  const claimed = bodyClaim === undefined ? undefined : decodeJwt(token)[bodyClaim];
  if (typeof claimed !== "string" || body.kind !== "whole") return null;
  for (const { bytes, as, cause } of otherBodies(body.raw, isForm(headers.get("content-type")))) {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
    const isClaimed = [toHex(hash), toBase64(hash), toBase64Url(hash)].includes(claimed);
    if (isClaimed) return signedBody(as, cause);
  }
  return null;
}

/** Says what a token claims whose signature is valid. */
function claimsText(token: string, message: string): string {
  const names = Object.keys(decodeJwt(token)).slice(0, 20).join(", ");
  return `The signature is valid, but the claims are not: ${message} The token has ${names === "" ? "no claims" : `the claims ${names}`}.`;
}

function noToken(scheme: TokenPlace, headers: Headers, message: string): Finding {
  if (!headers.has(scheme.header)) {
    const text = `${message} No header holds a JSON Web Token: the sender does not sign its requests with one.`;
    return { cause: "header_missing", text };
  }
  const text = `${scheme.header} holds no JSON Web Token, which has three parts that are separated by dots.`;
  return { cause: "not_a_signature", text };
}

function noMatch({ header, algorithm }: SentToken, isByKey: boolean): Finding[] | null {
  if (algorithm === "none") {
    const text = `The token in ${header} is not signed. Have the sender sign it.`;
    return [{ cause: "not_a_signature", text }];
  }
  if (isShared(algorithm) !== isByKey) return null;
  const text = isByKey
    ? `The token in ${header} is signed with a shared secret (${algorithm}). Use auth.hmac with the form jwt and the secret.`
    : `The token in ${header} is signed with a private key (${algorithm}). Use auth.signature with the algorithm jwt and the sender's public key.`;
  return [{ cause: "algorithm", text }];
}

/** Returns the change under which the request is accepted, if there is one. */
async function verifiedChange(
  { scheme, preset, secret, request, now }: UnverifiedRequest,
  { sent, key: { setting } }: Match,
): Promise<AdviceChange | null> {
  const algorithm = HASHES[sent.algorithm];
  if (setting === null || algorithm === undefined) return null;
  const { form, prefix, encoding, template, bodyClaim } = scheme;
  const custom = {
    header: sent.header,
    form,
    prefix,
    encoding,
    algorithm,
    template: template === "" ? "{body}" : template,
    secretEncoding: setting.secretEncoding,
    ...(bodyClaim !== undefined && { bodyClaim }),
  };
  const isOwn =
    preset !== null && presetOf(preset).scheme.secretEncoding === setting.secretEncoding;
  const schemes = [...(isOwn ? [{ preset }] : []), custom];
  for (const hmac of schemes) {
    const change = { hmac, secret: setting.edit };
    const after = applied(change, secret);
    if (after === null) continue;
    const verdict = await verifySignature(after.scheme, after.secret, request, now);
    if (verdict.ok) return change;
  }
  return null;
}
