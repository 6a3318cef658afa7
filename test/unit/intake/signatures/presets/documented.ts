import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { crc32 } from "node:zlib";
import { SignJWT } from "jose";
import type { SenderName } from "../../../../../src/contract/webhooks/signature.ts";
import { presetNamed } from "../../../../../src/intake/signatures/presets.ts";
import { CHAIN, pemOf, signedByChain } from "../../../../support/certificates.ts";
import { derOfPair, ED25519, pemOfPair, RSA } from "../../../../support/key-pairs.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import type { Sent } from "./sent.ts";

const SECRET = "a-secret-of-the-sender-4711";
const SECOND = String(RECEIVED_AT / 1_000);
const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1";
const ID = "01J8ZC6D7T";

type Hash = "sha1" | "sha256";
const hex = (text: string, hash: Hash = "sha256", key = SECRET) =>
  createHmac(hash, key).update(text).digest("hex");
const base64 = (text: string, hash: Hash = "sha256", key: string | Buffer = SECRET) =>
  createHmac(hash, key).update(text).digest("base64");

/** The sample of a preset, as its sender would send it. */
const sampleOf = (name: SenderName, fields: object): string =>
  JSON.stringify({ ...presetNamed(name).sender.sample.body, ...fields })
    .replaceAll("{{id}}", ID)
    .replaceAll("{{now}}", SECOND);

type Made = Omit<Sent, "body"> & { body?: string };
/** Signs a body as the documentation of a sender says. */
type Documented = (body: string) => Made | Promise<Made>;

const whsec = `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`;
function svix(body: string, prefix = "svix"): Made {
  const key = Buffer.from(whsec.slice(6), "base64");
  const headers = {
    [`${prefix}-id`]: ID,
    [`${prefix}-timestamp`]: SECOND,
    [`${prefix}-signature`]: `v1,${base64(`${ID}.${SECOND}.${body}`, "sha256", key)}`,
  };
  return { secret: whsec, headers, event: [ID, null] };
}

/** A request with one header, which is its signature. */
const sent = (header: string, signature: string, event: NonNullable<Made["event"]>): Made => ({
  headers: { [header]: signature },
  event,
});
const timed = (body: string) => `${SECOND}.${body}`;

const otherEd25519 = generateKeyPairSync("ed25519");
const otherRsa = pemOfPair(generateKeyPairSync("rsa", { modulusLength: 2_048 }));
const raw = (pair: typeof ED25519) => derOfPair(pair).subarray(-32);
const byEd25519 = (text: string) => sign(null, Buffer.from(text), ED25519.privateKey);
const byRsa = (hash: Hash, text: string) =>
  sign(hash, Buffer.from(text), RSA.privateKey).toString("base64");

const TOPIC = "arn:aws:sns:us-east-1:123456789012:alarms";

