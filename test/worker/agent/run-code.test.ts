import { describe, expect, it } from "vitest";
import * as z from "zod";
import { HOSTILE, type HostileProgram } from "../../support/hostile-code.ts";
import { execute, type TestExecution } from "../../support/worker/objects.ts";
import { promptOf, type ScriptedStep } from "../../support/worker/scripted.ts";

/** One for each error; all of them run outside of the service, in Node. */
const chosen = [...new Map(HOSTILE.toReversed().map((each) => [each.ends, each])).values()];

const runs = (code: string, id: string): ScriptedStep => ({
  calls: [{ tool: "run_code", id, input: { code } }],
});

const finished = z.object({
  callId: z.string(),
  error: z.object({ code: z.string() }).optional(),
});

/** What came of each call, by its id: its error's code, or `survives`. */
async function outcomesOf(execution: TestExecution): Promise<Map<string, string>> {
  const query = { after: 0, limit: 1_000, waitMs: 0 };
  const reply = await execution.session().events(execution.account.accountId, query);
  if (reply.kind !== "found") throw new Error("the log is not there");
  return new Map(
    reply.events
      .filter(({ type }) => type === "tool.finished")
      .map(({ data }) => finished.parse(data))
      .map(({ callId, error }) => [callId, error?.code ?? "survives"]),
  );
}

async function runAll(programs: readonly Pick<HostileProgram, "code">[]): Promise<TestExecution> {
  const [first, ...others] = programs.map(({ code }, index) => runs(code, `call_${index}`));
  if (first === undefined) throw new Error("there is nothing to run");
  return execute({
    tools: ["run_code"],
    maxSteps: programs.length + 2,
    maxCredits: 1_000,
    prompt: promptOf(first, ...others, runs("return 6 * 7", "last"), {
      finish: { summary: "Survived." },
    }),
  });
}

describe("run_code in the service", () => {
  it("ends each hostile program with its error, and the work continues", async () => {
    const execution = await runAll(chosen);
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    const outcomes = await outcomesOf(execution);
    expect(chosen.map(({ does }, index) => [does, outcomes.get(`call_${index}`)])).toEqual(
      chosen.map(({ does, ends }) => [does, ends]),
    );
    expect(outcomes.get("last")).toBe("survives");
  }, 120_000);
});
