import "@shopify/shopify-api/adapters/node";
import { createHmac } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { createSHA256HMAC, HashFormat } from "@shopify/shopify-api/runtime";
import { verifySlackRequest } from "@slack/bolt";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import type { PresetName } from "../../src/contract/webhooks/signature.ts";

/** What a sender signs: the body it is about to send to `url`, at `time` (epoch milliseconds). */
interface Draft {
  url: string;
  secret: string;
  body: string;
  time: number;
  eventId: string;
}

/** A service that sends webhooks, by its own signing code. */
export interface Sender {
  name: string;
  preset: PresetName;
  secret: string;
  /** A body as it sends them; all have an `a` that may be turned into a `b`. */
  body(eventId: string): string;
  headers(draft: Draft): Promise<Record<string, string>>;
  /** Whether it signs a time, so that an old request can be told. */
  timed: boolean;
}

const json = { "content-type": "application/json" };
const whsec = `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`;
const stripe = new Stripe("sk_test_of_nobody");

export const SENDERS: Sender[] = [
  {
    name: "GitHub (Octokit)",
    preset: "github",
    secret: "github-secret-of-tests",
    timed: false,
    body: () => JSON.stringify({ action: "opened", letter: "a" }),
    headers: async ({ secret, body, eventId }) => ({
      ...json,
      "x-github-event": "issues",
      "x-github-delivery": eventId,
      "x-hub-signature-256": await signGithub(secret, body),
    }),
  },
  {
    name: "Stripe",
    preset: "stripe",
    secret: "whsec_stripe_secret_of_tests",
    timed: true,
    body: (eventId) =>
      JSON.stringify({ id: `evt_${eventId}`, object: "event", type: "charge.a", letter: "a" }),
    headers: async ({ secret, body, time }) => ({
      ...json,
      "stripe-signature": stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret,
        timestamp: Math.floor(time / 1_000),
      }),
    }),
  },
  {
    name: "Twilio",
    preset: "twilio",
    secret: "twilio-auth-token-of-tests",
    timed: false,
    body: () => new URLSearchParams({ From: "+15550100", Body: "a letter", To: "x" }).toString(),
    headers: async ({ secret, url, body, eventId }) => ({
      "content-type": "application/x-www-form-urlencoded",
      "i-twilio-idempotency-token": eventId,
      "x-twilio-signature": twilio.getExpectedTwilioSignature(
        secret,
        url,
        Object.fromEntries(new URLSearchParams(body)),
      ),
    }),
  },
  {
    name: "Standard Webhooks",
    preset: "standard-webhooks",
    secret: whsec,
    timed: true,
    body: () => JSON.stringify({ type: "user.created", letter: "a" }),
    headers: async ({ secret, body, time, eventId }) => ({
      ...json,
      "webhook-id": eventId,
      "webhook-timestamp": String(Math.floor(time / 1_000)),
      "webhook-signature": new StandardWebhook(secret).sign(eventId, new Date(time), body),
    }),
  },
  {
    name: "Svix",
    preset: "standard-webhooks",
    secret: whsec,
    timed: true,
    body: () => JSON.stringify({ type: "invoice.paid", letter: "a" }),
    headers: async ({ secret, body, time, eventId }) => ({
      ...json,
      "svix-id": eventId,
      "svix-timestamp": String(Math.floor(time / 1_000)),
      "svix-signature": new SvixWebhook(secret).sign(eventId, new Date(time), body),
    }),
  },
  {
    // Slack publishes no code that signs; what is sent here is what its own verifier accepts.
    name: "Slack",
    preset: "slack",
    secret: "slack-signing-secret-of-tests",
    timed: true,
    body: (eventId) =>
      JSON.stringify({ type: "event_callback", event_id: `Ev${eventId}`, letter: "a" }),
    headers: async ({ secret, body, time }) => {
      const timestamp = Math.floor(time / 1_000);
      const hex = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
      const signed = {
        "x-slack-signature": `v0=${hex}`,
        "x-slack-request-timestamp": timestamp,
      };
      verifySlackRequest({ signingSecret: secret, body, headers: signed, nowMilliseconds: time });
      return { ...json, ...signed, "x-slack-request-timestamp": String(timestamp) };
    },
  },
  {
    name: "Shopify",
    preset: "shopify",
    secret: "shopify-secret-of-tests",
    timed: false,
    body: () => JSON.stringify({ order_number: 1007, letter: "a" }),
    headers: async ({ secret, body, eventId }) => ({
      ...json,
      "x-shopify-topic": "orders/create",
      "x-shopify-webhook-id": eventId,
      "x-shopify-event-id": eventId,
      "x-shopify-hmac-sha256": await createSHA256HMAC(secret, body, HashFormat.Base64),
    }),
  },
];
