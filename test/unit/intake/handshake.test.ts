import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import { PRESETS, type SenderName } from "../../../src/contract/webhooks/signature.ts";
import { authenticatedHandshake, earlyHandshake } from "../../../src/intake/handshake.ts";
import type { Endpoint, InboundRequest, OpenSecret } from "../../../src/intake/types.ts";
import type { SenderPort } from "../../../src/ports/webhooks.ts";
import { endpointWith, KEPT, NOBODY } from "../../support/hook-request.ts";
import { authOfPreset } from "../../support/preset-auth.ts";
import { admit, inboundRequest, RECEIVED_AT } from "../../support/signed-request.ts";

const SECRET = "a-secret-of-the-sender-4711";
const OLD_SECRET = "the-secret-before-it";
const OPENED: OpenSecret = {
  current: SECRET,
  previous: { value: OLD_SECRET, validUntil: RECEIVED_AT + 1_000 },
};
const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1";
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json";
const json = { "content-type": JSON_TYPE };

type Sent = Parameters<typeof inboundRequest>[0];

/** An endpoint with the authentication of a preset, and maybe a token beside it. */
function endpoint(name: SenderName | null, hasToken = false): Endpoint {
  const auth = authOfPreset(name);
  if (hasToken) auth.token = { header: null, secret: KEPT };
  return endpointWith({ auth }, { token: auth.token && OPENED, hmac: auth.hmac && OPENED });
}

/** Returns the answer of an endpoint to a request, or the code of the refusal. */
async function answerTo(name: SenderName | null, request: Sent, at = endpoint(name)) {
  const options = { minTlsVersion: "1.3" as const, sender: NOBODY };
  const { verdict } = await admit(at, inboundRequest(request), RECEIVED_AT, options);
  if (verdict.kind === "handshake") return { ...verdict.answer, isVerified: verdict.isVerified };
  return verdict.kind === "refuse" ? verdict.refusal.code : verdict.kind;
}

/** Returns the answer to a request that has passed the checks before, or null. */
async function lateAnswer(
  at: Endpoint,
  payload: PayloadValue,
  request: InboundRequest = inboundRequest({}),
  sender: SenderPort = NOBODY,
) {
  const verdict = await authenticatedHandshake(at, request, payload, sender);
  return verdict.kind === "answered" ? verdict.answer : null;
}

