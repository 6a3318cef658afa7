import { describe, expect, it } from "vitest";
import type { SenderName } from "../../../src/contract/webhooks/signature.ts";
import { admit } from "../../../src/intake/admit.ts";
import { authenticatedHandshake } from "../../../src/intake/handshake.ts";
import type { SenderPort } from "../../../src/intake/types.ts";
import { configWith } from "../../support/endpoint.ts";
import { NOBODY } from "../../support/hook-request.ts";
import { authOfPreset } from "../../support/preset-auth.ts";
import { inboundRequest, RECEIVED_AT } from "../../support/signed-request.ts";

const SECRET = "a-secret-of-the-sender-4711";
const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1";

/** Returns the answer to a request, or the code of the refusal. */
async function answerTo(
  name: SenderName | null,
  request: Parameters<typeof inboundRequest>[0],
  { sender = NOBODY, awaits = false }: { sender?: SenderPort; awaits?: boolean } = {},
) {
  const opened = { current: SECRET, previous: null };
  const auth = authOfPreset(name);
  if (auth.hmac && awaits) auth.hmac.awaitsSecret = true;
  const endpoint = {
    config: configWith({ auth }),
    token: auth.token && opened,
    hmac: auth.hmac && opened,
    headerValues: [],
  };
  const { verdict } = await admit(endpoint, inboundRequest(request), RECEIVED_AT, {
    minTlsVersion: "1.3",
    sender,
  });
  if (verdict.kind === "handshake") return { ...verdict.answer, isVerified: verdict.isVerified };
  return verdict.kind === "refuse" ? verdict.refusal.code : verdict.kind;
}

const json = { "content-type": "application/json" };

describe("a sender that checks the address before it signs gets its answer:", () => {
  it.each([
    [
      "dropbox",
      { method: "GET", url: `${URL_OF_ENDPOINT}?challenge=abc123` },
      { status: 200, body: "abc123", contentType: "text/plain; charset=utf-8" },
    ],
    [
      "microsoft-graph",
      { url: `${URL_OF_ENDPOINT}?validationToken=Validation%3A+Testing+client+application` },
      { status: 200, body: "Validation: Testing client application" },
    ],
    [
      "monday",
      { headers: json, body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV"}' },
      {
        status: 200,
        body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV"}',
        contentType: "application/json",
      },
    ],
    [
      "notion",
      {
        headers: json,
        body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}',
      },
      { status: 200 },
    ],
    [
      "woocommerce",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "webhook_id=7" },
      { status: 200 },
    ],
    ["trello", { method: "HEAD" }, { status: 200, body: "" }],
    ["intercom", { method: "HEAD" }, { status: 200, body: "" }],
    [
      "cloudevents",
      { method: "OPTIONS", headers: { "webhook-request-origin": "eventemitter.example.com" } },
      {
        status: 200,
        headers: {
          Allow: "POST",
          "WebHook-Allowed-Origin": "eventemitter.example.com",
          "WebHook-Allowed-Rate": "6000",
        },
      },
    ],
  ] as const)("%s", async (name, request, answer) => {
    expect(await answerTo(name, request)).toMatchObject({ ...answer, isVerified: false });
    // Another sender's check is refused.
    expect(await answerTo("github", request)).toMatch(/method_not_allowed|unauthorized/);
  });

  it("meta, with the token beside the signature of its events", async () => {
    const query = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.challenge": "1158201444",
      "hub.verify_token": SECRET,
    });
    const check = (changes: Record<string, string>) => {
      const asked = new URLSearchParams([...query, ...Object.entries(changes)]);
      for (const [name, value] of Object.entries(changes)) asked.set(name, value);
      return answerTo("meta", { method: "GET", url: `${URL_OF_ENDPOINT}?${asked}` });
    };
    expect(await check({})).toMatchObject({ status: 200, body: "1158201444" });
    expect(await check({ "hub.verify_token": "other" })).toBe("unauthorized");
    expect(await answerTo("meta", { method: "GET" })).toBe("method_not_allowed");
  });

  it("asana, which chooses the secret, once", async () => {
    const request = { headers: { "x-hook-secret": "b537207f20cbfa02357cf448134da559" } };
    expect(await answerTo("asana", request, { awaits: true })).toMatchObject({
      status: 200,
      headers: { "X-Hook-Secret": "b537207f20cbfa02357cf448134da559" },
      adopt: "b537207f20cbfa02357cf448134da559",
    });
    expect(await answerTo("asana", request)).toBe("unauthorized");
    const short = { headers: { "x-hook-secret": "b5" } };
    expect(await answerTo("asana", short, { awaits: true })).toBe("unauthorized");
  });

  it("any sender of CloudEvents, where no preset names another", async () => {
    const headers = { "webhook-request-origin": "eventgrid.azure.net" };
    expect(await answerTo(null, { method: "OPTIONS", headers })).toMatchObject({ status: 200 });
    expect(await answerTo(null, { method: "OPTIONS" })).toBe("method_not_allowed");
    expect(await answerTo(null, { method: "HEAD" })).toBe("method_not_allowed");
  });
});

