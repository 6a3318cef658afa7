import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { SourceFault, SourceFollower } from "../../../src/endpoints/source.ts";
import { configWith } from "../../support/endpoint.ts";
import { tableStorage } from "../../support/table-storage.ts";

const NOW = Date.UTC(2026, 10, 28);
const SOURCE = {
  mcpServerId: "mcp_4kQ0mYb2Zt7RcX1a",
  event: "orders.created",
  arguments: {},
  origin: "https://prompthook.example",
};
const list = (...delivery: string[]) => ({ events: [{ name: "orders.created", delivery }] });
const answered = (result: JsonObject) => result;

/** A follower over storage that survives it, with a server whose answers the test gives by method. */
function world(answers: Record<string, () => JsonObject>) {
  const { kv } = tableStorage();
  const asked: [method: string, params: JsonObject][] = [];
  const delivered: string[] = [];
  let config: EndpointConfig = configWith({ source: SOURCE });
  let refusal: string | null = null;
  const start = () =>
    new SourceFollower({
      kv,
      config: () => config,
      async ask(_, method, params) {
        asked.push([method, params]);
        const answer = answers[method];
        if (answer === undefined) throw new SourceFault("no such method");
        return answer();
      },
      address: () => "https://prompthook.example/hooks/ep_1",
      async secret() {
        if (config.source === null || config.deleted) throw new Error("There is no secret.");
        return "whsec_a";
      },
      async deliver(_, { eventId }) {
        if (refusal === null) delivered.push(eventId);
        return refusal;
      },
    });
  return {
    start,
    asked,
    delivered,
    methods: () => asked.map(([method]) => method),
    set: (changes: Partial<EndpointConfig>) => {
      config = { ...config, ...changes };
    },
    refuse: (reason: string | null) => {
      refusal = reason;
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe("a source that delivers by webhook", () => {
  const subscribing = {
    "events/list": () => answered(list("webhook", "poll")),
    "events/subscribe": () =>
      answered({ id: "sub_1", refreshBefore: new Date(Date.now() + 60_001).toISOString() }),
    "events/unsubscribe": () => answered({}),
  };

  it("is subscribed to, and renewed at half of the subscription's life", async () => {
    const { start, asked, methods } = world(subscribing);
    const follower = start();
    expect(follower.state()).toEqual({ state: "pending", reason: null });
    expect(await follower.advance()).toBe(NOW + 30_000);
    expect(follower.state()).toEqual({ state: "active", reason: null });
    const url = "https://prompthook.example/hooks/ep_1";
    const delivery = { mode: "webhook", url, secret: "whsec_a" };
    const params = { name: "orders.created", arguments: {}, cursor: null, delivery };
    expect(asked.at(-1)).toEqual(["events/subscribe", params]);
    await follower.advance();
    expect(methods()).toEqual(["events/list", "events/subscribe"]);
    vi.setSystemTime(NOW + 30_000);
    await start().advance();
    expect(methods()).toEqual(["events/list", "events/subscribe", "events/subscribe"]);
  });

  it.each([
    ["disabled", { enabled: false }],
    ["deleted", { deleted: true }],
    ["left without a source", { source: null }],
  ])("is unsubscribed from if the endpoint is %s", async (_, change) => {
    const { start, set, methods } = world(subscribing);
    await start().advance();
    set(change);
    const follower = start();
    expect(follower.dueAt()).toBe(0);
    expect(await follower.advance()).toBeNull();
    expect(methods().at(-1)).toBe("events/unsubscribe");
    expect(follower.dueAt()).toBeNull();
  });

  it("is unsubscribed and subscribed anew for another event", async () => {
    const { start, set, asked } = world(subscribing);
    await start().advance();
    set({ source: { ...SOURCE, arguments: { when: "paid" } } });
    await start().advance();
    expect(asked.slice(-3)).toMatchObject([
      ["events/unsubscribe", { arguments: {} }],
      ["events/list", {}],
      ["events/subscribe", { arguments: { when: "paid" } }],
    ]);
  });
});

describe("a source that is polled", () => {
  it("delivers its events in order, page by page, and resumes after a restart", async () => {
    const pages = [
      { events: ["a", "b"], cursor: "e2", hasMore: true },
      { events: ["c"], cursor: "e3", hasMore: false, nextPollMs: 5_000 },
      { events: [], cursor: "e3" },
    ].map(({ events, ...page }) => ({
      ...page,
      events: events.map((eventId) => ({ eventId, timestamp: "2026-11-28T00:00:00Z", data: {} })),
    }));
    const { start, delivered, asked } = world({
      "events/list": () => answered(list("poll")),
      "events/poll": () => answered(pages.shift() ?? {}),
    });
    expect(await start().advance()).toBe(NOW);
    expect(await start().advance()).toBe(NOW + 5_000);
    vi.setSystemTime(NOW + 5_000);
    await start().advance();
    expect(delivered).toEqual(["a", "b", "c"]);
    const cursors = asked
      .filter(([method]) => method === "events/poll")
      .map(([, { cursor }]) => cursor);
    expect(cursors).toEqual([null, "e2", "e3"]);
  });

  it("is asked again only after a wait if a page with more to come does not advance", async () => {
    const { start } = world({
      "events/list": () => answered(list("poll")),
      "events/poll": () => answered({ events: [], cursor: "e1", hasMore: true, nextPollMs: 7_000 }),
    });
    expect(await start().advance()).toBe(NOW);
    expect(await start().advance()).toBe(NOW + 7_000);
  });

  it("is polled for the same page while the endpoint accepts no event", async () => {
    const event = { eventId: "a", timestamp: "2026-11-28T00:00:00Z", data: {} };
    const { start, delivered, refuse, asked } = world({
      "events/list": () => answered(list("poll")),
      "events/poll": () => answered({ events: [event], cursor: "e1" }),
    });
    refuse("The endpoint has too many requests now.");
    const follower = start();
    const again = (await follower.advance()) ?? 0;
    expect(follower.state()).toMatchObject({ state: "failing", reason: /too many requests/ });
    refuse(null);
    vi.setSystemTime(again);
    await follower.advance();
    expect(delivered).toEqual(["a"]);
    expect(asked.at(-1)).toMatchObject(["events/poll", { cursor: null }]);
  });
});

describe("a source that cannot be followed", () => {
  it("is retried with growing gaps, with the reason", async () => {
    const { start } = world({
      "events/list": () => {
        throw new SourceFault("HTTP 503");
      },
    });
    const follower = start();
    const waits: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const next = (await follower.advance()) ?? 0;
      waits.push((next - Date.now()) / 1_000);
      vi.setSystemTime(next);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect(follower.state()).toEqual({ state: "failing", reason: "HTTP 503" });
  });

  it("ends if the account no longer has the server", async () => {
    const { start } = world({
      "events/list": () => {
        throw new SourceFault("The MCP server was removed.", true);
      },
    });
    const follower = start();
    expect(await follower.advance()).toBeNull();
    expect(follower.state()).toEqual({ state: "ended", reason: "The MCP server was removed." });
  });

  it.each([
    ["has no such event", { events: [] }, "The server has no event orders.created."],
    ["delivers it in a way of its own", list("push"), /neither by webhook nor by poll/],
    ["answers in an unknown form", { event: "orders.created" }, /in an unknown form/],
  ])("fails if the server %s", async (_, result, reason) => {
    const { start } = world({ "events/list": () => answered(result) });
    const follower = start();
    await follower.advance();
    expect(follower.state()).toMatchObject({ state: "failing" });
    expect(follower.state()?.reason).toMatch(reason);
  });
});
