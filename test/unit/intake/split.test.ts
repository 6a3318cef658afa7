import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import type { PresetName } from "../../../src/contract/webhooks/signature.ts";
import { admitAll } from "../../../src/intake/admit.ts";
import { splitFault } from "../../../src/intake/split.ts";
import { endpointWith, NOW, requestWith } from "../../support/hook-request.ts";
import { authOfPreset } from "../../support/preset-auth.ts";

const LINE = {
  destination: "U0",
  events: [
    { type: "follow", webhookEventId: "a" },
    { type: "message", webhookEventId: "b", message: { text: "Hello" } },
  ],
};

async function split(
  payload: unknown,
  path: string,
  changes: Partial<EndpointConfig> = {},
  sent: Parameters<typeof requestWith>[0] = {},
) {
  const endpoint = endpointWith({ split: { path }, ...changes });
  const request = requestWith({ body: JSON.stringify(payload), ...sent });
  const options = { minTlsVersion: "1.3", skip: ["signature" as const] };
  return await admitAll(endpoint, request, NOW, options);
}

async function verdicts(...args: Parameters<typeof split>) {
  return (await split(...args)).map(({ admission }) => admission.verdict);
}

const payloads = async (...args: Parameters<typeof split>) =>
  (await verdicts(...args)).map((verdict) =>
    verdict.kind === "accept" ? verdict.payload : verdict.kind,
  );

const LISTS = { entry: [{ changes: [1, 2] }, { changes: [] }, { changes: [3] }] };

describe("a batch is split into", () => {
  it.each<[string, unknown, string, PayloadValue[]]>([
    ["the items of a list", { events: [{ a: 1 }, "b", [3]] }, "events", [{ a: 1 }, "b", [3]]],
    ["the items of a payload", [{ a: 1 }, { a: 2 }], "$", [{ a: 1 }, { a: 2 }]],
    ["a payload that is no list", { a: 1 }, "$", [{ a: 1 }]],
    ["the items of every list", LISTS, "entry[*].changes", [1, 2, 3]],
  ])("%s", async (_, payload, path, items) => {
    expect(await payloads(payload, path)).toEqual(items);
  });

  it("items that keep the digits of long numbers", async () => {
    const body = '{"events":[{"id":12345678901234567890}]}';
    const [item] = await split({}, "events", {}, { body });
    const bytes = item?.request.body.kind === "whole" ? item.request.body.raw : null;
    expect(new TextDecoder().decode(bytes ?? undefined)).toBe('{"id":12345678901234567890}');
    expect(item?.request.headers.get("Content-Type")).toBe("application/json");
  });

  it.each([
    [{ events: {} }, "events"],
    [{}, "events"],
    [{ entry: [{ changes: [1] }, { messaging: [2] }] }, "entry[*].changes"],
  ])("nothing if %j has no list at %s, and all of it is refused", async (payload, path) => {
    const errors = [{ path, rule: "split", message: "must be a list" }];
    const refusal = { stage: "validation", code: "validation_failed", errors };
    const verdict = { kind: "refuse", isVerified: true, refusal };
    expect(await verdicts(payload, path)).toMatchObject([verdict]);
  });

  it("no more than 1,000 items", async () => {
    const [verdict] = await verdicts(Array(1_001).fill(0), "$");
    expect(verdict).toMatchObject({
      refusal: { errors: [{ message: "has 1001 items; at most 1000 are accepted" }] },
    });
  });

  it("nothing without items, and the sender gets the usual answer", async () => {
    expect(await verdicts({ events: [] }, "events")).toMatchObject([
      { kind: "handshake", isVerified: true, answer: { isUsual: true } },
    ]);
  });

  it("nothing for a GET, whose payload is the query", async () => {
    const url = "https://prompthook.example/hooks/orders?events=1&events=2";
    const sent = { method: "GET", url, body: "" };
    expect(await payloads({}, "events", { methods: ["GET"] }, sent)).toEqual([
      { events: ["1", "2"] },
    ]);
  });
});

describe("each item", () => {
  it("is validated and mapped separately", async () => {
    const validation = { ...endpointWith().config.validation, required: ["total"] };
    const items = { events: [{ total: 1 }, {}, { total: 3 }] };
    expect(await verdicts(items, "events", { validation })).toMatchObject([
      { kind: "accept", payload: { total: 1 } },
      { kind: "refuse", refusal: { stage: "validation", errors: [{ path: "total" }] } },
      { kind: "accept", payload: { total: 3 } },
    ]);
  });

  it.each<[PresetName, string, unknown, (string | null)[]]>([
    ["line", "events", LINE, ["a", "b"]],
    [
      "meta",
      "entry[*].changes",
      {
        entry: [
          { changes: [{ field: "messages", value: { messages: [{ id: "m-1" }] } }] },
          { changes: [{ field: "messages", value: { statuses: [] } }] },
        ],
      },
      ["m-1", null],
    ],
    [
      "hubspot",
      "$",
      [
        { eventId: 1, subscriptionId: 7, occurredAt: 1_770_000_000_000 },
        { eventId: 1, subscriptionId: 7, occurredAt: 1_770_000_000_001 },
      ],
      ["7#1770000000000#1", "7#1770000000001#1"],
    ],
  ])("has the event id that %s gives it", async (preset, path, payload, keys) => {
    const found = await verdicts(payload, path, { auth: authOfPreset(preset) });
    expect(found.map((verdict) => ("eventKey" in verdict ? verdict.eventKey : null))).toEqual(keys);
  });

  it("appends its index to an id that the batch has in a header", async () => {
    const sent = { headers: { "X-Event-Id": "e-1" } };
    const found = await verdicts([{ id: "same" }, { id: "same" }], "$", {}, sent);
    expect(found).toMatchObject([{ eventId: "e-1#0" }, { eventId: "e-1#1" }]);
  });

  it("has the id at the configured path within the item", async () => {
    const eventId = { in: "body" as const, path: "key" };
    const found = await verdicts([{ key: "x" }, { key: "y" }], "$", { eventId });
    expect(found).toMatchObject([{ eventKey: "x" }, { eventKey: "y" }]);
  });
});

it.each([
  ["$", null],
  ["entry[*].changes", null],
  ["[*].events", null],
  ["events..a", "lacks a name at character 8"],
  ["entry[x]", "has a [ at character 6 without an index and ]; write \\[ in a name"],
])("the path %s of a list has the fault %j", (path, message) => {
  expect(splitFault(path)?.message ?? null).toBe(message);
});
