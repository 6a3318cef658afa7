import { decodeProtectedHeader } from "jose";
import type { Cause } from "../../../contract/webhooks/advice.ts";
import type { JwtScheme, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest } from "../../types.ts";
import { presentedToken } from "../jwt.ts";
import type { Unverified } from "../signature-headers.ts";
import { type Diagnosis, diagnosisOf, type Finding } from "./finding.ts";

/** What the verdict alone tells: a token is missing, or its signature is valid and its claims are not. */
const KNOWN: Record<string, Cause | undefined> = {
  signature_missing: "header_missing",
  token_expired: "signed_values",
  token_claim: "signed_values",
};

/** Explains why a JSON Web Token is not valid, by what it says; its signature is not tried again. */
export async function diagnoseJwt(
  scheme: JwtScheme | SignatureScheme,
  request: InboundRequest,
  verdict: Unverified,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const cause = KNOWN[verdict.rule];
  if (cause !== undefined) return diagnosisOf([{ cause, text: verdict.message }]);
  const found = kindFinding(scheme, await algorithmOf(scheme, request));
  return diagnosisOf(found === null ? await none() : [found]);
}

/** Returns the algorithm that the token of a request names; null for a text that is no token. */
async function algorithmOf(
  scheme: JwtScheme | SignatureScheme,
  request: InboundRequest,
): Promise<string | null> {
  const token = await presentedToken(scheme, request);
  try {
    return typeof token === "string" ? (decodeProtectedHeader(token).alg ?? "none") : null;
  } catch {
    return null;
  }
}

const HASHES: Record<string, SignatureScheme["algorithm"] | undefined> = {
  HS256: "sha256",
  HS384: "sha384",
  HS512: "sha512",
};

/** Describes a token that is signed in another way than configured; null for any other. */
function kindFinding(
  { header, algorithm: configured }: JwtScheme | SignatureScheme,
  algorithm: string | null,
): Finding | null {
  if (algorithm === null) {
    const text = `${header} holds no JSON Web Token, which has three parts that are separated by dots.`;
    return { cause: "not_a_signature", text };
  }
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
