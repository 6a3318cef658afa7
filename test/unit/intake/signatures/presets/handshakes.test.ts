import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { PRESETS, type PresetName } from "../../../../../src/contract/webhooks/signature.ts";
import { authenticatedHandshake, earlyHandshake } from "../../../../../src/intake/handshake.ts";
import { presetOf } from "../../../../../src/intake/signatures/presets.ts";
import type { Endpoint, InboundRequest, OpenSecret } from "../../../../../src/intake/types.ts";
import { configWith } from "../../../../support/endpoint.ts";
import { NOBODY } from "../../../../support/hook-request.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

const SECRET: OpenSecret = {
  current: "the new secret",
  previous: { value: "the old secret", validUntil: RECEIVED_AT + 1_000 },
};
const kept = { sealed: "", last4: "cret", previous: null };
const TEXT = "text/plain; charset=utf-8";

/** An endpoint with these secrets. */
function endpoint({ preset, token }: { preset?: PresetName; token?: OpenSecret } = {}): Endpoint {
  const hmac =
    preset === undefined ? null : { preset, scheme: presetOf(preset).scheme, secret: kept };
  return {
    config: configWith({
      auth: {
        token: token === undefined ? null : { header: null, secret: kept },
        hmac,
        ipAllowlist: null,
        headers: [],
      },
    }),
    token: token ?? null,
    hmac: hmac === null ? null : SECRET,
    headerValues: [],
  };
}

const slack = { type: "url_verification", token: "x", challenge: "3eZbrw1aBm2rZgRNFdxV" };
const zoom = {
  event: "endpoint.url_validation",
  payload: { plainToken: "qgg8vlvZRS6UYooatFL8Aw" },
};
const twitch = { challenge: "pogchamp-kappa-360noscope", subscription: { id: "1" } };
const twitchHeaders = { "Twitch-Eventsub-Message-Type": "webhook_callback_verification" };

const asked = (at: Endpoint, payload: PayloadValue | null, headers = {}) =>
  answerTo(at, inboundRequest({ headers }), payload);

async function answerTo(at: Endpoint, request: InboundRequest, payload: PayloadValue | null) {
  const verdict = await authenticatedHandshake(at, request, payload, NOBODY);
  return verdict.kind === "answered" ? verdict.answer : null;
}

describe("Slack's url_verification", () => {
  it.each([
    ["with its preset", endpoint({ preset: "slack" })],
    ["without any", endpoint()],
  ])("is answered with the challenge %s", async (_, at) => {
    expect(await asked(at, slack)).toEqual({
      status: 200,
      contentType: TEXT,
      body: slack.challenge,
    });
  });

  it.each([
    ["another event", { ...slack, type: "event_callback" }],
    ["no challenge", { type: "url_verification" }],
    ["a challenge that is no text", { ...slack, challenge: 7 }],
    ["an empty challenge", { ...slack, challenge: "" }],
    ["a long challenge", { ...slack, challenge: "a".repeat(1_001) }],
    ["a challenge of several lines", { ...slack, challenge: "a\nb" }],
    ["names of the prototype", { type: "url_verification", __proto__: { challenge: "a" } }],
    ["a list", [slack]],
    ["nothing", null],
  ])("is not %s", async (_, payload) => {
    expect(await asked(endpoint({ preset: "slack" }), payload)).toBeNull();
  });
});

describe("Zoom's endpoint.url_validation", () => {
  const encrypted = (key: string) =>
    createHmac("sha256", key).update(zoom.payload.plainToken).digest("hex");

  it.each([
    ["the current secret", SECRET.current],
    ["the one before, while the sender still has it", "the old secret"],
  ])("is answered with %s", async (_, key) => {
    const body = JSON.stringify(zoom);
    const second = RECEIVED_AT / 1_000;
    const signature = createHmac("sha256", key).update(`v0:${second}:${body}`).digest("hex");
    const headers = {
      "x-zm-request-timestamp": String(second),
      "x-zm-signature": `v0=${signature}`,
    };
    const request = inboundRequest({ headers, body });
    const answer = await answerTo(endpoint({ preset: "zoom" }), request, zoom);
    expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
    expect(JSON.parse(answer?.body ?? "")).toEqual({
      plainToken: zoom.payload.plainToken,
      encryptedToken: encrypted(key),
    });
  });

  it.each([
    ["another event", { ...zoom, event: "meeting.started" }],
    ["no token", { ...zoom, payload: {} }],
    ["no payload", { event: zoom.event }],
    ["a long token", { ...zoom, payload: { plainToken: "a".repeat(1_001) } }],
  ])("is not %s", async (_, payload) => {
    expect(await asked(endpoint({ preset: "zoom" }), payload)).toBeNull();
  });
});

