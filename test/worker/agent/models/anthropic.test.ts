import { expect, it } from "vitest";
import { execute } from "../../../support/worker/objects.ts";
import { promptOf } from "../../../support/worker/scripted.ts";

const model = "anthropic/scripted";
const note = { tool: "emit_output", input: { label: "Note", type: "text", value: "hi" } };

it("an execution on a model of Anthropic reports its input, output and cached tokens", async () => {
  const finish = { summary: "Noted.", data: { notes: 1 } };
  const execution = await execute({ model, prompt: promptOf({ calls: [note] }, { finish }) });
  await execution.ended();
  const reply = await execution.session().result(execution.account.accountId);
  if (reply.kind !== "ready") throw new Error(`no result: ${reply.kind}`);
  const { usage } = reply.result;
  expect(reply.result).toMatchObject({
    status: "completed",
    presentedResult: finish,
    model,
    outputs: [{ label: "Note" }],
    usage: { modelSteps: 2, outputTokens: 40 },
  });
  // The second step reads from the cache all that the first one sent.
  expect(usage.cachedTokens).toBeGreaterThan(1_000);
  expect(usage.inputTokens).toBeGreaterThan(2 * usage.cachedTokens);
});
