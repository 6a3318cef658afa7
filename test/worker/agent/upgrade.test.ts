import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import * as z from "zod";
import { sessionStub } from "../../../src/durable/stubs.ts";
import { seedOf } from "../../support/execution.ts";
import {
  env,
  execute,
  executionOf,
  mailbox,
  messageOf,
  openAccount,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const stored = z.record(z.string(), z.unknown());

/** Turns the stored execution into what the first version of its tables and records looked like. */
function asFirstStored({ sql, kv }: DurableObjectStorage): void {
  sql.exec("DROP TABLE remote_tools");
  sql.exec("ALTER TABLE outputs DROP COLUMN call_id");
  kv.put("schema_version", 1);
  const { mcpServers: _, ...seed } = stored.parse(kv.get("seed"));
  kv.put("seed", seed);
  const { stepsStarted: __, asked: ___, ...state } = stored.parse(kv.get("state"));
  kv.put("state", state);
}

it("an execution that older code stored keeps what it had, and goes on with its approved call", async () => {
  const target = mailbox();
  const emitted = { type: "text", label: "Before", value: "old" };
  const posted = { method: "POST", url: target.url, body: { paid: true } };
  const execution = await execute({
    prompt: promptOf(
      { calls: [{ tool: "emit_output", input: emitted, id: "c1" }] },
      { calls: [{ tool: "http_request", input: posted, id: "c2" }] },
      { finish: { summary: "All done." } },
    ),
    approvals: ["http_request"],
  });
  await execution.until(({ status }) => status === "waiting_for_input");
  const object = env.SESSION.getByName(execution.executionId);
  await runInDurableObject(object, (_, { storage }) => asFirstStored(storage));
  await evictDurableObject(object);

  const { accountId } = execution.account;
  const approval = { callId: "c2", decision: "approve" as const };
  await execution.session().message(accountId, messageOf({ text: null, approval }));
  expect(await execution.ended()).toMatchObject({ status: "completed", creditsConsumed: 5 });
  expect(await target.letters(1)).toHaveLength(1);
  expect(await execution.session().result(accountId)).toMatchObject({
    result: {
      outputs: [{ label: "Before", value: "old" }],
      effects: [{ effectId: "c2", state: "confirmed" }],
    },
  });
});

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
  await sessionStub(env, executionId).start(seed as never);
  expect(await executionOf(account, executionId).ended()).toMatchObject({ status: "completed" });
});