/** How each sender signs, by its documentation, which the preset's file names. */
const DOCUMENTED: Partial<Record<SenderName, Documented>> = {
  asana: (body) => sent("x-hook-signature", hex(body), [null, "changed"]),
  calendly: (body) =>
    sent("calendly-webhook-signature", `t=${SECOND},v1=${hex(timed(body))}`, [
      null,
      "invitee.created",
    ]),
  clerk: (body) => ({ ...svix(body), event: [null, "user.created"] }),
  coinbase: (body) => {
    const headers = { "content-type": "application/json", "x-event-id": ID, "x-event-type": "t" };
    const names = Object.keys(headers).join(" ");
    const text = `${SECOND}.${names}.${Object.values(headers).join(".")}.${body}`;
    const signature = `t=${SECOND},v0=${hex(`${SECOND}.${body}`)},h=${names},v1=${hex(text)}`;
    return { headers: { ...headers, "x-hook0-signature": signature }, event: [ID, "t"] };
  },
  docusign: (body) => ({
    // One header for each key of the account.
    headers: {
      "x-docusign-signature-1": base64(body, "sha256", "another key"),
      "x-docusign-signature-2": base64(body),
    },
    event: [null, "envelope-completed"],
  }),
  dropbox: (body) => ({ headers: { "x-dropbox-signature": hex(body) } }),
  hubspot: (body) => ({
    // HubSpot decodes some escapes of the URL before it signs.
    url: `${URL_OF_ENDPOINT}?back=https%3A%2F%2Fa.example%2F%3Fq%40x&note=a%20b%26c`,
    headers: {
      "x-hubspot-signature-v3": base64(
        `POST${URL_OF_ENDPOINT}?back=https://a.example/?q@x&note=a%20b%26c[${body}]${RECEIVED_AT}`,
      ),
      "x-hubspot-request-timestamp": String(RECEIVED_AT),
    },
    body: `[${body}]`,
    event: [null, "contact.creation"],
  }),
  intercom: (body) =>
    sent("x-hub-signature", `sha1=${hex(body, "sha1")}`, [
      `notif_${ID}`,
      "conversation.user.created",
    ]),
  linear: (body) => ({
    headers: { "linear-signature": hex(body), "linear-delivery": ID, "linear-event": "Issue" },
    event: [ID, "Issue"],
  }),
  mailgun: (body) => {
    const token = "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0";
    const signature = { timestamp: SECOND, token, signature: hex(`${SECOND}${token}`) };
    return {
      headers: {},
      body: body.replace('"signature":{}', `"signature":${JSON.stringify(signature)}`),
      tampered: (sent) => sent.replace(token, `${token}0`),
      event: [ID, "delivered"],
    };
  },
  mcp: (body) => ({ ...svix(body, "webhook"), event: [null, "orders.created"] }),
  meta: (body) => sent("x-hub-signature-256", `sha256=${hex(body)}`, [`wamid.${ID}`, "messages"]),
  notion: (body) => sent("x-notion-signature", `sha256=${hex(body)}`, [ID, "page.created"]),
  pagerduty: (body) =>
    sent("x-pagerduty-signature", `v1=${hex("old")},v1=${hex(body)}`, [ID, "incident.triggered"]),
  recurly: (body) => {
    // The time in milliseconds, then a signature for each valid key.
    const signature = hex(`${RECEIVED_AT}.${body}`);
    return sent("recurly-signature", `${RECEIVED_AT},${hex("old")},${signature}`, [
      null,
      "created",
    ]);
  },
  resend: (body) => ({ ...svix(body), event: [null, "email.delivered"] }),
  sentry: (body) => ({
    headers: {
      "sentry-hook-signature": hex(body),
      "sentry-hook-resource": "issue",
      "request-id": ID,
    },
    event: [ID, "issue"],
  }),
  svix: (body) => ({ ...svix(body), event: [null, "invoice.paid"] }),
  trello: (body) =>
    sent("x-trello-webhook", base64(body + URL_OF_ENDPOINT, "sha1"), [ID, "createCard"]),
  twitch: (body) => ({
    headers: {
      "twitch-eventsub-message-id": ID,
      "twitch-eventsub-message-timestamp": "2026-11-18T11:06:40.123456789Z",
      "twitch-eventsub-message-signature": `sha256=${hex(`${ID}2026-11-18T11:06:40.123456789Z${body}`)}`,
      "twitch-eventsub-subscription-type": "stream.online",
    },
    event: [ID, "stream.online"],
  }),
  typeform: (body) => sent("typeform-signature", `sha256=${base64(body)}`, [ID, "form_response"]),
  vercel: (body) => sent("x-vercel-signature", hex(body, "sha1"), [ID, "deployment.succeeded"]),
  woocommerce: (body) => ({
    headers: {
      "x-wc-webhook-signature": base64(body),
      "x-wc-webhook-delivery-id": ID,
      "x-wc-webhook-topic": "order.created",
    },
    event: [ID, "order.created"],
  }),
  zendesk: (body) => ({
    headers: {
      "x-zendesk-webhook-signature": base64(`2026-11-18T11:06:40Z${body}`),
      "x-zendesk-webhook-signature-timestamp": "2026-11-18T11:06:40Z",
      "x-zendesk-webhook-invocation-id": ID,
    },
    event: [ID, "zen:event-type:ticket.created"],
  }),
  zoom: (body) => ({
    headers: {
      "x-zm-signature": `v0=${hex(`v0:${SECOND}:${body}`)}`,
      "x-zm-request-timestamp": SECOND,
    },
    event: [null, "meeting.started"],
  }),
  discord: (body) => ({
    publicKey: raw(ED25519).toString("hex"),
    otherKey: raw(otherEd25519).toString("hex"),
    headers: {
      "x-signature-ed25519": byEd25519(SECOND + body).toString("hex"),
      "x-signature-timestamp": SECOND,
    },
    event: [null, "APPLICATION_AUTHORIZED"],
  }),
  "standard-webhooks-v1a": (body) => ({
    publicKey: `whpk_${raw(ED25519).toString("base64")}`,
    otherKey: `whpk_${raw(otherEd25519).toString("base64")}`,
    headers: {
      "webhook-id": ID,
      "webhook-timestamp": SECOND,
      "webhook-signature": `v1a,${byEd25519(`${ID}.${SECOND}.${body}`).toString("base64")}`,
    },
    event: [ID, "user.created"],
  }),
  paypal: (body) => ({
    audience: "WH-ID-1",
    fetched: pemOfPair(RSA),
    otherKey: otherRsa,
    headers: {
      "paypal-transmission-id": ID,
      "paypal-transmission-time": "2026-11-18T11:06:40Z",
      "paypal-cert-url": "https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594",
      "paypal-auth-algo": "SHA256withRSA",
      "paypal-transmission-sig": byRsa(
        "sha256",
        `${ID}|2026-11-18T11:06:40Z|WH-ID-1|${crc32(body)}`,
      ),
    },
    event: [`WH-${ID}`, "PAYMENT.CAPTURE.COMPLETED"],
  }),
  "aws-sns": () => {
    const message = {
      Type: "Notification",
      MessageId: ID,
      TopicArn: TOPIC,
      Subject: "ALARM",
      Message: '{"AlarmName":"high-cpu"}',
      Timestamp: "2026-11-18T11:06:40.000Z",
    };
    const names = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const;
    const text = names.map((name) => `${name}\n${message[name]}\n`).join("");
    const certificate = "SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";
    return {
      audience: TOPIC,
      fetched: pemOfPair(RSA),
      otherKey: otherRsa,
      headers: { "content-type": "text/plain; charset=UTF-8" },
      body: JSON.stringify({
        ...message,
        SignatureVersion: "1",
        Signature: byRsa("sha1", text),
        SigningCertURL: `https://sns.us-east-1.amazonaws.com/${certificate}`,
      }),
      tampered: (body) => body.replace("high-cpu", "low-cpu"),
      event: [ID, "Notification"],
    };
  },
  "travis-ci": () => {
    const payload = '{"id":1,"state":"passed","repository":{"name":"shop","owner_name":"acme"}}';
    return {
      audience: "acme",
      fetched: pemOfPair(RSA),
      otherKey: otherRsa,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        signature: byRsa("sha1", payload),
      },
      body: new URLSearchParams({ payload }).toString(),
      tampered: (sent) => sent.replace("passed", "failed"),
      event: [null, "passed"],
    };
  },
  cloudevents: () => ({
    headers: {
      authorization: `Bearer ${SECRET}`,
      "ce-id": ID,
      "ce-source": "/shop",
      "ce-type": "order.paid",
    },
    event: [ID, "order.paid"],
  }),
  "event-grid": (body) => ({
    url: `${URL_OF_ENDPOINT}?token=${SECRET}`,
    headers: { "aeg-event-type": "Notification" },
    body: `[${body}]`,
    event: [ID, "Microsoft.Storage.BlobCreated"],
  }),
  figma: (body) => ({
    headers: {},
    body: body.replace("{", `{"passcode":"${SECRET}",`),
    event: [null, "FILE_UPDATE"],
  }),
  gitlab: () => ({
    headers: { "x-gitlab-token": SECRET, "idempotency-key": ID, "x-gitlab-event": "Push Hook" },
    event: [ID, "Push Hook"],
  }),
  "microsoft-graph": (body) => ({
    headers: {},
    body: body.replace('"subscriptionId"', `"clientState":"${SECRET}","subscriptionId"`),
    event: [null, "created"],
  }),
  okta: () => ({ headers: { authorization: SECRET }, event: [ID, "user.lifecycle.create"] }),
  postmark: () => ({
    secret: `user:${SECRET}`,
    headers: { authorization: `Basic ${btoa(`user:${SECRET}`)}` },
    event: [null, "Delivery"],
  }),
  telegram: () => ({
    headers: { "x-telegram-bot-api-secret-token": SECRET },
    event: ["10000", null],
  }),
  monday: async () => ({
    headers: {
      authorization: await new SignJWT({ accountId: 1, userId: 2 })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(RECEIVED_AT / 1_000)
        .setExpirationTime(RECEIVED_AT / 1_000 + 300)
        .sign(new TextEncoder().encode(SECRET)),
    },
    tampered: null,
    event: [ID, "create_pulse"],
  }),
  "app-store": async () => {
    const claims = {
      notificationType: "DID_RENEW",
      notificationUUID: ID,
      signedDate: RECEIVED_AT,
      data: { bundleId: "com.example.app", environment: "Production" },
    };
    const body = JSON.stringify({ signedPayload: await signedByChain(claims) });
    return {
      audience: "com.example.app",
      publicKey: pemOf(CHAIN.root),
      otherKey: pemOf(CHAIN.intermediate),
      headers: {},
      body,
      tampered: (sent) => sent.replace(/(signedPayload":"[^.]+\.)./, "$1f"),
      event: [ID, "DID_RENEW"],
    };
  },
};

/**
 * Returns the sample of a sender, with more fields, as its documentation has it sent; null for other
 * senders.
 */
export async function documented(name: SenderName, fields: object = {}): Promise<Sent | null> {
  const body = sampleOf(name, fields);
  const made = await DOCUMENTED[name]?.(body);
  return made === undefined ? null : { body, secret: SECRET, ...made };
}
