import { describe, expect, it } from "vitest";
import { FUEL } from "../../../../../src/agent/tools/run-code/limits.ts";
import { HOSTILE } from "../../../../support/hostile-code.ts";
import { nodeSandboxOf } from "../../../../support/sandbox.ts";

/**
 * Sandboxes with a part of the time that a program has: what would go on for ever shows in a small one that
 * everything pays its share, while other limits take longer to reach. Programs run in them one after the other,
 * so each also shows that the one before it has spoiled nothing.
 */
const SMALL = { share: 0.04, sandbox: nodeSandboxOf(FUEL * 0.04) };
const HALF = { share: 0.5, sandbox: nodeSandboxOf(FUEL * 0.5) };

/**
 * The processor time that a share may take, so that other work counts for nothing: 2 s at most for a whole
 * one, and a fifth for what is not metered, such as the start of the engine, on a machine a third as fast.
 */
const boundMs = (share: number): number => 600 + 6_000 * share;

describe("a program", () => {
  it.each(HOSTILE)(
    "that $does comes to $ends in bounded time",
    async ({ code, ends }) => {
      const { share, sandbox } = ends === "time_limit" ? SMALL : HALF;
      const start = process.cpuUsage();
      const outcome = await sandbox.run({ code, input: null, answers: [] });
      const { user, system } = process.cpuUsage(start);
      expect(outcome.ok ? "survives" : outcome.error.code).toBe(ends);
      expect((user + system) / 1_000).toBeLessThan(boundMs(share));
      expect(JSON.stringify(outcome).length).toBeLessThan(600_000);
    },
    30_000,
  );

  it("finds nothing of those before it", async () => {
    for (const { sandbox } of [SMALL, HALF]) {
      const code = "return [{}.x, [].x, 1 + 1]";
      expect(await sandbox.run({ code, input: null, answers: [] })).toMatchObject({
        ok: true,
        content: { value: [null, null, 2] },
      });
    }
  });
});
