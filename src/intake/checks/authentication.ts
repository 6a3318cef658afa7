import type { Fault } from "../../contract/webhooks/payload.ts";
import type { FieldPlace } from "../../contract/webhooks/signature.ts";
import { readInstant } from "../../lib/instants.ts";
import { tokensIn } from "../credentials.ts";
import { readPlace } from "../events.ts";
import { earlyHandshake } from "../handshake.ts";
import { matchesAny, validValues } from "../secrets.ts";
import type { Diagnosis } from "../signatures/diagnostics/finding.ts";
import { diagnose } from "../signatures/diagnostics/hmac.ts";
import { diagnoseKey } from "../signatures/diagnostics/key-signature.ts";
import { diagnoseToken } from "../signatures/diagnostics/token.ts";
import { type StoredSignature, verifyKeySignature } from "../signatures/key-signature.ts";
import { type ReplayRule, windowOf } from "../signatures/presets/preset.ts";
import { senderOf } from "../signatures/presets.ts";
import { verifySignature } from "../signatures/verify.ts";
import type { Endpoint } from "../types.ts";
import {
  type Check,
  type CheckContext,
  NOT_PARSED,
  PASSED,
  skipped,
  tooLarge,
  unauthorized,
  type Verdict,
} from "./check.ts";

/** Checks the required headers and the token. */
export const auth: Check = {
  stage: "auth",
  async run(context) {
    const headers = await headerFlaws(context);
    const handshake = await earlyHandshake(context.endpoint, context.request);
    if (handshake.kind === "answered" && headers.length === 0) return handshake;
    const token = await tokenFlaws(context);
    const flaws = [...headers, ...token];
    if (flaws.length > 0) {
      const { sentences, advice } = token.length > 0 ? await tokenDiagnosis(context) : NO_DIAGNOSIS;
      const refused = handshake.kind === "refused" ? [handshake.flaw] : [];
      const refusal = unauthorized([...flaws, ...refused], sentences, advice);
      // Some senders send a user name and a password only to a receiver that asks for them.
      return context.endpoint.config.auth.token?.in === "basic"
        ? { ...refusal, headers: { "WWW-Authenticate": 'Basic realm="webhook"' } }
        : refusal;
    }
    const { auth } = context.endpoint.config;
    return auth.token === null && auth.headers.length === 0
      ? skipped("The endpoint requires no token and no headers.")
      : PASSED;
  },
};

async function headerFlaws({ endpoint, request }: CheckContext): Promise<Fault[]> {
  const { headers } = endpoint.config.auth;
  const flaws = headers.map(async ({ name, value }, at) => {
    const given = request.headers.get(name);
    if (given === null) return flaw(name, "header", "The header is missing.");
    if (value === null) return null;
    const expected = endpoint.headerValues[at] ?? null;
    const isSame = expected !== null && (await matchesAny([given], [expected]));
    return isSame ? null : flaw(name, "header", "The header has the wrong value.");
  });
  return (await Promise.all(flaws)).filter((found) => found !== null);
}

async function tokenFlaws({ endpoint, request, now }: CheckContext): Promise<Fault[]> {
  const { auth } = endpoint.config;
  // A sender that signs shows the token in the check of the address only.
  const isInHandshake = senderOf(auth)?.handshakes?.some(({ hasToken }) => hasToken) ?? false;
  if (auth.token === null || (auth.hmac !== null && isInHandshake)) return [];
  const { place, given } = await tokensIn(auth.token, request);
  if (given.length === 0) return [flaw(place, "token", "The token is missing.")];
  const right = await Promise.all(given.map((tokens) => isToken(endpoint, tokens, now)));
  return right.every((one) => one) ? [] : [flaw(place, "token", "The token is wrong.")];
}

const NO_DIAGNOSIS: Diagnosis = { sentences: [], advice: null };

async function tokenDiagnosis({ endpoint, request, now, others }: CheckContext) {
  const stored = endpoint.config.auth.token;
  if (stored === null || endpoint.token === null) return NO_DIAGNOSIS;
  return await diagnoseToken({ stored, secret: endpoint.token, request, now, others });
}

async function isToken({ token }: Endpoint, given: string[], now: number): Promise<boolean> {
  return token !== null && (await matchesAny(given, validValues(token, now)));
}

const flaw = (path: string, rule: string, message: string): Fault => ({ path, rule, message });

/** Checks the signatures over the raw bytes of the body, or over its content. */
export const signature: Check = {
  stage: "signature",
  async run(context) {
    const { hmac, signature } = context.endpoint.config.auth;
    if (hmac === null && !signature) return skipped("The endpoint requires no signature.");
    const byKey = signature ? await judgeKeySignature(context, signature) : PASSED;
    if (hmac === null || byKey.kind !== "passed") return byKey;
    const bySecret = await judgeHmac(context, hmac);
    if (bySecret.kind !== "passed" || bySecret.found?.signedAt != null) return bySecret;
    return { ...bySecret, found: { ...bySecret.found, ...byKey.found } };
  },
};

async function judgeHmac(
  { endpoint, request, now, others }: CheckContext,
  { preset, scheme }: NonNullable<Endpoint["config"]["auth"]["hmac"]>,
): Promise<Verdict> {
  const { hmac: secret } = endpoint;
  if (secret === null) throw new Error("the secret of an endpoint is not opened");
  const verdict = await verifySignature(scheme, secret, request, now);
  if (!verdict.ok) {
    const content = request.body.kind === "whole" ? request.body.decoded : null;
    if (content?.kind === "too_large") return tooLarge(content.limit);
    const { rule, message } = verdict;
    const diagnosis = await diagnose({ scheme, preset, secret, request, now, verdict, others });
    return diagnosed([{ path: scheme.header, rule, message }], diagnosis, preset, "auth.hmac");
  }
  return {
    kind: "passed",
    found: { signedAt: verdict.signedAt },
    ...(verdict.usedPrevious && { note: "Signed with the previous secret." }),
  };
}

