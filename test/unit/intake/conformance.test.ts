import "@shopify/shopify-api/adapters/node";
import { verify as verifyGithub } from "@octokit/webhooks-methods";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { verifySlackRequest } from "@slack/bolt";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { describe, expect, it } from "vitest";
import type { PresetName } from "../../../src/contract/webhooks/signature.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import { signedUrl, signHeaders, verifySignature } from "../../../src/intake/signatures/verify.ts";
import type { InboundRequest, OpenSecret } from "../../../src/intake/types.ts";
import { SENDERS, type Sender } from "../../support/senders.ts";
import { inboundRequest, RECEIVED_AT } from "../../support/signed-request.ts";

const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1?shop=7";
const open = (current: string): OpenSecret => ({ current, previous: null });

describe.each(SENDERS)("what the official code of $name signs", (sender) => {
  it("is accepted", async () => {
    const { verdict } = await send(sender, {});
    expect(verdict).toMatchObject({ ok: true, usedPrevious: false });
    expect(verdict.ok && verdict.signedAt).toBe(sender.timed ? RECEIVED_AT : null);
  });

  it("is refused with another byte in the body", async () => {
    const { verdict } = await send(sender, { body: (body) => body.replace("a", "b") });
    expect(verdict).toMatchObject({ ok: false, rule: "signature_mismatch" });
  });

  it("is refused with another secret", async () => {
    const { verdict } = await send(sender, { secret: sender.secret.replace("e", "f") });
    expect(verdict).toMatchObject({ ok: false, rule: "signature_mismatch" });
  });
});

it.each(SENDERS.filter(({ timed }) => timed))(
  "refuses what $name signs with another time",
  async (sender) => {
    const { verdict } = await send(sender, { headers: oneSecondLater });
    expect(verdict).toMatchObject({ ok: false, rule: "signature_mismatch" });
  },
);

it("accepts what the Standard Webhooks library signs with a secret of bare base64", async () => {
  const secret = btoa("thirty-two bytes of a secret ...");
  const body = '{"type":"user.created"}';
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(RECEIVED_AT / 1_000),
    "webhook-signature": new StandardWebhook(secret).sign("msg_1", new Date(RECEIVED_AT), body),
  };
  const request = inboundRequest({ url: URL_OF_ENDPOINT, headers, body });
  expect(await verify("standard-webhooks", secret, request)).toMatchObject({ ok: true });
  const other = btoa("thirty-two bytes of no secret ..");
  expect(await verify("standard-webhooks", other, request)).toMatchObject({ ok: false });
});

it("accepts Twilio's JSON, whose hash is in the signed address", async () => {
  const body = '{"a":1}';
  const url = `${URL_OF_ENDPOINT}&bodySHA256=${twilio.getExpectedBodyHash(body)}`;
  const headers = {
    "content-type": "application/json",
    "x-twilio-signature": twilio.getExpectedTwilioSignature("auth-token", url, {}),
  };
  const verdictOf = (changed: string) =>
    verify("twilio", "auth-token", inboundRequest({ url, headers, body: changed }));
  expect(await verdictOf(body)).toMatchObject({ ok: true });
  expect(await verdictOf('{"a":2}')).toMatchObject({ ok: false, rule: "body_unsigned" });
});

it("accepts repeated fields of Twilio as its library signs them", async () => {
  const params = { MediaUrl: ["https://b.example", "https://a.example", "https://a.example"] };
  const body = params.MediaUrl.map((url) => `MediaUrl=${encodeURIComponent(url)}`).join("&");
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": twilio.getExpectedTwilioSignature("auth-token", URL_OF_ENDPOINT, params),
  };
  const request = inboundRequest({ url: URL_OF_ENDPOINT, headers, body });
  expect(await verify("twilio", "auth-token", request)).toMatchObject({ ok: true });
});

