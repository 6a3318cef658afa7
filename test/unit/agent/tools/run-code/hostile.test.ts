import { describe, expect, it } from "vitest";
import { FUEL } from "../../../../../src/agent/tools/run-code/limits.ts";
import type { RunResult } from "../../../../../src/agent/tools/run-code.ts";
import { HOSTILE, type HostileProgram } from "../../../../support/hostile-code.ts";
import { nodeSandboxOf } from "../../../../support/sandbox.ts";

/**
 * The part of its time that a program has: what would go on for ever shows in a small one that everything
 * pays its share, while other limits take longer to reach.
 */
const shareOf = (ends: HostileProgram["ends"]): number => (ends === "time_limit" ? 0.04 : 0.5);

/**
 * The processor time that a share may take, so that other work counts for nothing: 2 s at most for a whole
 * one, and a fifth for what is not metered, such as the start of the engine, on a machine a third as fast.
 */
const boundMs = (share: number): number => 600 + 6_000 * share;

describe("a program that", () => {
  it.each(HOSTILE)(
    "$does comes to $ends in bounded time, and the next one runs",
    async ({ code, ends }) => {
      const share = shareOf(ends);
      const sandbox = nodeSandboxOf(FUEL * share);
      const run = (program: string): Promise<RunResult> =>
        sandbox.run({ code: program, input: null, answers: [] });
      const start = process.cpuUsage();
      const outcome = await run(code);
      const { user, system } = process.cpuUsage(start);
      expect(outcome.ok ? "survives" : outcome.error.code).toBe(ends);
      expect((user + system) / 1_000).toBeLessThan(boundMs(share));
      expect(JSON.stringify(outcome).length).toBeLessThan(600_000);
      expect(await run("return [{}.x, [].x, 1 + 1]")).toMatchObject({
        ok: true,
        content: { value: [null, null, 2] },
      });
    },
    30_000,
  );
});
