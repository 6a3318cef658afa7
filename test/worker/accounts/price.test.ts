import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { EventType } from "../../../src/contract/destinations.ts";
import { initialState } from "../../../src/executions/machine/state.ts";
import { rowView } from "../../../src/executions/views.ts";
import { newExecutionId } from "../../../src/lib/execution-id.ts";
import { destinationOf } from "../../support/destination.ts";
import { draftOf, env, openAccount } from "../../support/worker/objects.ts";

/** The rows that the end of an execution writes in its account, beside those of the rate limit. */
async function rowsOfAnEnd(events: EventType[][]): Promise<number> {
  const account = await openAccount();
  for (const [n, each] of events.entries())
    await account.api.addDestination(destinationOf(`dst_${n}`, each));
  const executionId = newExecutionId();
  await account.api.acceptBatch([{ executionId, draft: draftOf({ model: "openai/hangs" }) }]);
  return runInDurableObject(
    env.ACCOUNT.getByName(account.accountId),
    async (object, { storage }) => {
      const { sql } = storage;
      const changed = () => Number(sql.exec("SELECT total_changes() AS n").one().n);
      const [{ seed }] = sql.exec("SELECT seed FROM executions").toArray() as [{ seed: string }];
      const parsed = JSON.parse(seed) as Parameters<typeof rowView>[0];
      const state = {
        ...initialState(parsed, Date.now()),
        version: 9,
        status: "completed" as const,
      };
      const row = { ...rowView(parsed, state), finishedAt: new Date().toISOString() };
      const before = changed();
      await object.report({ row, settle: 1 });
      return changed() - before;
    },
  );
}

it("the end of an execution writes one row, and one for each subscribed destination", async () => {
  const own = await rowsOfAnEnd([]);
  expect(await rowsOfAnEnd([["execution.failed"], ["config.changed"]])).toBe(own);
  expect(await rowsOfAnEnd([["execution.completed"]])).toBe(own + 1);
  expect(await rowsOfAnEnd(Array<EventType[]>(5).fill(["execution.completed"]))).toBe(own + 5);
});