describe("an unsigned handshake is answered:", () => {
  const challenge = '{"challenge":"3eZbrw1aBm2rZgRNFdxV"}';
  const asking = (query: string) => `${URL_OF_ENDPOINT}?${query}`;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const origin = "eventemitter.example.com";

  it.each<[SenderName, Sent, object]>([
    [
      "dropbox",
      { method: "GET", url: asking("challenge=abc") },
      { body: "abc", contentType: TEXT },
    ],
    [
      "microsoft-graph",
      { url: asking("validationToken=Validation%3A+T") },
      { body: "Validation: T" },
    ],
    ["monday", { headers: json, body: challenge }, { body: challenge, contentType: JSON_TYPE }],
    ["notion", { headers: json, body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6c"}' }, {}],
    ["woocommerce", { headers: form, body: "webhook_id=7" }, {}],
    ["trello", { method: "HEAD" }, { body: "" }],
    ["intercom", { method: "HEAD" }, { body: "" }],
    [
      "cloudevents",
      { method: "OPTIONS", headers: { "webhook-request-origin": origin } },
      {
        headers: {
          Allow: "POST",
          "WebHook-Allowed-Origin": origin,
          "WebHook-Allowed-Rate": "6000",
        },
      },
    ],
  ])("%s", async (name, request, answer) => {
    const expected = { status: 200, ...answer, isVerified: false };
    expect(await answerTo(name, request)).toMatchObject(expected);
    // Another sender's check is refused.
    expect(await answerTo("github", request)).toMatch(/method_not_allowed|unauthorized/);
  });

  it("meta, with the token beside the signature of its events", async () => {
    const query = { "hub.mode": "subscribe", "hub.challenge": "1158201444" };
    const check = (token: string) => {
      const asked = new URLSearchParams({ ...query, "hub.verify_token": token });
      return answerTo("meta", { method: "GET", url: `${URL_OF_ENDPOINT}?${asked}` });
    };
    expect(await check(SECRET)).toMatchObject({ status: 200, body: "1158201444" });
    expect(await check("other")).toBe("unauthorized");
    expect(await answerTo("meta", { method: "GET" })).toBe("method_not_allowed");
  });

  it("asana, which chooses the secret once", async () => {
    const awaiting = endpoint("asana");
    if (awaiting.config.auth.hmac) awaiting.config.auth.hmac.awaitsSecret = true;
    const chosen = "b537207f20cbfa02357cf448134da559";
    const choosing = (secret: string) => ({ headers: { "x-hook-secret": secret } });
    expect(await answerTo("asana", choosing(chosen), awaiting)).toMatchObject({
      status: 200,
      headers: { "X-Hook-Secret": chosen },
      adopt: chosen,
    });
    expect(await answerTo("asana", choosing(chosen))).toBe("unauthorized");
    expect(await answerTo("asana", choosing("b5"), awaiting)).toBe("unauthorized");
  });

  it("any sender of CloudEvents without another preset", async () => {
    const headers = { "webhook-request-origin": "eventgrid.azure.net" };
    expect(await answerTo(null, { method: "OPTIONS", headers })).toMatchObject({ status: 200 });
    expect(await answerTo(null, { method: "OPTIONS" })).toBe("method_not_allowed");
    expect(await answerTo(null, { method: "HEAD" })).toBe("method_not_allowed");
  });
});

it.each<[SenderName, string]>([
  ["monday", '{"challenge":"a","event":{}}'],
  ["monday", '{"challenge":"a\\u0000"}'],
  ["notion", '{"verification_token":"a","type":"page.created"}'],
  ["microsoft-graph", '{"value":[]}'],
  ["dropbox", "{}"],
])("an event of %s is not a handshake: %s", async (name, body) => {
  expect(await answerTo(name, { headers: json, body })).toBe("unauthorized");
});

describe("a handshake with a token is answered:", () => {
  it("okta", async () => {
    const challenge = { "x-okta-verification-challenge": "My verification" };
    const answered = (authorization: string) =>
      answerTo("okta", { method: "GET", headers: { ...challenge, authorization } });
    expect(await answered(SECRET)).toMatchObject({
      status: 200,
      body: '{"verification":"My verification"}',
      isVerified: true,
    });
    expect(await answered("other")).toBe("unauthorized");
  });

  it("event-grid", async () => {
    const validationCode = "512d38b6-c7b8-40c8-89fe-f46f9e9622b6";
    const eventType = "Microsoft.EventGrid.SubscriptionValidationEvent";
    const body = JSON.stringify([{ id: "1", eventType, data: { validationCode } }]);
    const request = { headers: json, body };
    const url = `${URL_OF_ENDPOINT}?token=${SECRET}`;
    expect(await answerTo("event-grid", { ...request, url })).toMatchObject({
      status: 200,
      body: `{"validationResponse":"${validationCode}"}`,
    });
    expect(await answerTo("event-grid", request)).toBe("unauthorized");
  });
});

describe("a signed handshake", () => {
  const slack = { type: "url_verification", token: "x", challenge: "3eZbrw1aBm2rZgRNFdxV" };
  const zoom = { event: "endpoint.url_validation", payload: { plainToken: "qgg8vlvZRS6UYooatFL" } };
  const twitch = { challenge: "pogchamp-kappa-360noscope", subscription: { id: "1" } };
  const ofTwitch = (type: string) =>
    inboundRequest({ headers: { "Twitch-Eventsub-Message-Type": type } });
  const check = ofTwitch("webhook_callback_verification");
  const mcp = { type: "verification", challenge: "abc_123" };
  const long = "a".repeat(1_001);

  it.each<[string, SenderName | null, PayloadValue, object, InboundRequest?]>([
    ["Slack", "slack", slack, { status: 200, contentType: TEXT, body: slack.challenge }],
    ["Slack without a preset", null, slack, { status: 200, body: slack.challenge }],
    ["Twitch", "twitch", twitch, { status: 200, contentType: TEXT, body: twitch.challenge }, check],
    ["an MCP server", "mcp", mcp, { contentType: JSON_TYPE, body: '{"challenge":"abc_123"}' }],
    ["Discord, a PING of webhook events", "discord", { type: 0 }, { status: 204, body: "" }],
    ["a PING of interactions", "discord", { type: 1 }, { status: 200, body: '{"type":1}' }],
  ])("is answered to %s", async (_, name, payload, answer, request) => {
    expect(await lateAnswer(endpoint(name), payload, request)).toMatchObject(answer);
  });

  it.each([
    ["the current secret", SECRET],
    ["the one before, while the sender still has it", OLD_SECRET],
  ])("is answered to Zoom with %s", async (_, key) => {
    const hex = (text: string) => createHmac("sha256", key).update(text).digest("hex");
    const [body, second] = [JSON.stringify(zoom), String(RECEIVED_AT / 1_000)];
    const signature = `v0=${hex(`v0:${second}:${body}`)}`;
    const headers = { "x-zm-request-timestamp": second, "x-zm-signature": signature };
    const answer = await lateAnswer(endpoint("zoom"), zoom, inboundRequest({ headers, body }));
    expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
    const { plainToken } = zoom.payload;
    expect(JSON.parse(answer?.body ?? "")).toEqual({ plainToken, encryptedToken: hex(plainToken) });
  });

  it.each<[string, SenderName, PayloadValue, InboundRequest?]>([
    ["another event of Slack", "slack", { ...slack, type: "event_callback" }],
    ["no challenge", "slack", { type: "url_verification" }],
    ["a challenge that is no text", "slack", { ...slack, challenge: 7 }],
    ["an empty challenge", "slack", { ...slack, challenge: "" }],
    ["a long challenge", "slack", { ...slack, challenge: long }],
    ["a challenge of several lines", "slack", { ...slack, challenge: "a\nb" }],
    ["a list", "slack", [slack]],
    ["nothing", "slack", null],
    ["another event of Zoom", "zoom", { ...zoom, event: "meeting.started" }],
    ["no token", "zoom", { ...zoom, payload: {} }],
    ["no payload", "zoom", { event: zoom.event }],
    ["a long token", "zoom", { ...zoom, payload: { plainToken: long } }],
    ["a notification of Twitch", "twitch", twitch, ofTwitch("notification")],
    ["a request of Twitch without its type", "twitch", twitch],
    ["an event of an MCP server", "mcp", { eventId: "1", name: "a", data: { challenge: "abc" } }],
    ["a challenge of an MCP server in two lines", "mcp", { ...mcp, challenge: "a\nb" }],
    ["an event of Discord", "discord", { type: 1, event: { type: "ENTITLEMENT_CREATE" } }],
  ])("is not %s", async (_, name, payload, request) => {
    expect(await lateAnswer(endpoint(name), payload, request)).toBeNull();
  });

  it("does not read prototypes", async () => {
    const inherited = Object.assign(Object.create({ challenge: "a" }), { type: slack.type });
    expect(await lateAnswer(endpoint("slack"), inherited)).toBeNull();
  });

  it("is not answered to other senders", async () => {
    for (const name of PRESETS) {
      const at = endpoint(name);
      const answers = {
        slack: await lateAnswer(at, slack),
        zoom: await lateAnswer(at, zoom),
        twitch: await lateAnswer(at, twitch, check),
      };
      const answered = Object.entries(answers).flatMap(([by, one]) => (one === null ? [] : [by]));
      expect(answered).toEqual(Object.hasOwn(answers, name) ? [name] : []);
    }
  });

  const CONFIRM = "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  const FORGED = CONFIRM.replace(".com/", ".com.evil.example/");
  it.each([
    ["SubscriptionConfirmation", CONFIRM, true, 200],
    ["SubscriptionConfirmation", CONFIRM, false, 503],
    ["SubscriptionConfirmation", FORGED, true, 503],
    ["UnsubscribeConfirmation", CONFIRM, true, 200],
  ])("%s of Amazon SNS at %s, where confirming gives %s: %i", async (Type, url, works, status) => {
    const asked: string[] = [];
    const confirm = async (address: string) => {
      asked.push(address);
      return works;
    };
    const payload = { Type, SubscribeURL: url };
    const sender = { ...NOBODY, confirm };
    const answer = await lateAnswer(endpoint("aws-sns"), payload, undefined, sender);
    expect(answer).toMatchObject({ status });
    const isAsked = Type === "SubscriptionConfirmation" && url === CONFIRM;
    expect(asked).toEqual(isAsked ? [CONFIRM] : []);
  });
});

describe("GET with hub.challenge", () => {
  const open = endpoint(null);
  const asking = (query: string) => `${URL_OF_ENDPOINT}?${query}`;
  const subscribe = { "hub.mode": "subscribe", "hub.challenge": "1158201444" };
  const get = (changes: Record<string, string> = {}, method = "GET") => {
    const query = new URLSearchParams({ ...subscribe, ...changes });
    return inboundRequest({ method, url: `${URL_OF_ENDPOINT}?${query}` });
  };

  it.each([
    ["subscribe", { "hub.mode": "subscribe" }, "1158201444"],
    ["unsubscribe", { "hub.mode": "unsubscribe" }, "1158201444"],
    ["say anything as plain text", { "hub.challenge": "<script>" }, "<script>"],
  ])("to %s is answered if the URL is the only secret", async (_, changes, body) => {
    const answer = { status: 200, contentType: TEXT, body };
    expect(await earlyHandshake(open, get(changes))).toEqual({ kind: "answered", answer });
  });

  it.each([
    ["the token", SECRET, "answered"],
    ["the token before it", OLD_SECRET, "answered"],
    ["another", `${SECRET}2`, "refused"],
    ["an empty one", "", "refused"],
  ])("needs the endpoint's token if it has one: %s", async (_, token, kind) => {
    const request = get({ "hub.verify_token": token });
    expect(await earlyHandshake(endpoint("github", true), request)).toMatchObject({ kind });
  });

  it.each([
    ["once the time of the token before is over", endpoint(null, true), OLD_SECRET],
    ["where the endpoint only knows signatures", endpoint("github"), SECRET],
  ])("is refused %s", async (_, at, token) => {
    const request = { ...get({ "hub.verify_token": token }), receivedAt: RECEIVED_AT + 1_000 };
    expect(await earlyHandshake(at, request)).toMatchObject({ kind: "refused" });
  });

  it.each([
    ["long", "a".repeat(1_001)],
    ["empty", ""],
    ["of control characters", "a\u0000b"],
  ])("is refused when it is %s", async (_, challenge) => {
    const verdict = await earlyHandshake(open, get({ "hub.challenge": challenge }));
    expect(verdict).toMatchObject({ kind: "refused" });
  });

  it.each([
    ["a POST", get({}, "POST")],
    ["another mode", get({ "hub.mode": "publish" })],
    ["no challenge", inboundRequest({ method: "GET", url: asking("hub.mode=subscribe") })],
  ])("is not %s", async (_, request) => {
    expect(await earlyHandshake(open, request)).toEqual({ kind: "none" });
    expect(await lateAnswer(open, null, request)).toBeNull();
  });

  it("is also answered after all checks have passed", async () => {
    const answer = await lateAnswer(endpoint("github"), null, get());
    expect(answer).toMatchObject({ status: 200, body: "1158201444" });
  });
});
