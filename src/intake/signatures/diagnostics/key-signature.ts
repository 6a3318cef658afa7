import type { KeyScheme, MessageScheme } from "../../../contract/webhooks/signature.ts";
import type { InboundRequest, Others } from "../../types.ts";
import {
  type KeyContext,
  keyText,
  type StoredSignature,
  testOf,
  verifyKeySignature,
} from "../key-signature.ts";
import { presetOfKey } from "../presets.ts";
import { namesIn, type Unverified } from "../signature-headers.ts";
import { isForm } from "../signed-message.ts";
import { sentParts } from "../verify.ts";
import { otherBodies } from "./body-variants.ts";
import { appliedToKey, keyChangeFor } from "./change.ts";
import { type Diagnosis, describeMatch, describeNone, diagnosisOf } from "./findings.ts";
import { diagnoseKeyJwt } from "./jwt.ts";
import type { Finding } from "./keys.ts";
import { findMatch } from "./match.ts";
import { endpointOfKey } from "./other-endpoints.ts";
import { isWithinRate, TOO_MANY } from "./rate.ts";
import { sentDigests } from "./sent-headers.ts";
import { losesTime, templatesOf } from "./templates.ts";
import { type Findable, type Match, otherUrls, signedBody, trials } from "./variants.ts";

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

/**
 * Explains why a request's signature with a private key is not valid. A change is advised only if the
 * request is accepted under it.
 */
export async function diagnoseKey(unverified: UnverifiedKeyRequest): Promise<Diagnosis> {
  const { stored, request, context, verdict } = unverified;
  const { scheme } = stored;
  if (!isWithinRate(stored, context.now)) return TOO_MANY;
  if (verdict.rule === "audience")
    return diagnosisOf([{ cause: "audience", text: forOthers(stored) }]);
  if (scheme.algorithm === "http-message-signatures")
    return await diagnoseMessage(unverified, scheme);
  if (verdict.rule === "certificate") {
    const text = `${verdict.message} The sender must send the certificates of its key, and auth.signature.publicKey be their root.`;
    return diagnosisOf([{ cause: "key_unknown", text }]);
  }
  if (verdict.rule === "key_unknown") return diagnosisOf([unknownKey(stored)]);
  // As in verification, a request without a signature causes no fetch.
  const isSigned = verdict.rule !== "signature_missing" || stored.publicKey !== null;
  const key = isSigned ? await keyText(stored, request, context) : null;
  const none = () => noneOf(unverified);
  if (scheme.algorithm === "jwt") {
    return await diagnoseKeyJwt({ scheme, request, verdict }, key ?? "", context.now, none);
  }
  return await diagnoseText(unverified, scheme, key, none);
}

async function noneOf({
  stored,
  request,
  context,
  others,
}: UnverifiedKeyRequest): Promise<Finding[]> {
  const other = await endpointOfKey(stored, request, context, others);
  return [other ?? { cause: "unknown", text: noVariant(stored) }];
}

function forOthers({ preset, audience }: StoredSignature): string {
  const { name = "audience", paths } = (preset && presetOfKey(preset).audience) ?? { paths: [] };
  return `The request is not for ${audience}, which is configured as the ${name}: compare it with ${paths.join(", ")} in the body. A request without it does not come from the sender as documented.`;
}

function unknownKey({ preset }: StoredSignature): Finding {
  const { name = "the sender", keyPlace } = preset === null ? {} : presetOfKey(preset);
  if (keyPlace === undefined) {
    return { cause: "key_unknown", text: `${name} publishes no key where its documentation says.` };
  }
  return {
    cause: "key_unknown",
    text: `The request names no key of ${name}, so it was not sent by it, or a proxy changed it. A request of ${name} names its key in ${keyPlace}.`,
  };
}

function noVariant({ preset, publicKey, audience }: StoredSignature): string {
  const { audience: expected } = preset === null ? {} : presetOfKey(preset);
  const signedFor =
    expected?.paths.length === 0 && audience !== null
      ? `auth.signature.audience is not the ${expected.name} at the sender, `
      : "";
  const key = publicKey === null ? "" : "the public key belongs to another app or account, ";
  return `No known variant matches: ${signedFor}${key}or the body was changed in transit.`;
}