describe("an event is not taken for a check of the address:", () => {
  it.each([
    ["monday", { headers: json, body: '{"challenge":"a","event":{}}' }],
    ["monday", { headers: json, body: '{"challenge":"a\\u0000"}' }],
    ["notion", { headers: json, body: '{"verification_token":"a","type":"page.created"}' }],
    ["microsoft-graph", { headers: json, body: '{"value":[]}' }],
    ["dropbox", { headers: json, body: "{}" }],
  ] as const)("%s %j", async (name, request) => {
    expect(await answerTo(name, request)).toBe("unauthorized");
  });
});

describe("a sender that checks the address with its token gets its answer:", () => {
  it("okta", async () => {
    const headers = { authorization: SECRET, "x-okta-verification-challenge": "My verification" };
    expect(await answerTo("okta", { method: "GET", headers })).toMatchObject({
      status: 200,
      body: '{"verification":"My verification"}',
      isVerified: true,
    });
    const unknown = { ...headers, authorization: "other" };
    expect(await answerTo("okta", { method: "GET", headers: unknown })).toBe("unauthorized");
  });

  it("event-grid", async () => {
    const event = {
      id: "1",
      eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
      data: { validationCode: "512d38b6-c7b8-40c8-89fe-f46f9e9622b6" },
    };
    const request = { headers: json, body: JSON.stringify([event]) };
    const url = `${URL_OF_ENDPOINT}?token=${SECRET}`;
    expect(await answerTo("event-grid", { ...request, url })).toMatchObject({
      status: 200,
      body: '{"validationResponse":"512d38b6-c7b8-40c8-89fe-f46f9e9622b6"}',
    });
    expect(await answerTo("event-grid", request)).toBe("unauthorized");
  });
});

describe("a signed check of the address gets its answer:", () => {
  const endpoint = (name: SenderName) => ({
    config: configWith({ auth: authOfPreset(name) }),
    token: null,
    hmac: null,
    headerValues: [],
  });

  it.each([
    ["a PING of webhook events", { type: 0 }, { status: 204, body: "" }],
    ["a PING of interactions", { type: 1 }, { status: 200, body: '{"type":1}' }],
    ["an event", { type: 1, event: { type: "ENTITLEMENT_CREATE" } }, null],
  ])("%s of Discord", async (_, payload, answer) => {
    const verdict = await authenticatedHandshake(
      endpoint("discord"),
      inboundRequest({}),
      payload,
      NOBODY,
    );
    expect(verdict).toMatchObject(
      answer === null ? { kind: "none" } : { kind: "answered", answer },
    );
  });

  const CONFIRM = "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  it.each([
    ["SubscriptionConfirmation", CONFIRM, true, 200],
    ["SubscriptionConfirmation", CONFIRM, false, 503],
    [
      "SubscriptionConfirmation",
      "https://sns.us-east-1.amazonaws.com.evil.example/?Action=ConfirmSubscription&",
      true,
      503,
    ],
    ["UnsubscribeConfirmation", CONFIRM, true, 200],
  ])(
    "%s of Amazon SNS at %s, where confirming gives %s",
    async (Type, SubscribeURL, works, status) => {
      const asked: string[] = [];
      const sender = {
        ...NOBODY,
        confirm: async (url: string) => {
          asked.push(url);
          return works;
        },
      };
      const payload = { Type, SubscribeURL };
      const verdict = await authenticatedHandshake(
        endpoint("aws-sns"),
        inboundRequest({}),
        payload,
        sender,
      );
      expect(verdict).toMatchObject({ kind: "answered", answer: { status } });
      const isAsked = Type === "SubscriptionConfirmation" && SubscribeURL === CONFIRM;
      expect(asked).toEqual(isAsked ? [CONFIRM] : []);
    },
  );
});
