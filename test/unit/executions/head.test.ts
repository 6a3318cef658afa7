import { describe, expect, it } from "vitest";
import { nextWakeup } from "../../../src/executions/journal/head.ts";

const NOW = Date.UTC(2026, 0, 1);

describe("the next wake-up of an execution", () => {
  it("is the first one, or null without any", () => {
    expect(nextWakeup({ step: NOW - 5, deadline: NOW + 5 }, NOW)).toBe(NOW - 5);
    expect(nextWakeup({}, NOW)).toBeNull();
  });

  it("includes one of newer code, and never lies in the past", () => {
    expect(nextWakeup({ dream: NOW + 5, deadline: NOW + 10 }, NOW)).toBe(NOW + 5);
    const next = nextWakeup({ dream: NOW - 5 }, NOW) ?? 0;
    expect(next).toBeGreaterThan(NOW);
    expect(nextWakeup({ dream: NOW - 5, deadline: NOW + 10 }, NOW)).toBe(NOW + 10);
  });
});
