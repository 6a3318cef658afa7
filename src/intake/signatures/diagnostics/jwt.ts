import { compactVerify, decodeJwt, decodeProtectedHeader } from "jose";
import type { AdviceChange } from "../../../contract/webhooks/advice.ts";
import type { JwtScheme, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest } from "../../types.ts";
import { presentedToken, type TokenPlace } from "../jwt.ts";
import { presetOf } from "../presets.ts";
import type { Unverified } from "../signature-headers.ts";
import { firstAccepted } from "./change.ts";
import { type Diagnosis, diagnosisOf, type Finding } from "./finding.ts";
import type { UnverifiedRequest } from "./hmac.ts";
import type { OtherKey } from "./keys.ts";
import { isSameHeader } from "./sent-headers.ts";

const TOKEN = /^(?:Bearer +)?([\w-]+\.[\w-]+\.[\w-]*)$/i;

const HASHES: Record<string, SignatureScheme["algorithm"]> = {
  HS256: "sha256",
  HS384: "sha384",
  HS512: "sha512",
};

/** A JSON Web Token with its place and the algorithm that it names. */
interface SentToken {
  header: string;
  token: string;
  algorithm: string;
}

/** A token and the key under which its signature is valid, whatever it claims. */
interface Match {
  sent: SentToken;
  key: OtherKey;
  hash: SignatureScheme["algorithm"];
}

/** Explains why a JSON Web Token that is signed with a shared secret is not valid. */
export async function diagnoseJwt(
  unverified: UnverifiedRequest,
  keys: OtherKey[],
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const { scheme, request, verdict } = unverified;
  const sent = sentToken(scheme, request.headers);
  if (sent === undefined) return diagnosisOf([noToken(scheme, verdict)]);
  const match = await matchOf(sent, keys);
  if (match === null) {
    const found = kindFinding(sent, false);
    return diagnosisOf(found === null ? await none() : [found]);
  }
  const { hash, key } = match;
  const text = `The token is signed with ${sent.algorithm}. Set algorithm to "${hash}".`;
  const findings = [
    placeFinding(scheme, sent),
    hash === scheme.algorithm ? null : { cause: "algorithm" as const, text },
    key.finding,
  ].filter((finding) => finding !== null);
  const change = await firstAccepted(unverified, changesOf(unverified, match));
  return diagnosisOf(findings.length > 0 ? findings : [claims(sent, verdict)], change);
}

/** Explains why a JSON Web Token of a sender with a private key is not valid. */
export async function diagnoseKeyJwt(
  scheme: JwtScheme,
  request: InboundRequest,
  verdict: Unverified,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const inBody = scheme.in === "body" ? await presentedToken(scheme, request) : null;
  const sent =
    typeof inBody === "string"
      ? tokenOf(scheme.header, inBody)
      : inBody === null && sentToken(scheme, request.headers);
  if (!sent) return diagnosisOf([noToken(scheme, verdict)]);
  const found = placeFinding(scheme, sent) ?? kindFinding(sent, true);
  if (found !== null) return diagnosisOf([found]);
  const isClaim = ["token_expired", "token_claim"].includes(verdict.rule);
  return diagnosisOf(isClaim ? [claims(sent, verdict)] : await none());
}

/** Returns the token in the configured header, else in any other one. */
function sentToken({ header, prefix }: TokenPlace, headers: Headers): SentToken | undefined {
  const own = headers.get(header) ?? "";
  const bare = own.startsWith(prefix) ? own.slice(prefix.length) : own;
  const all: [name: string, text: string][] = [[header, bare], ...headers];
  return all.map(([name, text]) => tokenOf(name, text)).find((sent) => sent !== undefined);
}

function tokenOf(header: string, text: string): SentToken | undefined {
  const token = TOKEN.exec(text.trim())?.[1];
  const algorithm = token === undefined ? null : algorithmOf(token);
  return token === undefined || algorithm === null ? undefined : { header, token, algorithm };
}

/** Returns the algorithm that a token names; null for a text that is no token. */
function algorithmOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).alg ?? "none";
  } catch {
    return null;
  }
}

async function matchOf(sent: SentToken, keys: OtherKey[]): Promise<Match | null> {
  const { token, algorithm } = sent;
  const hash = HASHES[algorithm];
  if (hash === undefined) return null;
  for (const key of keys) {
    const verified = compactVerify(token, key.bytes, { algorithms: [algorithm] });
    const isSigned = await verified.then(
      () => true,
      () => false,
    );
    if (isSigned) return { sent, key, hash };
  }
  return null;
}

function placeFinding({ header: configured }: TokenPlace, { header }: SentToken): Finding | null {
  if (isSameHeader(header, configured)) return null;
  const text = `The token is in ${header}, but ${configured} is configured. Set header to "${header}".`;
  return { cause: "header_name", text };
}

function noToken({ header }: TokenPlace, { rule, message }: Unverified): Finding {
  if (rule === "signature_missing") {
    const text = `${message} No header holds a JSON Web Token: the sender does not sign its requests with one.`;
    return { cause: "header_missing", text };
  }
  const text = `${header} holds no JSON Web Token, which has three parts that are separated by dots.`;
  return { cause: "not_a_signature", text };
}

/** Describes a token that is signed in another way than configured; null for any other. */
function kindFinding({ header, algorithm }: SentToken, isByKey: boolean): Finding | null {
  if (algorithm === "none") {
    const text = `The token in ${header} is not signed. Have the sender sign it.`;
    return { cause: "not_a_signature", text };
  }
  if ((HASHES[algorithm] !== undefined) !== isByKey) return null;
  const text = isByKey
    ? `The token in ${header} is signed with a shared secret (${algorithm}). Use auth.hmac with the form jwt and the secret.`
    : `The token in ${header} is signed with a private key (${algorithm}). Use auth.signature with the algorithm jwt and the sender's public key.`;
  return { cause: "algorithm", text };
}

/** Says what a token claims whose signature is valid. */
function claims({ token }: SentToken, { message }: Unverified): Finding {
  const names = Object.keys(decodeJwt(token)).slice(0, 20).join(", ");
  const text = `The signature is valid, but the claims are not: ${message} The token has ${names === "" ? "no claims" : `the claims ${names}`}.`;
  return { cause: "signed_values", text };
}

/** Returns the changes under which the endpoint may expect a token: of the secret alone, or of the scheme. */
function changesOf(
  { scheme, preset }: UnverifiedRequest,
  { sent: { header }, hash: algorithm, key: { setting } }: Match,
): AdviceChange[] {
  if (setting === null) return [];
  const { secretEncoding, edit: secret } = setting;
  const { form, prefix, encoding, template, bodyClaim } = scheme;
  const hmac = {
    ...{ header, form, prefix, encoding, algorithm, secretEncoding },
    template: template === "" ? "{body}" : template,
    ...(bodyClaim !== undefined && { bodyClaim }),
  };
  const isKept =
    preset !== null && presetOf(preset).scheme.secretEncoding === setting.secretEncoding;
  return [...(isKept ? [{ hmac: { preset }, secret }] : []), { hmac, secret }];
}
