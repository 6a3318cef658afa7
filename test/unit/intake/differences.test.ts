import { describe, expect, it } from "vitest";
import type { ReceivedRequest } from "../../../src/contract/webhooks/inbox.ts";
import { differencesOf } from "../../../src/intake/differences.ts";
import { loggedRequest } from "../../support/logged.ts";

function between(first: unknown, duplicate: unknown, changes: Partial<ReceivedRequest> = {}) {
  return differencesOf(loggedRequest(first).request, loggedRequest(duplicate, changes).request);
}

describe("the differences of a duplicate from the first request", () => {
  it("are none for the same payload in other words", async () => {
    expect(await between({ a: 1, b: [2] }, { b: [2.0], a: 1 })).toEqual([]);
  });

  it("name each value that changed, appeared or went missing", async () => {
    const first = { id: 7, order: { status: "paid", tags: ["a", "b"] } };
    const duplicate = { id: 7, order: { status: "sent", tags: ["a"], note: null } };
    expect(await between(first, duplicate)).toEqual([
      { path: "order.status", first: '"paid"', duplicate: '"sent"' },
      { path: "order.tags[1]", first: '"b"', duplicate: null },
      { path: "order.note", first: null, duplicate: "null" },
    ]);
  });

  it("name the payload itself where its type changed", async () => {
    expect(await between([1], "one")).toEqual([{ path: "$", first: "[1]", duplicate: '"one"' }]);
  });

  it("are at most 50, of 200 characters each", async () => {
    const first = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`k${n}`, n]));
    expect(await between(first, {})).toHaveLength(50);
    const [long] = (await between({ a: "x".repeat(900) }, { a: 1 })) ?? [];
    expect(long?.first).toHaveLength(201);
  });

  it("are unknown where a body is not logged in full", async () => {
    expect(await between({}, {}, { bodyTruncated: true })).toBe(null);
    expect(await between({}, {}, { body: new TextEncoder().encode("{") })).toBe(null);
  });
});
