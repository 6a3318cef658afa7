import { describe, expect, it } from "vitest";
import type { ExecutionResult } from "../../../../src/contract/execution.ts";
import { execute, mailbox, type TestExecution } from "../../../support/worker/objects.ts";
import { promptOf } from "../../../support/worker/scripted.ts";

const model = "anthropic/scripted";
const note = { tool: "emit_output", input: { label: "Note", type: "text", value: "hi" } };

async function resultOf({ session, account }: TestExecution): Promise<ExecutionResult> {
  const reply = await session().result(account.accountId);
  if (reply.kind !== "ready") throw new Error(`no result: ${reply.kind}`);
  return reply.result;
}

describe("an execution on a model of Anthropic", () => {
  it("runs to its end, and reports the tokens that went in, came out and were cached", async () => {
    const steps = promptOf(
      { calls: [note] },
      { finish: { summary: "Noted.", data: { notes: 1 } } },
    );
    const execution = await execute({ model, prompt: steps });
    await execution.ended();
    const { status, presentedResult, outputs, usage, model: used } = await resultOf(execution);
    expect({ status, presentedResult, used }).toEqual({
      status: "completed",
      presentedResult: { summary: "Noted.", data: { notes: 1 } },
      used: model,
    });
    expect(outputs).toHaveLength(1);
    expect(usage).toMatchObject({ modelSteps: 2, outputTokens: 40 });
    // The second step reads from the cache all that the first one sent.
    expect(usage.cachedTokens).toBeGreaterThan(1_000);
    expect(usage.inputTokens).toBeGreaterThan(2 * usage.cachedTokens);
  });

  it("waits to try again when the server is overloaded", async () => {
    const gate = mailbox();
    const execution = await execute({
      model,
      prompt: promptOf({ gate: gate.name, error: { status: 529, message: "Overloaded" } }),
    });
    await execution.until(({ statusDetail }) => statusDetail === "retrying");
    expect(await gate.letters(1)).not.toHaveLength(0);
    await execution.session().stop(execution.account.accountId, { reason: null, ifVersion: null });
  });

  it("aborts the model call under way when it is stopped, which the server sees", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const execution = await execute({ model, prompt: promptOf({ gate: gate.name }) });
    await gate.letters(1);
    await execution.session().stop(execution.account.accountId, { reason: null, ifVersion: null });
    expect(await gate.deserted()).toMatchObject([{ gone: true }]);
    expect(await resultOf(execution)).toMatchObject({ status: "stopped" });
  });
});
