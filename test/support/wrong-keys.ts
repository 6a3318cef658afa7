import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { crc32 } from "node:zlib";
import { SignJWT } from "jose";
import type { Cause } from "../../src/contract/webhooks/advice.ts";
import { createEndpointBody } from "../../src/contract/webhooks/endpoint.ts";
import { storedSignature } from "../../src/http/webhooks/auth-faults.ts";
import type { StoredSignature } from "../../src/intake/signatures/key-signature.ts";
import { RECEIVED_AT } from "./signed-request.ts";

/** A sender with a private key and an endpoint that do not agree. */
export interface WrongKey {
  name: string;
  stored: StoredSignature;
  request: { body: string; headers: Record<string, string>; url?: string };
  cause: Cause;
  /** The key that the sender's address returns. */
  fetched: string | null;
}

const SECOND = String(RECEIVED_AT / 1_000);
const ISO = new Date(RECEIVED_AT).toISOString();
const URL_OF = "https://hooks.example/hooks/a";
const BODY = '{"id":7,"name":"J\u00fcrgen <b>","url":"https://a.example/x"}';
const PRETTY = JSON.stringify(JSON.parse(BODY), null, 2);

const ed25519 = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

const signed = (text: string, key = ed25519.privateKey) => sign(null, Buffer.from(text), key);
const ecdsa = (text: string) => sign("sha256", Buffer.from(text), p256.privateKey);

/** Returns the setting as it is stored. */
function stored(signature: object): StoredSignature {
  const { auth } = createEndpointBody.parse({ name: "a", auth: { signature } });
  if (!auth.signature) throw new Error("the setting has no signature");
  return storedSignature(auth.signature);
}

const DISCORD = stored({ preset: "discord", publicKey: pem(ed25519.publicKey) });
const SENDGRID = stored({ preset: "sendgrid", publicKey: pem(p256.publicKey) });
const PAYPAL = stored({ preset: "paypal", audience: "WH-ID-1" });
const SNS = stored({ preset: "aws-sns", audience: "arn:aws:sns:us-east-1:123456789012:alarms" });
const V1A = stored({ preset: "standard-webhooks-v1a", publicKey: pem(ed25519.publicKey) });
const own = (changes: object = {}) =>
  stored({ algorithm: "ed25519", publicKey: pem(ed25519.publicKey), ...changes });
const timed = { template: "{timestamp}.{body}", timestampHeader: "X-Timestamp" };
const X = "x-webhook-signature";

const discord = (text: string, more: Record<string, string> = {}, body = BODY) => ({
  body,
  headers: {
    "x-signature-ed25519": signed(text).toString("hex"),
    "x-signature-timestamp": SECOND,
    ...more,
  },
});
const sendgrid = (text: string, more: Record<string, string> = {}, body = BODY) => ({
  body,
  headers: {
    "x-twilio-email-event-webhook-signature": ecdsa(text).toString("base64"),
    "x-twilio-email-event-webhook-timestamp": SECOND,
    ...more,
  },
});
const CERTIFICATE = "https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594";
const paypal = (audience: string, crc: number, more: Record<string, string> = {}) => ({
  body: BODY,
  headers: {
    "paypal-transmission-id": "t1",
    "paypal-transmission-time": ISO,
    "paypal-cert-url": CERTIFICATE,
    "paypal-transmission-sig": sign(
      "sha256",
      Buffer.from(`t1|${ISO}|${audience}|${crc}`),
      rsa.privateKey,
    ).toString("base64"),
    ...more,
  },
});
const sns = (topic: string, certificate: string) => ({
  headers: {},
  body: JSON.stringify({
    Type: "Notification",
    MessageId: "m1",
    TopicArn: topic,
    Message: "x",
    Timestamp: ISO,
    Signature: "AA==",
    SigningCertURL: certificate,
  }),
});
const x = (text: string, more: Record<string, string> = {}, body = BODY) => ({
  body,
  headers: { [X]: signed(text).toString("hex"), ...more },
});

const JWT = stored({
  algorithm: "jwt",
  publicKey: pem(p256.publicKey),
  header: "X-Token",
  issuer: "https://sender.example",
  bodyClaim: "sha256",
});
async function token(claims: object = {}, alg = "ES256") {
  const key = alg === "HS256" ? new TextEncoder().encode("a shared secret") : p256.privateKey;
  const hash = createHash("sha256").update(BODY).digest("hex");
  return await new SignJWT({ iss: "https://sender.example", sha256: hash, ...claims })
    .setProtectedHeader({ alg })
    .setIssuedAt(RECEIVED_AT / 1_000)
    .sign(key);
}

type Row = [
  name: string,
  stored: StoredSignature,
  request: WrongKey["request"],
  cause: Cause,
  more?: { fetched: string },
];
const fetched = { fetched: pem(rsa.publicKey) };

