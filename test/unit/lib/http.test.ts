import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../src/lib/http.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

describe("retryAfterMs", () => {
  it("reads seconds", () => {
    expect(retryAfterMs("120", now)).toBe(120_000);
    expect(retryAfterMs(" 0 ", now)).toBe(0);
  });

  it("reads an HTTP date as the time from now", () => {
    expect(retryAfterMs("Sat, 21 Nov 2026 10:01:30 GMT", now)).toBe(90_000);
  });

  it("takes a date in the past as no wait", () => {
    expect(retryAfterMs("Sat, 21 Nov 2026 09:00:00 GMT", now)).toBe(0);
  });

  it.each([null, "", "soon", "-5", "1.5", "1e3", "99999999999", "Saturday"])(
    "says nothing about %j",
    (header) => {
      expect(retryAfterMs(header, now)).toBeNull();
    },
  );
});
