import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Balance, EMPTY_BALANCE, grant, hold, settle } from "../../../src/accounts/balance.ts";

const USUAL = 50;
const withCredits = (credits: number) =>
  credits === 0 ? EMPTY_BALANCE : grant(EMPTY_BALANCE, credits);

it.each([
  [30, 30, { held: 30, because: "budget", after: { available: 0, held: 30 } }],
  [100, null, { held: 50, because: "budget" }],
  [50, null, { held: 50, because: "budget" }],
  [49, null, { held: 49, because: "balance" }],
  [29, 30, { ok: false, needed: 30 }],
  [0, null, { ok: false, needed: 1 }],
])("a hold of %i credits, asked for %s, comes to %j", (credits, asked, outcome) => {
  expect(hold(withCredits(credits), asked, USUAL)).toMatchObject(outcome);
});

describe("a settlement", () => {
  const held = { granted: 100, available: 70, held: 30, consumed: 0 };

  it("consumes the used credits and releases the rest", () => {
    expect(settle(held, 30, 12)).toEqual({ granted: 100, available: 88, held: 0, consumed: 12 });
  });

  it("consumes between zero and the held credits", () => {
    expect(settle(held, 30, 31)).toMatchObject({ available: 70, consumed: 30 });
    expect(settle(held, 30, -1)).toMatchObject({ available: 100, consumed: 0 });
  });

  it("rejects the end of an unknown hold", () => {
    expect(() => settle(held, 31, 5)).toThrow();
  });
});

it("refuses to store a balance that does not add up", () => {
  const wrong: Balance = { granted: 10, available: 5, held: 0, consumed: 0 };
  expect(() => grant(wrong, 1)).toThrow("does not add up");
});

const step = fc.oneof(
  fc.record({ what: fc.constant("grant" as const), amount: fc.integer({ min: 1, max: 200 }) }),
  fc.record({
    what: fc.constant("hold" as const),
    asked: fc.option(fc.integer({ min: 1, max: 100 })),
  }),
  fc.record({
    what: fc.constant("settle" as const),
    pick: fc.nat(),
    used: fc.integer({ min: -5, max: 120 }),
  }),
);

it("adds up, and never goes below zero, under any sequence", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      let balance = EMPTY_BALANCE;
      let granted = 0;
      const holds: number[] = [];
      for (const event of steps) {
        if (event.what === "grant") {
          granted += event.amount;
          balance = grant(balance, event.amount);
        } else if (event.what === "hold") {
          const outcome = hold(balance, event.asked, USUAL);
          if (outcome.ok) {
            holds.push(outcome.held);
            balance = outcome.after;
          }
        } else if (holds.length > 0) {
          const [ended = 0] = holds.splice(event.pick % holds.length, 1);
          balance = settle(balance, ended, event.used);
        }
        const { available, held, consumed } = balance;
        expect(balance.granted).toBe(granted);
        expect(available + held + consumed).toBe(granted);
        expect(held).toBe(holds.reduce((sum, amount) => sum + amount, 0));
        expect(Math.min(available, held, consumed)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
