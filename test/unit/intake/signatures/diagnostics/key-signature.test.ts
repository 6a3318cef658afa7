import { createHash, sign } from "node:crypto";
import { crc32 } from "node:zlib";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import { diagnoseKey } from "../../../../../src/intake/signatures/diagnostics/key-signature.ts";
import { verifyKeySignature } from "../../../../../src/intake/signatures/key-signature.ts";
import { signedByChain } from "../../../../support/certificates.ts";
import { BODY, SECOND } from "../../../../support/diagnosis.ts";
import { ED25519, P256, pemOfPair, RSA } from "../../../../support/key-pairs.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { storedOf } from "../key-verdict.ts";

const PRETTY = JSON.stringify(JSON.parse(BODY), null, 2);

type Headers = Record<string, string>;

const X = "x-webhook-signature";
const own = (changes: object = {}) =>
  storedOf({ algorithm: "ed25519", publicKey: pemOfPair(ED25519), ...changes });
const signed = (text: string, as: "hex" | "base64" = "hex") =>
  sign(null, Buffer.from(text), ED25519.privateKey).toString(as);

const DISCORD = storedOf({ preset: "discord", publicKey: pemOfPair(ED25519) });
const byDiscord = (text: string, more: Headers = {}): Headers => ({
  "x-signature-ed25519": signed(text),
  "x-signature-timestamp": SECOND,
  ...more,
});

const SENDGRID = storedOf({ preset: "sendgrid", publicKey: pemOfPair(P256) });
const bySendgrid = (signature: Buffer): Headers => ({
  "x-twilio-email-event-webhook-signature": signature.toString("base64"),
  "x-twilio-email-event-webhook-timestamp": SECOND,
});
const ecdsa = (text: string) => sign("sha256", Buffer.from(text), P256.privateKey);
const sha256 = (text: string) => createHash("sha256").update(text);

const PAYPAL = storedOf({ preset: "paypal", audience: "WH-ID-1" });
const ISO = new Date(RECEIVED_AT).toISOString();
function byPaypal(text: string, certificate = "https://api.paypal.com/v1/notifications/certs/C") {
  const signature = sign("sha256", Buffer.from(`t1|${ISO}|${text}`), RSA.privateKey);
  return {
    "paypal-transmission-id": "t1",
    "paypal-transmission-time": ISO,
    "paypal-cert-url": certificate,
    "paypal-transmission-sig": signature.toString("base64"),
  };
}

const TOPIC = "arn:aws:sns:us-east-1:123456789012:alarms";
const SNS = storedOf({ preset: "aws-sns", audience: TOPIC });
const message = { Type: "Notification", MessageId: "m1", Message: "x", Timestamp: ISO };
const bySns = (TopicArn: string) =>
  JSON.stringify({ ...message, TopicArn, Signature: "AA==", SigningCertURL: "https://a.example/" });

const V1A = storedOf({ preset: "standard-webhooks-v1a", publicKey: pemOfPair(ED25519) });
const byV1 = {
  "webhook-id": "m1",
  "webhook-timestamp": SECOND,
  "webhook-signature": `v1,${sha256("x").digest("base64")}`,
};

const JWT = storedOf({
  algorithm: "jwt",
  publicKey: pemOfPair(P256),
  header: "X-Token",
  issuer: "https://sender.example",
  bodyClaim: "sha256",
});
async function token(alg: "ES256" | "HS256", iss = "https://sender.example"): Promise<Headers> {
  const key = alg === "HS256" ? new TextEncoder().encode("a shared secret") : P256.privateKey;
  const jwt = new SignJWT({ iss, sha256: sha256(BODY).digest("hex") });
  const signed = jwt.setProtectedHeader({ alg }).setIssuedAt(RECEIVED_AT / 1_000);
  return { "x-token": await signed.sign(key) };
}

type Row = [name: string, stored: ReturnType<typeof own>, Headers, Cause, body?: string];

