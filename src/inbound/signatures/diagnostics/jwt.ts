import { compactVerify, decodeJwt, decodeProtectedHeader } from "jose";
import type { AdviceChange } from "../../../contract/inbound/advice.ts";
import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import { presetOf } from "../presets.ts";
import { verifySignature } from "../verify.ts";
import { applied } from "./change.ts";
import { type Diagnosis, NO_VARIANT, secretFindings, type UnverifiedRequest } from "./findings.ts";
import { type Finding, keysOf, type OtherKey } from "./keys.ts";

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
  const { scheme, secret, request, now, verdict } = unverified;
  const tokens = tokensIn(scheme, request.headers);
  const keys = keysOf(secret, scheme.secretEncoding, unverified.preset ?? "", now);
  const match = await matchOf(tokens, keys);
  const [first] = tokens;
  const findings =
    match !== null
      ? findingsOf(unverified, match)
      : first === undefined
        ? [noToken(scheme, request.headers, verdict.message)]
        : noMatch(first, secret.current);
  const change = match === null ? null : await verifiedChange(unverified, match);
  return {
    sentences: findings.map(({ text }) => text),
    advice: { causes: findings.map(({ cause }) => cause), change },
  };
}

/** Returns the tokens of a request, the one in the configured header first. */
function tokensIn({ header, prefix }: SignatureScheme, headers: Headers): SentToken[] {
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

interface Match {
  sent: SentToken;
  key: OtherKey;
}

async function matchOf(tokens: SentToken[], keys: OtherKey[]): Promise<Match | null> {
  for (const sent of tokens) {
    if (HASHES[sent.algorithm] === undefined) continue;
    for (const key of keys) {
      const options = { algorithms: [sent.algorithm] };
      const isValid = await compactVerify(sent.token, key.bytes, options).then(
        () => true,
        () => false,
      );
      if (isValid) return { sent, key };
    }
  }
  return null;
}

function findingsOf({ scheme, verdict }: UnverifiedRequest, { sent, key }: Match): Finding[] {
  const { header, algorithm } = sent;
  const hash = HASHES[algorithm];
  const all = [
    header.toLowerCase() === scheme.header.toLowerCase()
      ? null
      : {
          cause: "header_name" as const,
          text: `The token is in ${header}, but ${scheme.header} is configured. Set header to "${header}".`,
        },
    hash === scheme.algorithm
      ? null
      : {
          cause: "algorithm" as const,
          text: `The token is signed with ${algorithm}. Set algorithm to "${hash}".`,
        },
    key.finding,
  ].filter((finding) => finding !== null);
  return all.length > 0
    ? all
    : [{ cause: "signed_values", text: claimsText(sent.token, verdict.message) }];
}

/** Says what a token claims whose signature is valid. */
function claimsText(token: string, message: string): string {
  const names = Object.keys(decodeJwt(token)).slice(0, 20).join(", ");
  return `The signature is valid, but the claims are not: ${message} The token has ${names === "" ? "no claims" : `the claims ${names}`}.`;
}

function noToken(scheme: SignatureScheme, headers: Headers, message: string): Finding {
  if (!headers.has(scheme.header)) {
    const text = `${message} No header holds a JSON Web Token: the sender does not sign its requests with one.`;
    return { cause: "header_missing", text };
  }
  const text = `${scheme.header} holds no JSON Web Token, which has three parts that are separated by dots.`;
  return { cause: "not_a_signature", text };
}

function noMatch({ header, algorithm }: SentToken, secret: string): Finding[] {
  if (algorithm === "none") {
    const text = `The token in ${header} is not signed. Have the sender sign it with the secret.`;
    return [{ cause: "not_a_signature", text }];
  }
  if (HASHES[algorithm] === undefined) {
    const text = `The token in ${header} is signed with a private key (${algorithm}). Use auth.signature with the algorithm jwt and the sender's public key.`;
    return [{ cause: "algorithm", text }];
  }
  return [...secretFindings(secret), NO_VARIANT];
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
