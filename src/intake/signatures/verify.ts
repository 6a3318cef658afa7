import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import type { SignatureScheme } from "../../contract/webhooks/signature.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { isObject } from "../../lib/json-values.ts";
import { equalBytes } from "../../lib/secrets.ts";
import { readPath } from "../mapping/payload-path.ts";
import { payloadOf } from "../payload/parse.ts";
import { validValues } from "../secrets.ts";
import type { InboundRequest, OpenSecret } from "../types.ts";
import { encode, hmac, secretBytes, secretKeys } from "./hmac.ts";
import { signJwt, verifyJwt } from "./jwt.ts";
import {
  type Presented,
  readPresented,
  type SignatureVerdict,
  signedHeaderText,
  type TextScheme,
  type Unverified,
  unverified,
} from "./signature-headers.ts";
import {
  BODY_HASH,
  FIELD,
  isField,
  isForm,
  type Material,
  partsOf,
  type SignedHeaderText,
  signedMessages,
} from "./signed-message.ts";

/**
 * Verifies that a request is signed with an endpoint's secret, or with the previous one while that is
 * valid. The signature covers the bytes on the wire, or those without their Content-Encoding.
 */
export async function verifySignature(
  scheme: SignatureScheme,
  secret: OpenSecret,
  request: InboundRequest,
  now: number,
): Promise<SignatureVerdict> {
  if (scheme.form === "jwt") return await verifyJwt(scheme, secret, request, now);
  const { algorithm, secretEncoding } = scheme;
  return await verifySigned(scheme, request, () => {
    const keys = validValues(secret, now).flatMap((text, at) =>
      secretKeys(text, secretEncoding).map((key) => ({ key, usedPrevious: at > 0 })),
    );
    if (keys.length === 0) {
      return unverified("secret_unreadable", `The secret is not valid ${secretEncoding}.`);
    }
    return (message, signatures) => {
      for (const { key, usedPrevious } of keys) {
        const digest = hmac(algorithm, key, message);
        if (signatures.some((signature) => equalBytes(signature, digest))) return { usedPrevious };
      }
      return null;
    };
  });
}

type Valid = { usedPrevious: boolean } | null;

/** Tests signatures of a message. Returns null if none is valid. */
type Test = (message: Uint8Array, signatures: Uint8Array[]) => Valid | Promise<Valid>;

/** Verifies a signature over a template's text by a test, which is created once a signature is found. */
export async function verifySigned(
  scheme: TextScheme,
  request: InboundRequest,
  open: () => Test | Unverified | Promise<Test | Unverified>,
  audience = "",
): Promise<SignatureVerdict> {
  const { sent, material } = await sentParts(scheme, request);
  const reading = readPresented(scheme, sent);
  if (!reading.ok) return reading;
  if (material === null) return unverified("body_incomplete", "The body is incomplete.");
  const unsigned = unsignedField(scheme, material);
  if (unsigned !== null) {
    return unverified("body_unsigned", `The signature does not cover the field ${unsigned}.`);
  }
  const test = await open();
  if (typeof test !== "function") return test;
  const whole = { ...material, audience };
  const verdict = await verifyMaterial(scheme, test, reading.presented, whole);
  const { body } = request;
  if (verdict.ok || body.kind !== "whole" || body.decoded !== null) return verdict;
  // Some senders sign before they compress. Only who presents a signature makes the service inflate.
  const content = body.content();
  if (content.kind !== "whole") return verdict;
  const inflated = { ...whole, bodies: [content.bytes] };
  const second = await verifyMaterial(scheme, test, reading.presented, inflated);
  return second.ok || verdict.rule === "body_unsigned" ? second : verdict;
}

/** Returns the headers of a scheme, or the fields that stand for them, and what a signature can cover. */
export async function sentParts(
  scheme: TextScheme,
  request: InboundRequest,
): Promise<{ sent: Headers; material: Material | null }> {
  const readsFields = scheme.in === "body" || partsOf(scheme.template).some(isField);
  const payload = readsFields ? await payloadOf(request, true) : undefined;
  const sent = scheme.in === "body" ? fieldsAsHeaders(scheme, payload) : request.headers;
  const material = materialOf(request);
  return { sent, material: material && { ...material, payload } };
}

/**
 * Returns a field of a form or a query that a template of fields does not name, or null: anyone who sees a
 * request could add one. JSON is not checked, where senders sign some members of many.
 */
function unsignedField(scheme: TextScheme, { method, contentType, payload }: Material) {
  const signed = [scheme.template, ...(scheme.alternatives ?? [])].flatMap(partsOf).filter(isField);
  const isFlat = method === "GET" || isForm(contentType);
  if (!isFlat || signed.length === 0 || !isObject(payload)) return null;
  const { header, timestampHeader, idHeader } = scheme;
  const places = scheme.in === "body" ? [header, timestampHeader, idHeader] : [];
  const known = [...places, ...signed.map((part) => part.slice(FIELD.length))];
  return Object.keys(payload).find((name) => !known.includes(name)) ?? null;
}