async function diagnoseText(
  unverified: UnverifiedKeyRequest,
  scheme: KeyScheme,
  key: string | null,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const { stored, request, verdict } = unverified;
  const { sent: headers, material } = await sentParts(scheme, request);
  const used = { ...scheme, ...namesIn(scheme, headers) };
  const digests = sentDigests(used, headers);
  const test = key === null ? null : await testOf(scheme, key);
  if (material === null || typeof test !== "function" || digests.length === 0) {
    return diagnosisOf(describeNone(used, headers, digests, verdict, []));
  }
  for (const { audience, ...found } of audiencesOf(stored)) {
    const whole = { ...material, audience };
    const candidates = trials([found], templatesOf(used, headers), whole, headers, []);
    const match = await findMatch(candidates, COST * digests.length, async (_, message) => {
      for (const digest of digests) {
        if ((await test(message, [digest.bytes])) !== null) return digest;
      }
      return null;
    });
    if (match === null) continue;
    const findings = describeMatch(used, headers, match, verdict);
    const change = await verifiedChange(unverified, used, match);
    return diagnosisOf(findings, change);
  }
  return diagnosisOf(describeNone(used, headers, digests, verdict, await none()));
}

/** Returns for whom the sender may have signed, the configured one first. */
function audiencesOf({ preset, audience }: StoredSignature): (Findable & { audience: string })[] {
  const { name = "", ofSimulator } = (preset && presetOfKey(preset).audience) ?? {};
  const text = `The request comes from the sender's simulator, which signs for ${ofSimulator} and not for your ${name}. Send an event of the sandbox instead.`;
  return [
    { audience: audience ?? "", finding: null },
    ...(ofSimulator === undefined
      ? []
      : [{ audience: ofSimulator, finding: { cause: "audience" as const, text } }]),
  ];
}

/** Returns the change that a match suggests, if the request is accepted under it. */
async function verifiedChange(
  { stored, request, context }: UnverifiedKeyRequest,
  used: KeyScheme,
  match: Match<Findable>,
) {
  // A preset also fetches keys and knows event ids: its scheme is not replaced.
  const change = stored.preset === null ? keyChangeFor(used, match) : null;
  const after = change && appliedToKey(change, stored);
  if (!after || !("template" in after.scheme) || losesTime(used, after.scheme)) return null;
  return (await verifyKeySignature(after, request, context)).ok ? change : null;
}

/** Explains why an HTTP Message Signature is not valid. */
async function diagnoseMessage(
  unverified: UnverifiedKeyRequest,
  { components, signatureAlgorithm }: MessageScheme,
): Promise<Diagnosis> {
  const { stored, request, context, verdict } = unverified;
  const { url, headers, body } = request;
  if (verdict.rule === "signature_missing") {
    const text = `${verdict.message} The sender must sign by RFC 9421, with Signature-Input and Signature.`;
    return diagnosisOf([{ cause: "header_missing", text }]);
  }
  if (verdict.rule === "signature_malformed") {
    const text = `${verdict.message} The signature must cover ${components.join(", ")} by ${signatureAlgorithm}, with the parameter created.`;
    return diagnosisOf([{ cause: "signed_values", text }]);
  }
  const bytes = body.kind === "whole" ? body.raw : new Uint8Array();
  const bodies = otherBodies(bytes, isForm(headers.get("content-type")));
  const others = [
    ...otherUrls(url, headers).map(({ url, ...finding }) => ({ finding, other: { url } })),
    ...(body.kind === "whole" ? bodies : []).map(({ bytes: raw, as, cause }) => ({
      finding: signedBody(as, cause),
      other: { body: { ...body, raw } },
    })),
  ];
  for (const { finding, other } of others) {
    const verdict = await verifyKeySignature(stored, { ...request, ...other }, context);
    if (verdict.ok) return diagnosisOf([finding]);
  }
  if (verdict.rule === "body_unsigned") {
    return diagnosisOf([{ cause: "body_unsigned", text: verdict.message }]);
  }
  return diagnosisOf(await noneOf(unverified));
}
