import { expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { seedOf } from "../../support/execution.ts";
import { env, executionOf, openAccount } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

it("a seed that an account of older code hands over is started with what it lacks", async () => {
  const account = await openAccount();
  const executionId = crypto.randomUUID();
  const { mcpServers: _, ...seed } = seedOf({
    executionId,
    accountId: account.accountId,
    createdAt: Date.now(),
    model: "openai/scripted",
    prompt: promptOf({ finish: { summary: "All done." } }),
  });
  await sessionHostStub(env, account.accountId, executionId).start(seed as never);
  expect(await executionOf(account, executionId).ended()).toMatchObject({ status: "completed" });
});