/** Returns the fields of the body that stand for the headers of a scheme, under their paths. */
function fieldsAsHeaders(
  { header, timestampHeader, idHeader }: TextScheme,
  payload: PayloadValue | undefined,
): Headers {
  const headers = new Headers();
  for (const path of [header, timestampHeader, idHeader]) {
    const value = path === null || payload === undefined ? undefined : readPath(payload, path);
    const text = typeof value === "number" ? String(value) : value;
    if (path !== null && typeof text === "string" && /^[\x20-\x7e]*$/.test(text)) {
      headers.set(path, text);
    }
  }
  return headers;
}

async function verifyMaterial(
  scheme: TextScheme,
  test: Test,
  { signatures, signedAt, ...values }: Presented,
  material: Material,
): Promise<SignatureVerdict> {
  let covered = false;
  for (const template of [scheme.template, ...(scheme.alternatives ?? [])]) {
    for await (const message of signedMessages({ template }, values, material)) {
      covered = true;
      const valid = await test(message, signatures);
      if (valid !== null) return { ok: true, signedAt, ...valid };
    }
  }
  return covered
    ? unverified("signature_mismatch", "The signature does not match.")
    : unverified(
        "body_unsigned",
        `The signature does not cover the body: the body is not a form, and ${BODY_HASH} in the URL is not its hash.`,
      );
}

/**
 * Returns the parts of a request that a signature can cover, or null if the body is incomplete. Includes
 * the content of a compressed body only if it is already decoded.
 */
function materialOf({ method, url, headers, body }: InboundRequest): Material | null {
  if (body.kind !== "whole") return null;
  const { raw, decoded } = body;
  const isOther = decoded?.kind === "whole" && decoded.bytes !== raw;
  const bodies = isOther ? [raw, decoded.bytes] : [raw];
  return { method, url, contentType: headers.get("content-type"), bodies };
}

/** A request to sign as its sender would. */
export interface OutgoingMessage {
  url: URL;
  body: Uint8Array;
  contentType: string | null;
  /** Epoch milliseconds. */
  now: number;
  id: string;
  /** Defaults to POST. */
  method?: string;
}

/**
 * Returns the headers that a sender adds (signature, timestamp and id) by lower-case name; none if the
 * signature is in the body, or the sender signs no such body. Throws if the secret does not have the
 * scheme's encoding.
 */
export async function signHeaders(
  scheme: SignatureScheme,
  secret: string,
  message: OutgoingMessage,
): Promise<Record<string, string>> {
  if (scheme.in === "body") return {};
  if (scheme.form === "jwt") return await signJwt(scheme, secret, message);
  const key = secretBytes(secret, scheme.secretEncoding);
  if (key === null) throw new Error(`The secret is not valid ${scheme.secretEncoding}.`);
  const { url, body, contentType, id, method = "POST" } = message;
  const timestamp = String(Math.floor(message.now / 1_000));
  const material = { method, url, contentType, bodies: [body] };
  const { signed, ...listing } = listedToSign(scheme, timestamp, contentType);
  const { value } = await signedMessages(scheme, { id, timestamp, signed }, material).next();
  if (value === undefined) return {};
  const signature = encode(hmac(scheme.algorithm, key, value), scheme.encoding);
  return Object.fromEntries(
    [
      [scheme.header, headerText(scheme, timestamp, signature, signed)],
      [listing.header, signed?.names ?? ""],
      [scheme.timestampHeader, timestamp],
      [scheme.idHeader, id],
    ].flatMap(([name, text]) => (name === null ? [] : [[name?.toLowerCase(), text]])),
  );
}

/** Returns the headers that a sender lists: the list itself and the time, or the type of the content. */
function listedToSign(scheme: SignatureScheme, timestamp: string, contentType: string | null) {
  const { header: list = null, pair } = scheme.signedHeaders ?? {};
  const { header, timestampHeader } = scheme;
  const values = new Headers({
    ...(timestampHeader !== null && { [timestampHeader]: timestamp }),
    ...(contentType !== null && { "content-type": contentType }),
  });
  const names = [...values.keys(), ...(list === null ? [] : [list.toLowerCase()])].sort();
  if (list !== null) values.set(list, names.join(","));
  if (pair !== undefined) values.set(header, `${pair}=${names.join(" ")}`);
  return { header: list, signed: signedHeaderText(scheme, values) };
}

function headerText(
  scheme: SignatureScheme,
  timestamp: string,
  signature: string,
  signed: SignedHeaderText | null,
): string {
  const { form, prefix, timestampPair, timestampHeader, template } = scheme;
  const isTimed = timestampHeader === null && partsOf(template).includes("timestamp");
  if (form === "items" && isTimed) return `${timestamp},${prefix}${signature}`;
  if (form !== "pairs") return `${prefix}${signature}`;
  const time = timestampPair === null ? "" : `${timestampPair}=${timestamp},`;
  const pair = scheme.signedHeaders?.pair;
  const list = pair === undefined ? "" : `${pair}=${signed?.names},`;
  return `${time}${list}${prefix}=${signature}`;
}

/** Returns the URL that a sender calls: with the body's hash if the scheme covers the body by it. */
export async function signedUrl(
  { template }: SignatureScheme,
  { url, body, contentType }: Pick<OutgoingMessage, "url" | "body" | "contentType">,
): Promise<URL> {
  const address = new URL(url);
  const isHashed = partsOf(template).includes("sortedParams") && !isForm(contentType);
  if (isHashed && body.length > 0) address.searchParams.set(BODY_HASH, await sha256Hex(body));
  return address;
}
