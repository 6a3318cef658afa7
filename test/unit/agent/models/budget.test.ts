import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ANSWER_LIMIT,
  answerLimits,
  CONVERSATION_LIMIT,
  OLD_ANSWER_LIMIT,
} from "../../../../src/agent/models/budget.ts";

const big = (count: number) => new Array<number>(count).fill(1_000_000);

describe("answerLimits", () => {
  it("cuts nothing short while the conversation is short", () => {
    expect(answerLimits([100, 20_000, 300], 1, 5_000)).toEqual(new Array(3).fill(ANSWER_LIMIT));
  });

  it("cuts the oldest first when the conversation is long, and the newest not at all", () => {
    const limits = answerLimits(big(20), 2, 10_000);
    // (240,000 - 10,000) / 16,384 is 14 and a bit.
    expect(limits).toEqual([
      ...new Array(6).fill(OLD_ANSWER_LIMIT),
      ...new Array(14).fill(ANSWER_LIMIT),
    ]);
  });

  it("keeps every answer before the first that does not fit short, small ones too", () => {
    const limits = answerLimits([10, 1_000_000, ...big(14)], 1, 0);
    expect(limits.slice(0, 3)).toEqual([OLD_ANSWER_LIMIT, OLD_ANSWER_LIMIT, ANSWER_LIMIT]);
  });

  it("keeps the newest answers whole though the user's words took all the room", () => {
    expect(answerLimits(big(3), 1, CONVERSATION_LIMIT - ANSWER_LIMIT)).toEqual([
      OLD_ANSWER_LIMIT,
      OLD_ANSWER_LIMIT,
      ANSWER_LIMIT,
    ]);
  });

  it("shares the room when more came at once than it holds", () => {
    expect(answerLimits(big(32), 32, 0)).toEqual(new Array(32).fill(CONVERSATION_LIMIT / 32));
  });

  it("never shows less than the least, however little room there is", () => {
    expect(answerLimits(big(2), 1, 10 * CONVERSATION_LIMIT)).toEqual([
      OLD_ANSWER_LIMIT,
      OLD_ANSWER_LIMIT,
    ]);
  });

  it("never shows more of an older answer again as the conversation grows", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 40 });
    const growth = fc.integer({ min: 0, max: 50_000 });
    fc.assert(
      fc.property(lengths, growth, growth, (all, fixed, more) => {
        const before = answerLimits(all.slice(0, -1), 1, fixed).slice(0, -1);
        const after = answerLimits(all, 1, fixed + more);
        for (const [index, limit] of before.entries()) {
          expect(after[index]).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it("keeps the whole within the room, but for the older answers that are cut", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 200_000 }), (all, fixed) => {
        const newest = Math.min(all.length, 3);
        const limits = answerLimits(all, newest, fixed);
        const shown = limits.map((limit, index) => Math.min(limit, all[index] ?? 0));
        const cut = limits.filter((limit) => limit === OLD_ANSWER_LIMIT).length;
        const total = fixed + shown.reduce((sum, length) => sum + length, 0);
        expect(total).toBeLessThanOrEqual(
          Math.max(CONVERSATION_LIMIT, fixed) + cut * OLD_ANSWER_LIMIT,
        );
      }),
    );
  });
});
