import { expect, it } from "vitest";
import type { Arrival, Receipt } from "../../../src/contract/webhooks/inbox.ts";
import { acceptWebhook } from "../../../src/intake/accept.ts";
import type { Endpoint } from "../../../src/intake/types.ts";
import { authWith, endpointWith, KEPT, requestWith } from "../../support/hook-request.ts";

const TOKEN = "a-token-of-tests";
const endpoint = endpointWith(
  { auth: authWith({ token: { header: null, secret: KEPT } }) },
  { token: { current: TOKEN, previous: null } },
);
const STRANGER = {};
const SENDER = { "X-Webhook-Token": TOKEN };

/** Accepts a request at an inbox with these receipts, with a budget that has this wait for strangers. */
async function accept(
  headers: Record<string, string>,
  wait: number | null,
  receipts: Receipt[] = [{ kind: "noted" }],
  { endpoint: at, body }: { endpoint: Endpoint; body: string } = { endpoint, body: "{}" },
) {
  const stored: Arrival[] = [];
  const asked: (string | null)[] = [];
  const result = await acceptWebhook(
    at,
    requestWith({ headers, body }),
    crypto.randomUUID(),
    { minTlsVersion: "1.2" },
    {
      unverified: {
        async take(_, sourceIp) {
          asked.push(sourceIp);
          return wait;
        },
        collect: () => 7,
      },
      async store([arrival]) {
        if (arrival !== undefined) stored.push(arrival);
        return receipts.splice(0, 1);
      },
      configure: async () => {},
      open: async () => at,
      newRequestId: () => crypto.randomUUID(),
    },
  );
  return { result, stored, asked };
}

it("turns a stranger beyond the budget away without reaching the inbox", async () => {
  const { result, stored } = await accept(STRANGER, 40);
  const receipt = { kind: "rate_limited", retryAfterSeconds: 40 };
  expect(result).toMatchObject({ kind: "decided", first: { receipt }, others: [] });
  expect(stored).toEqual([]);
});

it("logs a stranger within the budget and reports those turned away before", async () => {
  const { stored, asked } = await accept(STRANGER, null);
  expect(stored).toMatchObject([{ decision: { kind: "refuse" }, turnedAway: 7 }]);
  expect(asked).toEqual(["203.0.113.7"]);
});

it("takes nothing from the budget for an authenticated sender", async () => {
  const { stored, asked } = await accept(SENDER, 40);
  expect(stored).toMatchObject([{ decision: { kind: "accept" } }]);
  expect(asked).toEqual([]);
});

it("counts a stranger once if the inbox must be configured first", async () => {
  const { stored, asked } = await accept(STRANGER, null, [{ kind: "behind" }, { kind: "noted" }]);
  expect(stored).toHaveLength(2);
  expect(asked).toHaveLength(1);
});

const PASSCODE = { header: null, secret: KEPT, in: "body", name: "auth.passcode" } as const;
const inBody = endpointWith(
  { auth: authWith({ token: PASSCODE }) },
  { token: { current: TOKEN, previous: null } },
);

it.each([
  ["a wrong token", "the-token-of-another-endpoint"],
  ["a wrong token that is one plain word", "orders"],
])("%s in the body is not readable in the log", async (_, passcode) => {
  const sent = (shown: string) => ({ auth: { passcode: shown }, copy: shown, kind: "new orders" });
  const { stored } = await accept({}, null, undefined, {
    endpoint: inBody,
    body: JSON.stringify(sent(passcode)),
  });
  const logged = new TextDecoder().decode(stored[0]?.request.body ?? undefined);
  expect(JSON.parse(logged)).toEqual(sent("[redacted]"));
});
