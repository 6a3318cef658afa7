import { describe, expect, it } from "vitest";
import { FUEL } from "../../../../../src/agent/tools/run-code/limits.ts";
import type { RunOutcome } from "../../../../../src/ports/sandbox.ts";
import { HOSTILE } from "../../../../support/hostile-code.ts";
import { nodeSandboxOf } from "../../../../support/sandbox.ts";

/** Each takes a part of the time that it could: what is shown is that everything pays its share. */
const SHARE = 0.5;
const sandbox = nodeSandboxOf(FUEL * SHARE);
/** Of the processor, so that other work counts for nothing: 2 s at most for a whole share, on a machine a third as fast. */
const BOUND_MS = 6_000 * SHARE;

const run = (code: string): Promise<RunOutcome> => sandbox.run({ code, input: null, answers: [] });

describe("a program that", () => {
  it.each(HOSTILE)(
    "$does comes to $ends in bounded time, and the next one runs",
    async ({ code, ends }) => {
      const start = process.cpuUsage();
      const outcome = await run(code);
      const { user, system } = process.cpuUsage(start);
      expect(outcome.ok ? "survives" : outcome.error.code).toBe(ends);
      expect((user + system) / 1_000).toBeLessThan(BOUND_MS);
      expect(JSON.stringify(outcome).length).toBeLessThan(600_000);
      expect(await run("return [{}.x, [].x, 1 + 1]")).toMatchObject({
        ok: true,
        content: { value: [null, null, 2] },
      });
    },
    30_000,
  );
});
