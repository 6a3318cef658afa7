import "@shopify/shopify-api/adapters/node";
import { createHmac } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { createSHA256HMAC, HashFormat } from "@shopify/shopify-api/runtime";
import { verifySlackRequest } from "@slack/bolt";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { expect, it } from "vitest";
import type { PresetName } from "../../../src/contract/webhooks/signature.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import { verifySignature } from "../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../support/signed-request.ts";

const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1?shop=7";
const SECOND = RECEIVED_AT / 1_000;
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
const whsec = `whsec_${btoa("a secret of thirty-two bytes ....")}`;
const stripe = new Stripe("sk_test_of_nobody");

type Headers = Record<string, string>;

/** A service that sends webhooks, by its own code. */
interface Official {
  name: string;
  preset: PresetName;
  secret: string;
  /** Whether it signs a time. */
  isTimed: boolean;
  body: string;
  /** The headers of this body, sent to the endpoint at the time of arrival. */
  sign(body: string, secret: string): Headers | Promise<Headers>;
}

const ofStandard = (Webhook: typeof StandardWebhook | typeof SvixWebhook, prefix: string) => ({
  preset: "standard-webhooks" as const,
  secret: whsec,
  isTimed: true,
  body: '{"type":"user.created"}',
  sign: (body: string, secret: string) => ({
    [`${prefix}-id`]: "e1",
    [`${prefix}-timestamp`]: String(SECOND),
    [`${prefix}-signature`]: new Webhook(secret).sign("e1", new Date(RECEIVED_AT), body),
  }),
});

const OFFICIAL: Official[] = [
  {
    name: "GitHub (Octokit)",
    preset: "github",
    secret: "github-secret-of-tests",
    isTimed: false,
    body: '{"action":"opened"}',
    sign: async (body, secret) => ({ "x-hub-signature-256": await signGithub(secret, body) }),
  },
  {
    name: "Stripe",
    preset: "stripe",
    secret: "whsec_stripe_secret_of_tests",
    isTimed: true,
    body: '{"id":"evt_1","object":"event","type":"charge.a"}',
    sign: (payload, secret) => {
      const draft = { payload, secret, timestamp: SECOND };
      return { "stripe-signature": stripe.webhooks.generateTestHeaderString(draft) };
    },
  },
  {
    name: "Twilio",
    preset: "twilio",
    secret: "twilio-auth-token-of-tests",
    isTimed: false,
    // Repeated fields are signed once each, in order.
    body: "To=x&MediaUrl=b&MediaUrl=a&MediaUrl=a",
    sign: (body, secret) => {
      const fields = Map.groupBy(new URLSearchParams(body), ([name]) => name);
      const params = [...fields].map(([name, all]) => [name, all.map(([, value]) => value)]);
      const of = Object.fromEntries(params);
      const signature = twilio.getExpectedTwilioSignature(secret, URL_OF_ENDPOINT, of);
      return { ...form, "x-twilio-signature": signature };
    },
  },
  { name: "Standard Webhooks", ...ofStandard(StandardWebhook, "webhook") },
  { name: "Svix", ...ofStandard(SvixWebhook, "svix") },
  {
    // Slack publishes no code that signs; what is sent here is what its own verifier accepts.
    name: "Slack",
    preset: "slack",
    secret: "slack-signing-secret-of-tests",
    isTimed: true,
    body: '{"type":"event_callback"}',
    sign: (body, signingSecret) => {
      const hex = createHmac("sha256", signingSecret).update(`v0:${SECOND}:${body}`).digest("hex");
      const headers = { "x-slack-signature": `v0=${hex}`, "x-slack-request-timestamp": SECOND };
      verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: RECEIVED_AT });
      return { ...headers, "x-slack-request-timestamp": String(SECOND) };
    },
  },
  {
    name: "Shopify",
    preset: "shopify",
    secret: "shopify-secret-of-tests",
    isTimed: false,
    body: '{"order_number":1007}',
    sign: async (body, secret) => ({
      "x-shopify-hmac-sha256": await createSHA256HMAC(secret, body, HashFormat.Base64),
    }),
  },
];

const MISMATCH = { ok: false, rule: "signature_mismatch" };

it.each(OFFICIAL)(
  "accepts signatures of the official code of $name, and no others",
  async (sender) => {
    const { preset, secret, body, isTimed } = sender;
    const headers = { ...json, ...(await sender.sign(body, secret)) };
    const signedAt = isTimed ? RECEIVED_AT : null;
    const accepted = { ok: true, usedPrevious: false, signedAt };
    expect(await verified(preset, secret, { headers, body })).toEqual(accepted);
    expect(await verified(preset, secret, { headers, body: `${body}a` })).toMatchObject(MISMATCH);
    const other = secret.replace("e", "f");
    expect(await verified(preset, other, { headers, body })).toMatchObject(MISMATCH);
    if (!isTimed) return;
    const later = { headers: oneSecondLater(headers), body };
    expect(await verified(preset, secret, later)).toMatchObject(MISMATCH);
  },
);

it("accepts what the Standard Webhooks library signs with a secret of bare base64", async () => {
  const secret = btoa("thirty-two bytes of a secret ...");
  const { body, sign } = ofStandard(StandardWebhook, "webhook");
  const headers = sign(body, secret);
  expect(await verified("standard-webhooks", secret, { headers, body })).toMatchObject({
    ok: true,
  });
  const other = btoa("thirty-two bytes of no secret ..");
  expect(await verified("standard-webhooks", other, { headers, body })).toMatchObject(MISMATCH);
});

it("accepts Twilio's JSON, whose hash is in the signed URL", async () => {
  const body = '{"a":1}';
  const url = `${URL_OF_ENDPOINT}&bodySHA256=${twilio.getExpectedBodyHash(body)}`;
  const signature = twilio.getExpectedTwilioSignature("auth-token", url, {});
  const sent = { url, headers: { ...json, "x-twilio-signature": signature } };
  expect(await verified("twilio", "auth-token", { ...sent, body })).toMatchObject({ ok: true });
  const changed = await verified("twilio", "auth-token", { ...sent, body: '{"a":2}' });
  expect(changed).toMatchObject({ ok: false, rule: "body_unsigned" });
});

async function verified(
  preset: PresetName,
  current: string,
  sent: Parameters<typeof inboundRequest>[0],
) {
  const request = inboundRequest({ url: URL_OF_ENDPOINT, ...sent });
  const secret = { current, previous: null };
  return await verifySignature(presetOf(preset).scheme, secret, request, RECEIVED_AT);
}

/** The same headers with the timestamp raised by one second, wherever it is. */
function oneSecondLater(headers: Headers): Headers {
  const later = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(String(SECOND), String(SECOND + 1)),
  ]);
  return Object.fromEntries(later);
}
