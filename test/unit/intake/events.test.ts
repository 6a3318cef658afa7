import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import type { FieldPlace, PresetName } from "../../../src/contract/webhooks/signature.ts";
import { eventIdOf, eventTypeOf } from "../../../src/intake/events.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import { configWith } from "../../support/endpoint.ts";
import { authWith, KEPT, requestWith } from "../../support/hook-request.ts";

interface Setting {
  eventId?: EndpointConfig["eventId"];
  preset?: PresetName;
}

function found(
  payload: PayloadValue | undefined,
  headers: Record<string, string> = {},
  { eventId = null, preset }: Setting = {},
) {
  const hmac = preset ? { preset, scheme: presetOf(preset).scheme, secret: KEPT } : null;
  const config = configWith({ eventId, auth: authWith({ hmac }) });
  const body = JSON.stringify(payload, (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return eventIdOf(config, requestWith({ headers, body: body ?? "" }), payload);
}

const idIn = async (...args: Parameters<typeof found>) => (await found(...args)).eventId;

describe("the event's id", () => {
  it.each([
    [{ event_id: "evt_2" }, "evt_2"],
    [{ eventId: "evt_3" }, "evt_3"],
    [{ eventId: "c", event_id: "b", id: "a" }, "b"],
    [{ event_id: 12345678901234567890n }, "12345678901234567890"],
    [{ event_id: null, eventId: "b" }, "b"],
    [{ event_id: "", eventId: "b" }, "b"],
    [{ event_id: { oid: "1" }, eventId: "c" }, "c"],
  ] as [PayloadValue, string][])("in %s is found", async (payload, id) => {
    expect(await idIn(payload)).toBe(id);
  });

  it.each(["webhook-id", "svix-id", "X-Event-Id", "X-Webhook-Id", "ce-id", "Idempotency-Key"])(
    "in the header %s is found without a setting",
    async (path) => {
      expect(await found({ event_id: "b", id: "a" }, { [path]: "h-1" })).toMatchObject({
        eventKey: "h-1",
        eventId: "h-1",
        eventIdSource: { rule: "header", in: "header", path },
      });
    },
  );

  it("of a cloud event belongs to its source", async () => {
    const from = (source: string) => found({}, { "ce-id": "1", "ce-source": source });
    expect(await from("/shop/a")).toEqual(await from("/shop/a"));
    expect(await from("/shop/a")).toMatchObject({ eventId: "1", eventKey: "/shop/a#1" });
    expect(await from("/shop/b")).toMatchObject({ eventId: "1", eventKey: "/shop/b#1" });
  });

  it("of Shopify belongs to its topic: one action of a merchant has several with the same id", async () => {
    const of = (topic: Record<string, string>) =>
      found({}, { "X-Shopify-Event-Id": "e-1", ...topic }, { preset: "shopify" });
    for (const [topic, eventKey] of [
      [{ "X-Shopify-Topic": "orders/create" }, "orders/create#e-1"],
      [{ "Shopify-Topic": "orders/paid" }, "orders/paid#e-1"],
      [{}, "e-1"],
    ] as const) {
      expect(await of({ ...topic })).toMatchObject({ eventId: "e-1", eventKey });
    }
  });

  it("of a batch of several events is its own, shared only by the same batch", async () => {
    const of = (...ids: (string | null)[]) => {
      const events = ids.map((id) => (id === null ? {} : { webhookEventId: id }));
      return found({ events }, {}, { preset: "line" });
    };
    expect(await of("a")).toMatchObject({ eventId: "a", eventKey: "a" });
    const both = await of("a", "b");
    expect(both.eventKey).not.toBe("a");
    expect(both).toEqual(await of("a", "b"));
    const keys = [both, await of("a", "c"), await of("b", "a"), await of("a", "b", "c")];
    expect(new Set(keys.map(({ eventKey }) => eventKey)).size).toBe(keys.length);
    expect((await of("a", null)).eventKey).toBe(null);
    expect((await of()).eventKey).toBe(null);
  });

  it.each<{ payload: PayloadValue }>([
    { payload: { ID: "x" } },
    { payload: { event: { id: "x" } } },
    { payload: { id: true } },
    { payload: [{ id: "x" }] },
    { payload: "id" },
    { payload: null },
    { payload: Object.create({ event_id: "inherited" }) },
  ])("is not found in $payload", async ({ payload }) => {
    const none = { eventId: null, eventIdSource: null, eventKey: null };
    expect(await found(payload)).toEqual(none);
  });

  it("is only at the configured place", async () => {
    const header: FieldPlace = { in: "header", path: "X-Event-Id" };
    const body: FieldPlace = { in: "body", path: "data[0].ref" };
    const payload = { id: "of the order", data: [{ ref: 9 }] };
    expect(await idIn(payload, { "x-event-id": "h" }, { eventId: header })).toBe("h");
    expect(await idIn(payload, {}, { eventId: header })).toBe(null);
    expect(await found(payload, {}, { eventId: body })).toEqual({
      eventId: "9",
      eventKey: "9",
      eventIdSource: { rule: "endpoint", ...body },
    });
    expect(await idIn({ id: "of the order" }, {}, { eventId: body, preset: "github" })).toBe(null);
  });

  it("is not searched if tracking is off", async () => {
    const headers = { "X-GitHub-Delivery": "d-1", "X-Event-Id": "e-1" };
    expect(await idIn({ id: "x" }, headers, { eventId: false, preset: "github" })).toBe(null);
  });

  it("is at the provider's place, else at a usual place", async () => {
    const headers = { "X-GitHub-Delivery": "d-1" };
    expect(await found({ id: "x" }, headers, { preset: "github" })).toEqual({
      eventId: "d-1",
      eventKey: "d-1",
      eventIdSource: { rule: "preset", in: "header", path: "X-GitHub-Delivery" },
    });
    expect(await idIn({ id: "x" }, headers, { preset: "stripe" })).toBe("x");
    expect(await idIn({ event_id: "x" }, {}, { preset: "github" })).toBe("x");
  });

  it("is known from a header before the body is parsed", async () => {
    expect(await idIn(undefined, { "X-GitHub-Delivery": "d-1" }, { preset: "github" })).toBe("d-1");
    expect(await idIn(undefined)).toBe(null);
  });

  it("is stored as a hash when it is long, and stays distinct", async () => {
    const idOf = (length: number) => idIn({ event_id: "a".repeat(length) });
    expect(await idOf(200)).toBe("a".repeat(200));
    const [one, other] = [await idOf(201), await idOf(202)];
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(one).not.toBe(other);
  });
});

describe("a bare id in the body", () => {
  it("identifies the event only together with the payload's bytes", async () => {
    const paid = await found({ id: 1007, status: "paid" });
    expect(paid).toEqual({
      eventId: "1007",
      eventIdSource: { rule: "body_and_hash", in: "body", path: "id" },
      eventKey: expect.stringMatching(/^1007\+[0-9a-f]{32}$/),
    });
    const { eventKey } = await found({ id: 1007, status: "shipped" });
    expect(await found({ id: 1007, status: "paid" })).toEqual(paid);
    expect(eventKey).not.toBe(paid.eventKey);
  });

  it("is combined with the query of a GET", async () => {
    const keyOf = async (query: string) => {
      const request = requestWith({ method: "GET", url: `https://h.example/?${query}`, body: "" });
      return (await eventIdOf(configWith(), request, { id: "7" })).eventKey;
    };
    expect(await keyOf("id=7&status=paid")).toBe(await keyOf("id=7&status=paid"));
    expect(await keyOf("id=7&status=paid")).not.toBe(await keyOf("id=7&status=shipped"));
  });
});

const GITHUB = configWith({
  auth: authWith({ hmac: { preset: "github", scheme: presetOf("github").scheme, secret: KEPT } }),
});
const typed = { type: "order.paid" };

it.each([
  ["the place of the preset first", GITHUB, { "X-GitHub-Event": "issues" }, typed, "issues"],
  ["the usual places where the preset's is empty", GITHUB, {}, typed, "order.paid"],
  ["the header of CloudEvents", configWith(), { "ce-type": "ev.paid" }, typed, "ev.paid"],
  ["200 characters of a long type", configWith(), {}, { event: "a".repeat(300) }, "a".repeat(200)],
  ["no type in an object", configWith(), {}, { event: { id: 1 } }, null],
  ["no type before the body is parsed", configWith(), {}, undefined, null],
])("the event's type: %s", (_, config, headers, payload, type) => {
  expect(eventTypeOf(config, requestWith({ headers }), payload)).toBe(type);
});
