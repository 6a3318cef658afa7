import { expect, it } from "vitest";
import { createEndpointBody } from "../../../../../src/contract/webhooks/endpoint.ts";
import {
  PRESETS,
  type SenderName,
  signatureScheme,
  webhookPreset,
} from "../../../../../src/contract/webhooks/signature.ts";
import { signatureHeaders } from "../../../../../src/deliveries/signature.ts";
import { parseSettings } from "../../../../../src/env.ts";
import { openEndpoint, secretContext } from "../../../../../src/intake/secrets.ts";
import { schemeFault } from "../../../../../src/intake/signatures/custom-scheme.ts";
import { stepsOf } from "../../../../../src/intake/signatures/presets/preset.ts";
import {
  CATALOG,
  listedPreset,
  presetNamed,
  presetOf,
} from "../../../../../src/intake/signatures/presets.ts";
import { seal } from "../../../../../src/lib/secrets.ts";
import { configWith } from "../../../../support/endpoint.ts";
import { authWith } from "../../../../support/hook-request.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import { documented } from "./documented.ts";
import { OFFICIAL } from "./official.ts";
import { PUBLISHED } from "./published.ts";
import { type Sent, verdictOf } from "./sent.ts";

async function expectVerified(name: SenderName, sent: Sent): Promise<void> {
  const { event: [eventId, eventType] = [null, null], tampered = (body: string) => `${body} ` } =
    sent;
  const verdict = await verdictOf(name, sent);
  expect(verdict).toMatchObject({ kind: "accept", eventType });
  // An id that the preset does not name is told by other places, or not at all.
  if (eventId !== null) expect(verdict).toMatchObject({ eventId });
  const isToken = presetNamed(name).method === "token";
  const refused = { kind: "refuse", refusal: { code: "unauthorized" } };
  if (tampered !== null && !isToken) {
    expect(await verdictOf(name, { ...sent, body: tampered(sent.body) })).toMatchObject(refused);
  }
  const { otherKey, fetched, secret } = sent;
  const ofOther = (key: string) => (fetched === undefined ? { publicKey: key } : { fetched: key });
  const wrong = otherKey === undefined ? { secret: `${secret}0a` } : ofOther(otherKey);
  expect(await verdictOf(name, { ...sent, ...wrong })).toMatchObject(refused);
}

const KNOWN = [...PUBLISHED, ...OFFICIAL];

it.each(KNOWN)(
  "a request is verified as its sender publishes or signs it: $preset ($source)",
  async ({ preset, ...sent }) => {
    await expectVerified(preset, sent);
  },
);

const elsewhere = KNOWN.map(({ preset }) => preset);

it.each(CATALOG.filter((name) => !elsewhere.includes(name)))(
  "a request is verified as signed in its sender's documentation: %s",
  async (name) => {
    const sent = await documented(name);
    if (sent === null) throw new Error(`documented.ts has no request of ${name}`);
    await expectVerified(name, sent);
  },
);

it.each(CATALOG)("%s is listed with valid settings and a link to its documentation", (name) => {
  const listed = listedPreset(name);
  expect(webhookPreset.parse(listed)).toEqual(listed);
  const { auth } = createEndpointBody.parse({ name: "a", auth: listed.auth });
  expect(auth[listed.method]).toMatchObject({ preset: name });
  const { sender } = presetNamed(name);
  expect(sender.docs).toMatch(/^https:\/\//);
  expect(stepsOf(sender).length).toBeGreaterThan(0);
  expect(Object.keys(sender.sample.body).length).toBeGreaterThan(0);
});

it("lists the required settings of a sender's endpoint", () => {
  const needs = (preset: SenderName) => listedPreset(preset).auth[listedPreset(preset).method];
  expect(needs("discord")).toEqual({ preset: "discord", publicKey: "…" });
  expect(needs("travis-ci")).toEqual({ preset: "travis-ci", audience: "…" });
});

it("lists senders by their names, none twice", () => {
  const names = CATALOG.map((preset) => listedPreset(preset).name);
  expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b)));
});

it("the steps of a sender name where to enter the URL, and who chooses the secret", () => {
  const stepsFor = (name: SenderName) => stepsOf(presetNamed(name).sender);
  expect(stepsFor("bitbucket")).toEqual([
    "Open Repository settings, Webhooks, Add webhook.",
    "Give it the URL and the secret, and choose the events.",
  ]);
  expect(stepsFor("vercel")).toEqual([
    "Open Webhooks in the team’s settings.",
    "Give it the URL, and choose the events.",
    "Copy its secret and paste it under Settings.",
  ]);
  expect(stepsFor("figma")[1]).toBe("Give it the URL and the token, and choose the events.");
});

