import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { newExecutionId } from "../../../src/lib/execution-id.ts";
import { env, execute, hostOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

it("a host whose alarm was dropped arms it again when its account looks after it", async () => {
  const question = { calls: [{ tool: "ask_user", input: { question: "Which year?" } }] };
  const execution = await execute({ prompt: promptOf(question, {}) });
  await execution.until(({ status }) => status === "waiting_for_input");
  const { executionId, account } = execution;
  const object = hostOf(account.accountId, executionId);
  await runInDurableObject(object, (_, { storage }) => storage.deleteAlarm());

  const unknown = newExecutionId();
  const host = sessionHostStub(env, account.accountId, executionId);
  expect(await host.lookAfter([executionId, unknown])).toEqual([unknown]);
  const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  expect(alarm).not.toBeNull();
});
