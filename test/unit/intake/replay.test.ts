import { describe, expect, it } from "vitest";
import type { Arrival, Receipt } from "../../../src/contract/webhooks/inbox.ts";
import { replay } from "../../../src/intake/replay.ts";
import { configWith } from "../../support/endpoint.ts";
import { loggedRequest } from "../../support/logged.ts";

const config = configWith({ version: 3 });
const original = loggedRequest({ id: "evt_9" });
const identity = { requestId: crypto.randomUUID(), receivedAt: 1_800_000_000_000 };
const again = { ...identity, edited: null, earlier: null };
const accepted: Receipt = { kind: "accepted", executionId: null, duplicate: false };

/** An inbox that answers with these receipts, one after another. */
function inboxThat(...receipts: Receipt[]) {
  const arrivals: Arrival[] = [];
  const configured: number[] = [];
  return {
    arrivals,
    configured,
    acceptBatch: async (batch: Arrival[]) =>
      batch.map((arrival) => {
        arrivals.push(arrival);
        return receipts[arrivals.length - 1] ?? accepted;
      }),
    configure: async ({ version }: { version: number }) => {
      configured.push(version);
    },
  };
}

const edited = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe("a replay", () => {
  it("is the original's request under its own id and time", async () => {
    const inbox = inboxThat();
    await replay(config, original, again, inbox);
    const { requestId: replayOf } = original.request;
    const request = { ...original.request, ...identity, replayOf, edited: false };
    const decision = { kind: "accept", eventId: "evt_1", eventKey: null };
    expect(inbox.arrivals).toEqual([
      { configVersion: 3, request, decision: expect.objectContaining(decision) },
    ]);
  });

  it("is a POST of JSON with another payload, without headers of the replaced body", async () => {
    const inbox = inboxThat();
    const form = loggedRequest("", {
      method: "GET",
      query: { id: "1" },
      contentType: "text/plain",
      headers: { "content-type": "text/plain", "content-encoding": "gzip", "x-shop": "a" },
      bodyTruncated: true,
    });
    const body = edited({ id: 2 });
    await replay(config, form, { ...identity, edited: body, earlier: null }, inbox);
    expect(inbox.arrivals[0]?.request).toMatchObject({
      method: "POST",
      query: {},
      headers: { "content-type": "application/json", "x-shop": "a" },
      contentType: "application/json",
      body,
      bodyTruncated: false,
      edited: true,
    });
    expect(inbox.arrivals[0]?.request.headers).not.toHaveProperty("content-encoding");
  });

  it("is one request for each item of a batch that was never split, and the item of one that was", async () => {
    const splitting = configWith({ split: { path: "events" } });
    const events = [{ id: 1 }, { id: 2 }];
    const inbox = inboxThat();
    await replay(splitting, loggedRequest({ events }), again, inbox);
    const { requestId } = identity;
    expect(inbox.arrivals.map(({ request, decision }) => ({ ...request, decision }))).toEqual(
      events.map((event, index) =>
        expect.objectContaining({
          body: edited(event),
          batch: { requestId, index, count: 2 },
          decision: expect.objectContaining({ eventId: String(event.id), eventKey: null }),
        }),
      ),
    );
    const [first, second] = inbox.arrivals;
    expect(first?.request.requestId).toBe(requestId);
    expect(second?.request.requestId).not.toBe(requestId);
    const logged = loggedRequest({ id: 2 });
    const batch = { requestId, index: 1, count: 2 };
    const item = { ...logged, entry: { ...logged.entry, batch } };
    const again2 = inboxThat();
    await replay(splitting, item, again, again2);
    expect(again2.arrivals).toMatchObject([{ decision: { kind: "accept" }, request: { batch } }]);
  });

  it("is checked again under a newer configuration", async () => {
    const strict = { ...config.validation, required: ["total"] };
    const newer = { ...config, version: 4, validation: strict };
    const inbox = inboxThat({ kind: "outdated", config: newer }, { kind: "noted" });
    const taken = await replay(config, original, again, inbox);
    expect(taken).toMatchObject({
      kind: "decided",
      first: { admission: { verdict: { kind: "refuse", refusal: { stage: "validation" } } } },
    });
    expect(inbox.arrivals.map(({ configVersion }) => configVersion)).toEqual([3, 4]);
    expect(inbox.arrivals[1]?.decision).toMatchObject({ kind: "refuse", httpStatus: 422 });
  });

  it("sends an inbox the configuration that it lacks", async () => {
    const inbox = inboxThat({ kind: "behind" });
    const taken = await replay(config, original, again, inbox);
    expect(taken).toMatchObject({ kind: "decided", first: { receipt: accepted } });
    expect(inbox.configured).toEqual([3]);
  });

  it("is not stored after the endpoint is deleted", async () => {
    const inbox = inboxThat({ kind: "outdated", config: { ...config, version: 4, deleted: true } });
    const taken = await replay(config, original, again, inbox);
    expect(taken).toEqual({ kind: "gone" });
    expect(inbox.arrivals).toHaveLength(1);
  });

  it("is checked only for its size, its form and its payload", async () => {
    const closed = configWith({
      enabled: false,
      methods: ["GET"],
      auth: { token: null, hmac: null, ipAllowlist: ["192.0.2.1"], headers: [] },
      replayProtection: {
        enabled: true,
        toleranceSeconds: 1,
        timestamp: { in: "body", path: "sent" },
      },
    });
    const small = { ...closed, validation: { ...closed.validation, maxBytes: 5 } };
    const stageUnder = async (under: typeof closed, changes = {}) => {
      const logged = loggedRequest({ id: "evt_9" }, changes);
      const taken = await replay(under, logged, again, inboxThat());
      if (taken.kind !== "decided") throw new Error(taken.kind);
      const { verdict } = taken.first.admission;
      return verdict.kind === "refuse" ? verdict.refusal.stage : verdict.kind;
    };
    expect(await stageUnder(closed)).toBe("accept");
    expect(await stageUnder(small)).toBe("size");
    expect(await stageUnder(closed, { contentType: "image/png" })).toBe("content_type");
    expect(await stageUnder(closed, { body: new Uint8Array([0x7b]) })).toBe("parse");
  });
});