describe("what is signed here is accepted by the official code of", () => {
  const body = JSON.stringify({ id: "evt_1", text: "Grüße, 世界 / <b>" });
  const now = Date.now();

  async function signed(preset: PresetName, secret: string) {
    const message = {
      url: new URL(URL_OF_ENDPOINT),
      body: new TextEncoder().encode(body),
      contentType: "application/json",
      now,
      id: "msg_1",
    };
    const { scheme } = presetOf(preset);
    const url = await signedUrl(scheme, message);
    return { url: url.href, headers: await signHeaders(scheme, secret, { ...message, url }) };
  }

  it("GitHub", async () => {
    const { headers } = await signed("github", "a secret");
    const signature = headers["x-hub-signature-256"] ?? "";
    expect(await verifyGithub("a secret", body, signature)).toBe(true);
    expect(await verifyGithub("b secret", body, signature)).toBe(false);
  });

  it("Stripe", async () => {
    const { headers } = await signed("stripe", "whsec_a");
    const { webhooks } = new Stripe("sk_test_of_nobody");
    const signature = headers["stripe-signature"] ?? "";
    expect(webhooks.constructEvent(body, signature, "whsec_a")).toMatchObject({ id: "evt_1" });
    expect(() => webhooks.constructEvent(body, signature, "whsec_b")).toThrow();
  });

  it("Twilio", async () => {
    const { url, headers } = await signed("twilio", "token");
    const signature = headers["x-twilio-signature"] ?? "";
    expect(twilio.validateRequestWithBody("token", signature, url, body)).toBe(true);
    expect(twilio.validateRequestWithBody("token", signature, url, `${body} `)).toBe(false);
  });

  it.each([
    ["Standard Webhooks", StandardWebhook],
    ["Svix", SvixWebhook],
  ])("%s", async (_, Webhook) => {
    const secret = `whsec_${btoa("thirty-two bytes of a secret ...")}`;
    const { headers } = await signed("standard-webhooks", secret);
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });

  it("Slack", async () => {
    const { headers } = await signed("slack", "signing secret");
    const options = {
      signingSecret: "signing secret",
      body,
      headers: {
        "x-slack-signature": headers["x-slack-signature"] ?? "",
        "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
      },
    };
    expect(() => verifySlackRequest(options)).not.toThrow();
    expect(() => verifySlackRequest({ ...options, body: `${body} ` })).toThrow();
  });

  it("Shopify", async () => {
    const { headers } = await signed("shopify", "app secret");
    const shopify = shopifyApi({
      apiKey: "key",
      apiSecretKey: "app secret",
      apiVersion: ApiVersion.July25,
      hostName: "hooks.example",
      isEmbeddedApp: false,
      logger: { log: () => undefined },
    });
    // As Node's server hands a request over.
    const rawRequest = {
      method: "POST",
      url: "/hooks/ep_1",
      headers: {
        ...headers,
        "x-shopify-topic": "orders/create",
        "x-shopify-shop-domain": "shop.myshopify.com",
        "x-shopify-api-version": "2025-07",
        "x-shopify-webhook-id": "1",
      },
    };
    const validate = (rawBody: string) => shopify.webhooks.validate({ rawBody, rawRequest });
    expect(await validate(body)).toMatchObject({ valid: true });
    expect(await validate(`${body} `)).toMatchObject({ valid: false });
  });
});

/** Signs as the sender does, and looks at what was made of it on the way. */
async function send(
  sender: Sender,
  changes: {
    body?: (body: string) => string;
    secret?: string;
    headers?: (headers: Record<string, string>) => Record<string, string>;
  },
) {
  const draft = {
    url: URL_OF_ENDPOINT,
    secret: sender.secret,
    body: sender.body("e1"),
    time: RECEIVED_AT,
    eventId: "e1",
  };
  const headers = await sender.headers(draft);
  const request = inboundRequest({
    url: draft.url,
    headers: changes.headers?.(headers) ?? headers,
    body: changes.body?.(draft.body) ?? draft.body,
  });
  return { verdict: await verify(sender.preset, changes.secret ?? sender.secret, request) };
}

const verify = (preset: PresetName, secret: string, request: InboundRequest) =>
  verifySignature(presetOf(preset).scheme, open(secret), request, RECEIVED_AT);

/** The same headers with the timestamp raised by one second, wherever it is. */
function oneSecondLater(headers: Record<string, string>): Record<string, string> {
  const second = RECEIVED_AT / 1_000;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(String(second), String(second + 1)),
    ]),
  );
}
