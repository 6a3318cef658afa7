import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../src/contract/inbound/payload.ts";
import type { Place, PresetName } from "../../../src/contract/inbound/signature.ts";
import { eventIdOf } from "../../../src/inbound/event-id.ts";
import { presetOf } from "../../../src/inbound/signatures/presets.ts";
import { configWith } from "../../support/endpoint.ts";
import { authWith, KEPT } from "../../support/hook-request.ts";

function idIn(
  payload: PayloadValue | undefined,
  headers: Record<string, string> = {},
  { eventId = null, preset }: { eventId?: Place | null; preset?: PresetName } = {},
) {
  const hmac = preset ? { preset, scheme: presetOf(preset).scheme, secret: KEPT } : null;
  const config = configWith({ eventId, auth: authWith({ hmac }) });
  return eventIdOf(config, new Headers(headers), payload);
}

describe("the event's id", () => {
  it.each([
    [{ id: "evt_1" }, "evt_1"],
    [{ event_id: "evt_2" }, "evt_2"],
    [{ eventId: "evt_3" }, "evt_3"],
    [{ eventId: "c", event_id: "b", id: "a" }, "a"],
    [{ id: 17 }, "17"],
    [{ id: 12345678901234567890n }, "12345678901234567890"],
    [{ id: null, event_id: "b" }, "b"],
    [{ id: "", event_id: "b" }, "b"],
    [{ id: { oid: "1" }, eventId: "c" }, "c"],
  ] as [PayloadValue, string][])("in %s is found", async (payload, id) => {
    expect(await idIn(payload)).toBe(id);
  });

  it.each([
    [{}],
    [{ ID: "x" }],
    [{ event: { id: "x" } }],
    [{ id: true }],
    [[{ id: "x" }]],
    ["id"],
    [null],
  ])("is not in %j", async (payload) => {
    expect(await idIn(structuredClone(payload))).toBe(null);
  });

  it("is not one that a prototype carries", async () => {
    expect(await idIn(Object.create({ id: "inherited" }))).toBe(null);
  });

  it("is where the setting says, and nowhere else", async () => {
    const header: Place = { in: "header", path: "X-Event-Id" };
    const body: Place = { in: "body", path: "data[0].ref" };
    const payload = { id: "of the order", data: [{ ref: 9 }] };
    expect(await idIn(payload, { "x-event-id": "h" }, { eventId: header })).toBe("h");
    expect(await idIn(payload, {}, { eventId: header })).toBe(null);
    expect(await idIn(payload, {}, { eventId: body })).toBe("9");
    expect(await idIn({ id: "of the order" }, {}, { eventId: body, preset: "github" })).toBe(null);
  });

  it("is where the provider puts it, else in the body", async () => {
    const headers = { "X-GitHub-Delivery": "d-1" };
    expect(await idIn({ id: "x" }, headers, { preset: "github" })).toBe("d-1");
    expect(await idIn({ id: "x" }, headers, { preset: "stripe" })).toBe("x");
    expect(await idIn({ id: "x" }, {}, { preset: "github" })).toBe("x");
  });

  it("is known from a header before the body is parsed", async () => {
    expect(await idIn(undefined, { "X-GitHub-Delivery": "d-1" }, { preset: "github" })).toBe("d-1");
    expect(await idIn(undefined)).toBe(null);
  });

  it("is kept as a hash when it is long, and still told from another", async () => {
    expect(await idIn({ id: "a".repeat(200) })).toBe("a".repeat(200));
    const [one, other] = [await idIn({ id: "a".repeat(201) }), await idIn({ id: "a".repeat(202) })];
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(one).not.toBe(other);
  });
});
