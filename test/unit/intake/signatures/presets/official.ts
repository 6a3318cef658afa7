import "@shopify/shopify-api/adapters/node";
import { createHmac } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { createSHA256HMAC, HashFormat } from "@shopify/shopify-api/runtime";
import { verifySlackRequest } from "@slack/bolt";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import type { Published } from "./sent.ts";

const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1?shop=7";
const SECOND = RECEIVED_AT / 1_000;
const form = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
const encoded = btoa("a secret of thirty-two bytes ....");

function standard(
  source: string,
  Webhook: typeof StandardWebhook | typeof SvixWebhook,
  { prefix = "webhook", secret = `whsec_${encoded}` } = {},
): Published {
  const body = '{"type":"user.created"}';
  const headers = {
    [`${prefix}-id`]: "e1",
    [`${prefix}-timestamp`]: String(SECOND),
    [`${prefix}-signature`]: new Webhook(secret).sign("e1", new Date(RECEIVED_AT), body),
  };
  return {
    preset: "standard-webhooks",
    source,
    secret,
    headers,
    body,
    event: ["e1", "user.created"],
  };
}

async function github(): Promise<Published> {
  const secret = "github-secret-of-tests";
  const body = `{"action":"opened","timestamp":${SECOND}}`;
  const headers = { "x-hub-signature-256": await signGithub(secret, body) };
  return { preset: "github", source: "@octokit/webhooks-methods", secret, headers, body };
}

function stripe(): Published {
  const secret = "whsec_stripe_secret_of_tests";
  const body = '{"id":"evt_1","object":"event","type":"charge.a"}';
  const { webhooks } = new Stripe("sk_test_of_nobody");
  const draft = { payload: body, secret, timestamp: SECOND };
  const headers = { "stripe-signature": webhooks.generateTestHeaderString(draft) };
  const event: Published["event"] = ["evt_1", "charge.a"];
  return { preset: "stripe", source: "stripe", secret, headers, body, event };
}

function twilioForm(): Published {
  const secret = "twilio-auth-token-of-tests";
  // Repeated fields are signed once each, in order.
  const body = "To=x&MediaUrl=b&MediaUrl=a&MediaUrl=a";
  const params = { To: ["x"], MediaUrl: ["b", "a", "a"] };
  const signature = twilio.getExpectedTwilioSignature(secret, URL_OF_ENDPOINT, params);
  const headers = { ...form, "x-twilio-signature": signature };
  return { preset: "twilio", source: "twilio", secret, url: URL_OF_ENDPOINT, headers, body };
}

function twilioJson(): Published {
  const secret = "twilio-auth-token-of-tests";
  const body = '{"a":1}';
  const url = `${URL_OF_ENDPOINT}&bodySHA256=${twilio.getExpectedBodyHash(body)}`;
  const signature = twilio.getExpectedTwilioSignature(secret, url, {});
  const headers = { "x-twilio-signature": signature };
  return { preset: "twilio", source: "twilio, of JSON", secret, url, headers, body };
}

/** Slack publishes no code that signs; what is sent here is what its own verifier accepts. */
function slack(): Published {
  const signingSecret = "slack-signing-secret-of-tests";
  const body = '{"type":"event_callback"}';
  const hex = createHmac("sha256", signingSecret).update(`v0:${SECOND}:${body}`).digest("hex");
  const headers = { "x-slack-signature": `v0=${hex}`, "x-slack-request-timestamp": SECOND };
  verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: RECEIVED_AT });
  return {
    preset: "slack",
    source: "@slack/bolt",
    secret: signingSecret,
    headers: { ...headers, "x-slack-request-timestamp": String(SECOND) },
    body,
    event: [null, "event_callback"],
  };
}

async function shopify(): Promise<Published> {
  const secret = "shopify-secret-of-tests";
  const body = `{"order_number":1007,"timestamp":${SECOND}}`;
  const signature = await createSHA256HMAC(secret, body, HashFormat.Base64);
  const headers = { "x-shopify-hmac-sha256": signature };
  return { preset: "shopify", source: "@shopify/shopify-api", secret, headers, body };
}

/** Requests that the senders' own code has signed, with its package. */
export const OFFICIAL: Published[] = [
  await github(),
  stripe(),
  twilioForm(),
  twilioJson(),
  slack(),
  await shopify(),
  standard("standardwebhooks", StandardWebhook),
  standard("standardwebhooks, with a secret of bare base64", StandardWebhook, { secret: encoded }),
  standard("svix", SvixWebhook, { prefix: "svix" }),
];