describe("Twitch's handshake", () => {
  const at = endpoint({ preset: "twitch" });

  it("is answered as it is", async () => {
    expect(await asked(at, twitch, twitchHeaders)).toEqual({
      status: 200,
      contentType: TEXT,
      body: twitch.challenge,
    });
  });

  it("is none in a notification", async () => {
    const headers = { "Twitch-Eventsub-Message-Type": "notification" };
    expect(await asked(at, twitch, headers)).toBeNull();
    expect(await asked(at, twitch)).toBeNull();
  });
});

describe("the verification of an MCP server", () => {
  const at = endpoint({ preset: "mcp" });

  it("is answered with its challenge", async () => {
    expect(await asked(at, { type: "verification", challenge: "abc_123" })).toEqual({
      status: 200,
      contentType: "application/json",
      body: '{"challenge":"abc_123"}',
    });
  });

  it.each([
    ["an event", { eventId: "1", name: "orders.created", data: { challenge: "abc" } }],
    ["of a text that may not be repeated", { type: "verification", challenge: "a\nb" }],
  ])("is not %s", async (_, payload) => {
    expect(await asked(at, payload)).toBeNull();
  });
});

it("no sender's handshake is answered for another sender", async () => {
  for (const preset of PRESETS) {
    const at = endpoint({ preset });
    const answers = [
      ["slack", await asked(at, slack)],
      ["zoom", await asked(at, zoom)],
      ["twitch", await asked(at, twitch, twitchHeaders)],
    ] as const;
    const answered = answers.flatMap(([name, answer]) => (answer === null ? [] : [name]));
    expect(answered).toEqual(["slack", "zoom", "twitch"].filter((name) => name === preset));
  }
});

describe("GET with hub.challenge", () => {
  const get = (query: Record<string, string>, method = "GET") =>
    inboundRequest({ method, url: `https://hooks.example/hooks/a?${new URLSearchParams(query)}` });
  const subscribe = { "hub.mode": "subscribe", "hub.challenge": "1158201444" };
  const verified = {
    kind: "answered",
    answer: { status: 200, contentType: TEXT, body: "1158201444" },
  };

  it.each(["subscribe", "unsubscribe"])(
    "to %s is answered where the address is all",
    async (mode) => {
      expect(await earlyHandshake(endpoint(), get({ ...subscribe, "hub.mode": mode }))).toEqual(
        verified,
      );
    },
  );

  it.each([
    ["the token", "the new secret", "answered"],
    ["the token before it", "the old secret", "answered"],
    ["another", "the new secreT", "refused"],
    ["an empty one", "", "refused"],
  ])("needs the endpoint's token where it has one: %s", async (_, token, kind) => {
    const at = endpoint({ token: SECRET, preset: "github" });
    const request = get({ ...subscribe, "hub.verify_token": token });
    expect(await earlyHandshake(at, request)).toMatchObject({ kind });
  });

  it("does not take the token before, once its time is over", async () => {
    const at = endpoint({ token: SECRET });
    const request = get({ ...subscribe, "hub.verify_token": "the old secret" });
    const later = { ...request, receivedAt: RECEIVED_AT + 1_000 };
    expect(await earlyHandshake(at, later)).toMatchObject({ kind: "refused" });
  });

  it("is refused without a token, or with one, where the endpoint only knows signatures", async () => {
    const at = endpoint({ preset: "github" });
    expect(await earlyHandshake(at, get(subscribe))).toMatchObject({ kind: "refused" });
    const request = get({ ...subscribe, "hub.verify_token": SECRET.current });
    expect(await earlyHandshake(at, request)).toMatchObject({ kind: "refused" });
  });

  it.each([
    ["long", "a".repeat(1_001)],
    ["empty", ""],
    ["of control characters", "a\u0000b"],
  ])("is refused when it is %s", async (_, challenge) => {
    const request = get({ ...subscribe, "hub.challenge": challenge });
    expect(await earlyHandshake(endpoint(), request)).toMatchObject({ kind: "refused" });
  });

  it("is plain text, whatever it says", async () => {
    const request = get({ ...subscribe, "hub.challenge": "<script>alert(1)</script>" });
    expect(await earlyHandshake(endpoint(), request)).toMatchObject({
      answer: { contentType: TEXT, body: "<script>alert(1)</script>" },
    });
  });

  it.each([
    ["a POST", get(subscribe, "POST")],
    ["another mode", get({ ...subscribe, "hub.mode": "publish" })],
    ["no challenge", get({ "hub.mode": "subscribe" })],
    ["an ordinary GET", get({ order: "7" })],
  ])("is not %s", async (_, request) => {
    expect(await earlyHandshake(endpoint(), request)).toEqual({ kind: "none" });
    expect(await answerTo(endpoint(), request, null)).toBeNull();
  });

  it("is answered as well once all checks have passed", async () => {
    expect(await answerTo(endpoint({ preset: "github" }), get(subscribe), null)).toEqual(
      verified.answer,
    );
  });
});