it.each(PRESETS)("the scheme of %s can be stored and has no fault", (name) => {
  const { scheme } = presetOf(name);
  expect(signatureScheme.parse(scheme)).toEqual(scheme);
  // A signature in the body, or in a token, has no template of its own.
  if (scheme.in !== "body" && scheme.form !== "jwt") expect(schemeFault(scheme)).toBeNull();
});

it("an endpoint of a preset has the current scheme, not the stored one", async () => {
  const key = btoa("k".repeat(32));
  const { endpointId } = configWith();
  const sealed = await seal("the secret", [key], secretContext(endpointId, "hmac"));
  const secret = { sealed, last4: "", previous: null };
  const stored = { ...presetOf("box").scheme, furtherHeaders: undefined, template: "{body}" };
  const discord = { ...presetOf("discord").scheme, template: "{body}" };
  const auth = authWith({
    hmac: { preset: "box", scheme: stored, secret },
    signature: { preset: "discord", scheme: discord, publicKey: "", audience: null, secret: null },
  });
  const settings = parseSettings({ ENCRYPTION_KEY: key });
  const { config } = await openEndpoint(configWith({ endpointId, auth }), settings);
  expect(config.auth.hmac?.scheme).toEqual(presetOf("box").scheme);
  expect(config.auth.signature?.scheme).toEqual(presetOf("discord").scheme);
});

it("an event of an MCP server has the id in its body, whichever id its delivery has", async () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const at = 1_796_007_600;
  const idOf = async (event: object) => {
    const body = JSON.stringify({ name: "orders.created", data: {}, ...event });
    const message = { webhookId: "delivery-1", timestamp: at, body, secret };
    return verdictOf("mcp", { secret, at, body, headers: await signatureHeaders(message) });
  };
  expect(await idOf({ eventId: "e1" })).toMatchObject({ kind: "accept", eventId: "e1" });
  expect(await idOf({})).toMatchObject({ kind: "accept", eventId: "delivery-1" });
});

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Senders that sign each attempt with its own time, which counts for 5 minutes. */
const TIMED: SenderName[] = [
  ...(["calendly", "clerk", "coinbase", "contentful", "discord", "hubspot", "mcp"] as const),
  ...(["paddle", "paypal", "recurly", "resend", "sendgrid", "slack", "standard-webhooks"] as const),
  ...(["standard-webhooks-v1a", "stripe", "svix", "zendesk", "zoom"] as const),
  // The tokens end with the window, so their signature is what refuses them.
  "monday",
];

/** Other windows of signed times. */
const WINDOWS: Partial<Record<SenderName, number>> = {
  box: 10 * MINUTE,
  twitch: 10 * MINUTE,
  // The signed time is the one of the event: the hours over which they retry are in the window.
  "app-store": 7 * 24 * HOUR,
  "aws-sns": 24 * HOUR,
  mailgun: 9 * HOUR,
  linear: 8 * HOUR,
};

/** JSON Web Tokens may be off by this. */
const CLOCK_TOLERANCE = MINUTE;

/** A request whose body has the time of the event, under the usual names. */
async function sentBy(name: SenderName): Promise<Sent> {
  const fields = { timestamp: RECEIVED_AT, webhookTimestamp: RECEIVED_AT };
  const sent = await documented(name, fields);
  const known = sent ?? KNOWN.find(({ preset }) => preset === name);
  if (known === undefined) throw new Error(`documented.ts has no request of ${name}`);
  return known;
}

const STALE = {
  kind: "refuse",
  refusal: { code: expect.stringMatching(/^(?:stale_request|unauthorized)$/) },
};

const isTimed = (name: SenderName) => TIMED.includes(name) || (WINDOWS[name] ?? HOUR) < HOUR;
it.each(CATALOG.filter((name) => !isTimed(name)))(
  "a retry that equals the first attempt is accepted hours later: %s",
  async (name) => {
    expect(await verdictOf(name, await sentBy(name), 7 * HOUR)).toMatchObject({ kind: "accept" });
  },
);

const windowOf = (name: SenderName) => WINDOWS[name] ?? (TIMED.includes(name) ? 5 * MINUTE : 0);
it.each(CATALOG.filter((name) => windowOf(name) > 0))(
  "a request signed too long ago is refused: %s",
  async (name) => {
    const [sent, window] = [await sentBy(name), windowOf(name)];
    expect(await verdictOf(name, sent, window)).toMatchObject({ kind: "accept" });
    expect(await verdictOf(name, sent, window + CLOCK_TOLERANCE + 1)).toMatchObject(STALE);
  },
);

it("a sender's longer window does not reach into the future", async () => {
  const sent = await sentBy("aws-sns");
  expect(await verdictOf("aws-sns", sent, -6 * MINUTE)).toMatchObject(STALE);
});
