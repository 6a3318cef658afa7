import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { EventType, StoredDestination } from "../../../src/contract/destinations.ts";
import { initialState } from "../../../src/executions/machine/state.ts";
import { rowView } from "../../../src/executions/views.ts";
import { newExecutionId } from "../../../src/lib/execution-id.ts";
import { draftOf, env, openAccount } from "../../support/worker/objects.ts";

const destination = (n: number, events: EventType[]): StoredDestination => ({
  destinationId: `dst_${n}`,
  name: "test",
  format: "standard",
  url: "https://receiver.example/",
  email: null,
  events,
  payload: "thin",
  secret: null,
  sealedSecret: null,
  headers: [],
  sealedHeaders: null,
  content: false,
  status: "enabled",
  origin: "https://prompthook.example",
  failing: null,
  revision: 1,
  externalId: null,
  managedBy: null,
  createdAt: 0,
  updatedAt: 0,
});

/** The rows that the end of an execution writes in its account, beside those of the rate limit. */
async function rowsOfAnEnd(events: EventType[][]): Promise<number> {
  const account = await openAccount();
  for (const [n, each] of events.entries()) await account.api.addDestination(destination(n, each));
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

it("the end of an execution writes one row of its own, and one for each destination that takes it", async () => {
  const own = await rowsOfAnEnd([]);
  expect(await rowsOfAnEnd([["execution.failed"], ["config.changed"]])).toBe(own);
  expect(await rowsOfAnEnd([["execution.completed"]])).toBe(own + 1);
  expect(await rowsOfAnEnd(Array<EventType[]>(5).fill(["execution.completed"]))).toBe(own + 5);
});