async function judgeKeySignature(
  { request, now, sender, others }: CheckContext,
  stored: StoredSignature,
): Promise<Verdict> {
  const keyContext = { fetchKey: sender.fetchKey, now };
  const verdict = await verifyKeySignature(stored, request, keyContext);
  if (verdict.ok) {
    const { signedAt, payload } = verdict;
    const claims = payload !== undefined && { payload, isUnwrapped: true };
    return { kind: "passed", found: { signedAt, ...claims } };
  }
  const { rule, message } = verdict;
  const path = "header" in stored.scheme ? stored.scheme.header : "Signature";
  const diagnosis = await diagnoseKey({ stored, request, context: keyContext, verdict, others });
  return diagnosed([{ path, rule, message }], diagnosis, stored.preset, "auth.signature");
}

const ASKS_FOR_A_SETTING =
  /\bSet (?:algorithm|encoding|form|header|prefix|secretEncoding|template) to\b/;

/** Returns a refusal with a diagnosis, which says where to change a setting that a preset fixes. */
function diagnosed(
  flaws: Fault[],
  { sentences, advice }: Diagnosis,
  preset: string | null,
  setting: string,
): Verdict {
  const isFixed = preset !== null && sentences.some((text) => ASKS_FOR_A_SETTING.test(text));
  const how = `The preset ${preset} fixes these settings. To change one, replace the preset in ${setting} with a whole scheme: header, prefix, encoding, algorithm and template.`;
  return unauthorized(flaws, isFixed ? [...sentences, how] : sentences, advice);
}

/** Checks the age of the request by the timestamp of its sender. */
export const freshness: Check = {
  stage: "freshness",
  run(context) {
    const { enabled, timestamp } = context.endpoint.config.replayProtection;
    if (!enabled) return skipped("Replay protection is off.");
    return timestamp === null ? judgeImplicit(context) : judgeNamed(context, timestamp);
  },
};

/** Checks the timestamp at the configured place, where it is required. */
function judgeNamed(context: CheckContext, place: FieldPlace): Verdict {
  const { found, request } = context;
  if (place.in === "body" && found.payload === undefined) return NOT_PARSED;
  const value = readPlace(place, request.headers, found.payload);
  if (value === undefined) return refusal(place.path, "The timestamp is missing.");
  const sentAt = readInstant(value);
  if (sentAt === null)
    return refusal(place.path, "The timestamp is not ISO 8601, epoch seconds or milliseconds.");
  return judgeTime(context, sentAt, place.path, null);
}

/** Checks the time that the sender's preset names; else the signed one, else `timestamp` in the body. */
function judgeImplicit(context: CheckContext): Verdict {
  const { signedAt, payload } = context.found;
  const rule = senderOf(context.endpoint.config.auth)?.replay ?? null;
  if (signedAt !== null) return judgeTime(context, signedAt, null, rule);
  const { time } = rule ?? { time: TIMESTAMP };
  if (time === "none" || time === "signed") return skipped(NOT_SIGNED);
  const value = readPlace(time, context.request.headers, payload) ?? null;
  if (value === null) return skipped("The request has no timestamp.");
  const sentAt = readInstant(value);
  if (sentAt !== null) return judgeTime(context, sentAt, time.path, rule);
  const warning = `the timestamp in the body is not ${INSTANTS}, so the age of the request is not checked`;
  return { kind: "passed", note: warning, found: { warnings: [warning] } };
}

const TIMESTAMP: FieldPlace = { in: "body", path: "timestamp" };
const NOT_SIGNED = "The sender signs no time of sending: retries repeat the first request.";
const INSTANTS = "ISO 8601, RFC 2822 or an epoch number";

function judgeTime(
  { endpoint: { config }, now }: CheckContext,
  sentAt: number,
  path: string | null,
  rule: ReplayRule | null,
): Verdict {
  const { toleranceSeconds } = config.replayProtection;
  const age = now - sentAt;
  const limit = age > 0 ? windowOf(rule, toleranceSeconds) : toleranceSeconds;
  if (Math.abs(age) <= limit * 1_000) return PASSED;
  const seconds = Math.ceil(Math.abs(age) / 1_000);
  const off = age > 0 ? "old" : "ahead of the service's clock";
  const isFound = path !== null && config.replayProtection.timestamp === null;
  const diagnosis = isFound && age > 0 ? [repeated(path, limit)] : [];
  return refusal(path, `The request is ${seconds} s ${off}; the limit is ${limit} s.`, diagnosis);
}

/** Says how to accept the retries of a sender whose time is not the one of sending. */
const repeated = (path: string, limit: number): string =>
  `The age was read from ${path} in the body. If that is the time of the event, retries repeat it: set replayProtection.timestamp to the place of the time of sending, or raise replayProtection.toleranceSeconds (${limit}) to the time over which the sender retries.`;

/** Refuses without a challenge: no other credentials would make the request younger. */
function refusal(path: string | null, message: string, diagnosis: string[] = []): Verdict {
  const errors = [{ ...(path !== null && { path }), rule: "freshness", message }];
  return {
    kind: "refused",
    code: "stale_request",
    errors,
    ...(diagnosis.length > 0 && { diagnosis }),
  };
}