const ROWS: Row[] = [
  ["no signature (Discord)", DISCORD, { body: BODY, headers: {} }, "header_missing"],
  [
    "an empty header (Discord)",
    DISCORD,
    discord(SECOND + BODY, { "x-signature-ed25519": "" }),
    "header_empty",
  ],
  [
    "no timestamp (Discord)",
    DISCORD,
    { body: BODY, headers: { "x-signature-ed25519": signed(BODY).toString("hex") } },
    "timestamp_missing",
  ],
  [
    "base64 in place of hex (Discord)",
    DISCORD,
    discord(SECOND + BODY, { "x-signature-ed25519": signed(SECOND + BODY).toString("base64") }),
    "encoding",
  ],
  ["the key of another app (Discord)", DISCORD, discord("x"), "unknown"],
  [
    "a truncated signature (Discord)",
    DISCORD,
    discord("x", { "x-signature-ed25519": "00ff" }),
    "not_a_signature",
  ],
  [
    "a body that was parsed and written again (Discord)",
    DISCORD,
    discord(SECOND + BODY, {}, PRETTY),
    "body_json",
  ],
  ["only the body signed (Discord)", DISCORD, discord(BODY), "template"],
  ["a dot before the body (SendGrid)", SENDGRID, sendgrid(`${SECOND}.${BODY}`), "template"],
  [
    "a line break taken from the end (SendGrid)",
    SENDGRID,
    sendgrid(`${SECOND}${BODY}\r\n`),
    "body_line_breaks",
  ],
  ["no signature (SendGrid)", SENDGRID, { body: BODY, headers: {} }, "header_missing"],
  [
    "an HMAC in place of an ECDSA signature (SendGrid)",
    SENDGRID,
    sendgrid("x", {
      "x-twilio-email-event-webhook-signature": createHash("sha256").update("x").digest("base64"),
    }),
    "not_a_signature",
  ],
  [
    "a body that was parsed and written again (PayPal)",
    PAYPAL,
    paypal("WH-ID-1", crc32(PRETTY)),
    "body_json",
    fetched,
  ],
  [
    "the certificate of a stranger (PayPal)",
    PAYPAL,
    paypal("WH-ID-1", crc32(BODY), { "paypal-cert-url": "https://paypal.example/cert" }),
    "key_unknown",
  ],
  ["the id of another webhook (PayPal)", PAYPAL, paypal("WH-2", crc32(BODY)), "unknown", fetched],
  [
    "another topic (SNS)",
    SNS,
    sns("arn:aws:sns:us-east-1:123456789012:other", ""),
    "audience",
    fetched,
  ],
  [
    "a certificate of a stranger (SNS)",
    SNS,
    sns("arn:aws:sns:us-east-1:123456789012:alarms", "https://sns.example/a.pem"),
    "key_unknown",
  ],
  ["no signature (SNS, raw delivery)", SNS, { body: BODY, headers: {} }, "audience"],
  [
    "a shared secret in place of a key (v1 in place of v1a)",
    V1A,
    {
      body: BODY,
      headers: {
        "webhook-id": "m1",
        "webhook-timestamp": SECOND,
        "webhook-signature": `v1,${createHash("sha256").update("x").digest("base64")}`,
      },
    },
    "not_a_signature",
  ],
  [
    "another header",
    own(),
    { body: BODY, headers: { "x-acme-signature": signed(BODY).toString("hex") } },
    "header_name",
  ],
  [
    "base64 in place of hex",
    own(),
    { body: BODY, headers: { [X]: signed(BODY).toString("base64") } },
    "encoding",
  ],
  [
    "a prefix that is not configured",
    own(),
    { body: BODY, headers: { [X]: `ed25519=${signed(BODY).toString("hex")}` } },
    "prefix",
  ],
  [
    "a signed timestamp that is not configured",
    own(),
    x(`${SECOND}.${BODY}`, { "x-timestamp": SECOND }),
    "template",
  ],
  ["another separator", own(timed), x(`${SECOND}:${BODY}`, { "x-timestamp": SECOND }), "template"],
  ["the timestamp left out", own(timed), x(BODY, { "x-timestamp": SECOND }), "template"],
  [
    "another key",
    own(),
    { body: BODY, headers: { [X]: signed(BODY, other.privateKey).toString("hex") } },
    "unknown",
  ],
  // JSON Web Tokens.
  ["no token", JWT, { body: BODY, headers: {} }, "header_missing"],
  ["no JSON Web Token", JWT, { body: BODY, headers: { "x-token": "abc" } }, "not_a_signature"],
  [
    "a token with a shared secret",
    JWT,
    { body: BODY, headers: { "x-token": await token({}, "HS256") } },
    "algorithm",
  ],
  [
    "a token of another issuer",
    JWT,
    { body: BODY, headers: { "x-token": await token({ iss: "https://other.example" }) } },
    "signed_values",
  ],
];

export const WRONG_KEYS: WrongKey[] = ROWS.map(([name, setting, request, cause, more]) => ({
  name,
  stored: setting,
  request: { url: URL_OF, ...request },
  cause,
  fetched: more?.fetched ?? null,
}));
