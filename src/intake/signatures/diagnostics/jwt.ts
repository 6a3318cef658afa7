import { decodeJwt, decodeProtectedHeader } from "jose";
import type { JwtScheme, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest } from "../../types.ts";
import { presentedToken, type TokenPlace } from "../jwt.ts";
import type { Unverified } from "../signature-headers.ts";
import { type Diagnosis, diagnosisOf, type Finding } from "./finding.ts";
import { isSameHeader } from "./sent-headers.ts";

const TOKEN = /^(?:Bearer +)?([\w-]+\.[\w-]+\.[\w-]*)$/i;

/** A JSON Web Token with its place and the algorithm that it names. */
interface SentToken {
  header: string;
  token: string;
  algorithm: string;
}

/** Explains why a JSON Web Token is not valid, by what it says; its signature is not tried again. */
export async function diagnoseJwt(
  scheme: JwtScheme | SignatureScheme,
  request: InboundRequest,
  verdict: Unverified,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const sent = await sentToken(scheme, request);
  if (sent === undefined) return diagnosisOf([noToken(scheme, verdict)]);
  const found = placeFinding(scheme, sent) ?? kindFinding(sent, scheme);
  if (found !== null) return diagnosisOf([found]);
  const isClaim = ["token_expired", "token_claim"].includes(verdict.rule);
  return diagnosisOf(isClaim ? [claims(sent, verdict)] : await none());
}

/** Returns the token at the configured place, else in any header. */
async function sentToken(
  scheme: JwtScheme | SignatureScheme,
  request: InboundRequest,
): Promise<SentToken | undefined> {
  const { header, prefix } = scheme;
  if (scheme.algorithm === "jwt" && scheme.in === "body") {
    const text = await presentedToken(scheme, request);
    return typeof text === "string" ? tokenOf(header, text) : undefined;
  }
  const own = request.headers.get(header) ?? "";
  const bare = own.startsWith(prefix) ? own.slice(prefix.length) : own;
  const all: [name: string, text: string][] = [[header, bare], ...request.headers];
  return all.map(([name, text]) => tokenOf(name, text)).find((sent) => sent !== undefined);
}

function tokenOf(header: string, text: string): SentToken | undefined {
  const token = TOKEN.exec(text.trim())?.[1];
  try {
    return token === undefined
      ? undefined
      : { header, token, algorithm: decodeProtectedHeader(token).alg ?? "none" };
  } catch {
    return undefined;
  }
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

const HASHES: Record<string, SignatureScheme["algorithm"]> = {
  HS256: "sha256",
  HS384: "sha384",
  HS512: "sha512",
};

/** Describes a token that is signed in another way than configured; null for any other. */
function kindFinding(
  { header, algorithm }: SentToken,
  { algorithm: configured }: JwtScheme | SignatureScheme,
): Finding | null {
  if (algorithm === "none") {
    const text = `The token in ${header} is not signed. Have the sender sign it.`;
    return { cause: "not_a_signature", text };
  }
  const hash = HASHES[algorithm];
  if (configured === "jwt") {
    const text = `The token in ${header} is signed with a shared secret (${algorithm}). Use auth.hmac with the form jwt and the secret.`;
    return hash === undefined ? null : { cause: "algorithm", text };
  }
  if (hash === configured) return null;
  const text =
    hash === undefined
      ? `The token in ${header} is signed with a private key (${algorithm}). Use auth.signature with the algorithm jwt and the sender's public key.`
      : `The token is signed with ${algorithm}. Set algorithm to "${hash}".`;
  return { cause: "algorithm", text };
}

/** Says what a token claims whose signature is valid. */
function claims({ token }: SentToken, { message }: Unverified): Finding {
  const names = Object.keys(decodeJwt(token)).slice(0, 20).join(", ");
  const text = `The signature is valid, but the claims are not: ${message} The token has ${names === "" ? "no claims" : `the claims ${names}`}.`;
  return { cause: "signed_values", text };
}
