import { describe, expect, it } from "vitest";
import {
  KEY_PRESETS,
  PRESETS,
  type SenderName,
  TOKEN_PRESETS,
} from "../../../../../src/contract/webhooks/signature.ts";
import { presetNamed } from "../../../../../src/intake/signatures/presets.ts";
import { signHeaders } from "../../../../../src/intake/signatures/verify.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import { documented } from "./documented.ts";
import { PUBLISHED } from "./published.ts";
import { type Sent, verdictOf } from "./sent.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Senders that sign each attempt with its own time, and the window in which it counts. */
const TIMED: Partial<Record<SenderName, number>> = {
  stripe: 5 * MINUTE,
  slack: 5 * MINUTE,
  "standard-webhooks": 5 * MINUTE,
  zoom: 5 * MINUTE,
  twitch: 10 * MINUTE,
  box: 10 * MINUTE,
  calendly: 5 * MINUTE,
  coinbase: 5 * MINUTE,
  contentful: 5 * MINUTE,
  clerk: 5 * MINUTE,
  hubspot: 5 * MINUTE,
  mcp: 5 * MINUTE,
  paddle: 5 * MINUTE,
  recurly: 5 * MINUTE,
  resend: 5 * MINUTE,
  svix: 5 * MINUTE,
  zendesk: 5 * MINUTE,
  discord: 5 * MINUTE,
  paypal: 5 * MINUTE,
  sendgrid: 5 * MINUTE,
  "standard-webhooks-v1a": 5 * MINUTE,
  // The tokens end with the window, so their signature is what refuses them.
  monday: 5 * MINUTE,
};

/** Senders whose signed time is the one of the event: the hours over which they retry are in the window. */
const REPEATED: Partial<Record<SenderName, number>> = {
  "app-store": 7 * 24 * HOUR,
  "aws-sns": 24 * HOUR,
  mailgun: 9 * HOUR,
  linear: 8 * HOUR,
};

const ALL: SenderName[] = [...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS];
/** JSON Web Tokens may be off by this. */
const CLOCK_TOLERANCE = MINUTE;

/** A request whose body has the time of the event, under the usual names. */
async function sentBy(name: SenderName): Promise<Sent> {
  const fields = { timestamp: RECEIVED_AT, webhookTimestamp: RECEIVED_AT };
  const sent = await documented(name, fields);
  const known = sent ?? PUBLISHED.find(({ preset }) => preset === name);
  if (known !== undefined) return known;
  const named = presetNamed(name);
  if (named.method !== "hmac") throw new Error(`no request of ${name} is known`);
  const { scheme, sample } = named.sender;
  const url = new URL("https://hooks.example/hooks/ep_1");
  const body = JSON.stringify({ ...sample.body, ...fields });
  const bytes = new TextEncoder().encode(body);
  const message = { url, body: bytes, contentType: "application/json", now: RECEIVED_AT, id: "e1" };
  const secret = "whsec_c2VjcmV0IG9mIHRlc3RzIHdpdGggMzIgYnl0ZXM=";
  // Twilio's signature covers a body that is no form by its hash in the address.
  const isForm = scheme.template.includes("{sortedParams}");
  const form = isForm ? { ...message, body: new Uint8Array(), contentType: null } : message;
  const headers = await signHeaders(scheme, secret, form);
  return { secret, headers, body: isForm ? "" : body, url: url.href };
}

const STALE = {
  kind: "refuse",
  refusal: { code: expect.stringMatching(/^(?:stale_request|unauthorized)$/) },
};

describe("a retry that equals the first attempt is accepted hours later:", () => {
  it.each(ALL.filter((name) => TIMED[name] === undefined))("%s", async (name) => {
    expect(await verdictOf(name, await sentBy(name), 7 * HOUR)).toMatchObject({ kind: "accept" });
  });
});

describe("what was signed too long ago is refused:", () => {
  it.each(Object.entries({ ...TIMED, ...REPEATED }))("%s after %i s", async (name, window) => {
    const sender = ALL.find((one) => one === name) ?? "stripe";
    const sent = await sentBy(sender);
    expect(await verdictOf(sender, sent, window)).toMatchObject({ kind: "accept" });
    expect(await verdictOf(sender, sent, window + CLOCK_TOLERANCE + 1)).toMatchObject(STALE);
  });
});

it("a sender's longer window does not reach into the future", async () => {
  const sent = await sentBy("aws-sns");
  expect(await verdictOf("aws-sns", sent, -6 * MINUTE)).toMatchObject(STALE);
});
