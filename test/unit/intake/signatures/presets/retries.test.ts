import { expect, it } from "vitest";
import type { SenderName } from "../../../../../src/contract/webhooks/signature.ts";
import { CATALOG } from "../../../../../src/intake/signatures/presets.ts";
import { RECEIVED_AT } from "../../../../support/signed-request.ts";
import { documented } from "./documented.ts";
import { OFFICIAL } from "./official.ts";
import { PUBLISHED } from "./published.ts";
import { type Sent, verdictOf } from "./sent.ts";

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
  const known = sent ?? [...PUBLISHED, ...OFFICIAL].find(({ preset }) => preset === name);
  if (known === undefined) throw new Error(`no request of ${name} is known`);
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