it.each<Row>([
  ["no signature", DISCORD, {}, "header_missing"],
  ["an empty header", DISCORD, byDiscord("", { "x-signature-ed25519": "" }), "header_empty"],
  ["no timestamp", DISCORD, { "x-signature-ed25519": signed(BODY) }, "timestamp_missing"],
  ["another app's key", DISCORD, byDiscord("x"), "unknown"],
  ["a part of one", DISCORD, byDiscord("", { "x-signature-ed25519": "00ff" }), "not_a_signature"],
  ["a body written again", DISCORD, byDiscord(SECOND + BODY), "body_json", PRETTY],
  ["only the body signed", DISCORD, byDiscord(BODY), "template"],
  ["a dot before the body", SENDGRID, bySendgrid(ecdsa(`${SECOND}.${BODY}`)), "template"],
  ["no line break", SENDGRID, bySendgrid(ecdsa(`${SECOND}${BODY}\r\n`)), "body_line_breaks"],
  ["an HMAC", SENDGRID, bySendgrid(sha256("x").digest()), "not_a_signature"],
  ["an HMAC, v1 in place of v1a", V1A, byV1, "not_a_signature"],
  ["PayPal's body written again", PAYPAL, byPaypal(`WH-ID-1|${crc32(PRETTY)}`), "body_json"],
  ["another webhook of PayPal", PAYPAL, byPaypal(`WH-2|${crc32(BODY)}`), "unknown"],
  ["a stranger's certificate", PAYPAL, byPaypal("", "https://a.example/cert"), "key_unknown"],
  ["a stranger's certificate of SNS", SNS, {}, "key_unknown", bySns(TOPIC)],
  ["another topic of SNS", SNS, {}, "audience", bySns(`${TOPIC}2`)],
  ["SNS's raw delivery", SNS, {}, "audience"],
  ["another key", own(), { [X]: signed("x") }, "unknown"],
  ["another header", own(), { "x-acme-signature": signed(BODY) }, "header_name"],
  ["another encoding", own(), { [X]: signed(BODY, "base64") }, "encoding"],
  ["a prefix", own(), { [X]: `ed25519=${signed(BODY)}` }, "prefix"],
  ["a time", own(), { [X]: signed(`${SECOND}.${BODY}`), "x-timestamp": SECOND }, "template"],
  ["no token", JWT, {}, "header_missing"],
  ["no JSON Web Token", JWT, { "x-token": "abc" }, "not_a_signature"],
  ["a token of a shared secret", JWT, await token("HS256"), "algorithm"],
  ["another issuer's token", JWT, await token("ES256", "https://other.example"), "signed_values"],
])(
  "of a sender that signs with a private key, the diagnosis names the cause: %s",
  async (...row) => {
    const [, stored, headers, cause, body = BODY] = row;
    const { advice, sentences } = await diagnosed(stored, { headers, body });
    expect(advice?.causes, sentences.join("\n")).toContain(cause);
    expect(sentences.join("\n")).not.toContain(stored.publicKey ?? "-----");
    expect(advice?.change).toBeNull();
  },
);

it("of the App Store, the diagnosis names certificates that do not lead to Apple's root", async () => {
  const stored = storedOf({ preset: "app-store", audience: "com.example.app" });
  const body = JSON.stringify({ signedPayload: await signedByChain({}) });
  const headers = { "content-type": "application/json" };
  const { sentences } = await diagnosed(stored, { headers, body });
  expect(sentences.join(" ")).toContain("do not lead to the root");
});

/** Returns the diagnosis of a request that is not verified; the sender's address returns an RSA key. */
async function diagnosed(
  stored: ReturnType<typeof own>,
  sent: Parameters<typeof inboundRequest>[0],
) {
  const request = inboundRequest(sent);
  const fetchKey = async () => pemOfPair(RSA);
  const context = { secret: null, fetchKey, now: RECEIVED_AT };
  const verdict = await verifyKeySignature(stored, request, context);
  if (verdict.ok) throw new Error("the sender and the endpoint agree");
  return await diagnoseKey({ stored, request, context, verdict, others: async () => [] });
}
