import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../../src/contract/inbound/endpoint.ts";
import { freshness } from "../../../../src/inbound/checks/authentication.ts";
import { endpointWith, NOW, requestWith } from "../../../support/hook-request.ts";
import { rulesOf, verdictOf } from "./support.ts";

type Protection = EndpointConfig["replayProtection"];

const STALE = "unauthorized: freshness";
const TOLERANCE = 300_000;

const at = (changes: Partial<Protection> = {}) =>
  endpointWith({
    replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null, ...changes },
  });

const inBody = { in: "body", path: "meta.sent_at" } as const;
const inHeader = { in: "header", path: "X-Sent-At" } as const;

describe("the time of sending may be off", () => {
  it.each([
    [0, "passed"],
    [-TOLERANCE, "passed"],
    [TOLERANCE, "passed"],
    [-TOLERANCE - 1, STALE],
    [TOLERANCE + 1, STALE],
  ])("by %i ms: %s", async (off, verdict) => {
    const sentAt = NOW + off;
    const iso = new Date(sentAt).toISOString();
    const found = { payload: { timestamp: iso } };
    expect(await rulesOf(freshness, at(), requestWith(), found)).toBe(verdict);
    expect(await rulesOf(freshness, at(), requestWith(), { signedAt: sentAt })).toBe(verdict);
    const named = { payload: { meta: { sent_at: sentAt } } };
    expect(await rulesOf(freshness, at({ timestamp: inBody }), requestWith(), named)).toBe(verdict);
    const request = requestWith({ headers: { "X-Sent-At": iso } });
    expect(await rulesOf(freshness, at({ timestamp: inHeader }), request)).toBe(verdict);
  });

  it("by as much as the endpoint allows", async () => {
    const found = { signedAt: NOW - 10_000 };
    expect(await rulesOf(freshness, at({ toleranceSeconds: 10 }), requestWith(), found)).toBe(
      "passed",
    );
    expect(await rulesOf(freshness, at({ toleranceSeconds: 9 }), requestWith(), found)).toBe(STALE);
  });

  it("by anything where replay protection is off", async () => {
    const found = { signedAt: 0, payload: { timestamp: 0 } };
    expect(await rulesOf(freshness, at({ enabled: false }), requestWith(), found)).toBe("skipped");
  });
});

describe("where the setting names no place", () => {
  const judged = (found: Parameters<typeof rulesOf>[3]) =>
    rulesOf(freshness, at(), requestWith(), found);

  it("the signed time comes before the one in the body", async () => {
    expect(await judged({ signedAt: NOW, payload: { timestamp: 0 } })).toBe("passed");
    expect(await judged({ signedAt: 0, payload: { timestamp: NOW } })).toBe(STALE);
  });

  it.each([
    [{}],
    [{ timestamp: "some day" }],
    [{ timestamp: null }],
    [{ nested: { timestamp: 0 } }],
    [[{ timestamp: 0 }]],
    ["text"],
  ])("a body that tells no time is taken: %j", async (payload) => {
    expect(await judged({ payload: structuredClone(payload) })).toBe("skipped");
  });

  it("a time that a prototype carries is none", async () => {
    const payload = Object.create({ timestamp: 0 });
    expect(await judged({ payload })).toBe("skipped");
  });
});

describe("where the setting names a place", () => {
  it("nothing else is looked at", async () => {
    const found = { signedAt: NOW, payload: { timestamp: NOW } };
    for (const timestamp of [inBody, inHeader]) {
      expect(await rulesOf(freshness, at({ timestamp }), requestWith(), found)).toBe(STALE);
    }
  });

  it.each(["", "soon", "2026-11-18", "[object Object]"])("%j is refused there", async (text) => {
    const request = requestWith({ headers: { "X-Sent-At": text } });
    expect(await rulesOf(freshness, at({ timestamp: inHeader }), request)).toBe(STALE);
    const found = { payload: { meta: { sent_at: text } } };
    expect(await rulesOf(freshness, at({ timestamp: inBody }), request, found)).toBe(STALE);
  });

  it.each(["__proto__.sent_at", "constructor.name", "meta.__proto__", "meta..x", "["])(
    "%s leads to nothing that the sender did not write",
    async (path) => {
      const found = { payload: { meta: { sent_at: NOW } } };
      const place = { in: "body", path } as const;
      const verdict = await verdictOf(freshness, at({ timestamp: place }), requestWith(), found);
      expect(verdict).toMatchObject({
        errors: [{ path, message: "The timestamp is missing." }],
      });
    },
  );

  it("a body that was not parsed is not judged", async () => {
    expect(await rulesOf(freshness, at({ timestamp: inBody }), requestWith())).toBe("skipped");
  });
});

it("says how old it is, with a challenge", async () => {
  const verdict = await verdictOf(freshness, at(), requestWith(), { signedAt: NOW - 300_001 });
  expect(verdict).toMatchObject({
    errors: [{ message: "The request is 301 s old; the limit is 300 s." }],
    headers: { "WWW-Authenticate": expect.any(String) },
  });
});
