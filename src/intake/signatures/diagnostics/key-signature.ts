import type { Cause } from "../../../contract/webhooks/advice.ts";
import type { InboundRequest, Others } from "../../types.ts";
import { type KeyContext, keyText, type StoredSignature, testOf } from "../key-signature.ts";
import { presetOf } from "../presets.ts";
import type { Unverified } from "../signature-headers.ts";
import { diagnoseJwt, examineText } from "./examine.ts";
import { type Diagnosis, diagnosisOf, type Finding, withinRate } from "./finding.ts";
import { endpointOfKey } from "./other-endpoints.ts";

/** A verification takes about as long as so many HMACs. */
const COST = 3;

/** A request whose signature with a private key was not verified. */
export interface UnverifiedKeyRequest {
  stored: StoredSignature;
  request: InboundRequest;
  context: KeyContext;
  verdict: Unverified;
  others: Others;
}

/** Explains why a request's signature with a private key is not valid. */
export async function diagnoseKey(unverified: UnverifiedKeyRequest): Promise<Diagnosis> {
  const { stored, context, verdict } = unverified;
  return await withinRate(stored, context.now, async () => {
    const cause = KNOWN[verdict.rule];
    return cause === undefined
      ? await diagnoseSigned(unverified)
      : diagnosisOf([{ cause, text: verdict.message }]);
  });
}

async function diagnoseSigned(unverified: UnverifiedKeyRequest): Promise<Diagnosis> {
  const { stored, request, context, verdict } = unverified;
  const { scheme } = stored;
  const none = () => noneOf(unverified);
  if (scheme.algorithm === "jwt") return await diagnoseJwt(verdict, none);
  if (scheme.algorithm === "http-message-signatures") return diagnosisOf(await none());
  // As in verification, a request without a signature causes no fetch.
  const isSigned = verdict.rule !== "signature_missing" || stored.publicKey !== null;
  const text = isSigned ? await keyText(stored, request, context) : null;
  const verify = text === null ? null : await testOf(scheme, text);
  const { findings } = await examineText(scheme, request, verdict, {
    keys: [{ bytes: new Uint8Array(), finding: null, setting: null }],
    isSwappable: false,
    audience: stored.audience ?? "",
    testOf: (digests) => ({
      cost: COST * digests.length,
      async test(_, message) {
        if (typeof verify !== "function") return null;
        for (const digest of digests) {
          if ((await verify(message, [digest.bytes])) !== null) return digest;
        }
        return null;
      },
    }),
    none,
  });
  return diagnosisOf(findings);
}

/** The causes of requests that are not verified, by the rules of verdicts that say all. */
const KNOWN: Record<string, Cause | undefined> = {
  audience: "audience",
  key_unknown: "key_unknown",
  certificate: "key_unknown",
  scheme: "unknown",
};

/** Says what is left where no variant matches. */
async function noneOf(unverified: UnverifiedKeyRequest): Promise<Finding[]> {
  const { stored, request, context, others } = unverified;
  const other = await endpointOfKey(stored, request, context, others);
  if (other !== null) return [other];
  const { preset, publicKey, audience } = stored;
  const { audience: expected } = preset === null ? {} : presetOf(preset);
  const signedFor =
    expected?.paths.length === 0 && audience !== null
      ? `auth.signature.audience is not the ${expected.name} at the sender, `
      : "";
  const key = publicKey === null ? "" : "the public key belongs to another app or account, ";
  const text = `No known variant matches: ${signedFor}${key}or the body was changed in transit.`;
  return [{ cause: "unknown", text }];
}
