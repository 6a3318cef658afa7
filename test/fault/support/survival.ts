import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import { databaseFaults } from "../../support/databases.ts";
import { type Accepted, JOBS_PER_KILL, runWithKills, startWorld, type World } from "./jobs.ts";

/** Declares the tests of what the service owes after it was killed `kills` times while executions ran. */
export function describeSurvival(kills: number, timeoutMs: number): void {
  describe(`after ${kills} kill${kills === 1 ? "" : "s"} while executions run`, () => {
    const POLL = { timeout: timeoutMs / 2, interval: 200 };
    let world: World;
    let accepted: Accepted[];
    let results: ExecutionResult[];

    beforeAll(async () => {
      world = await startWorld();
      accepted = await runWithKills(world, kills, timeoutMs);
    }, timeoutMs);
    afterAll(() => world.close());

    test("every trigger is accepted, and every accepted execution completes", async () => {
      expect(accepted).toHaveLength(kills * JOBS_PER_KILL);
      const { client } = world;
      const ids = accepted.map(({ executionId }) => executionId);
      const states = await Promise.all(ids.map((id) => client.ended(id, timeoutMs)));
      expect(states.filter(({ status }) => status !== "completed")).toEqual([]);
      results = await Promise.all(ids.map((id) => client.result(id)));
    });

    test("the list has each execution once, with its final status", async () => {
      const described = (items: { executionId: string; status: string; version: number }[]) =>
        items
          .map(({ executionId, status, version }) => `${executionId} ${status} ${version}`)
          .sort();
      const list = async () => described(await world.client.list());
      await expect.poll(list, POLL).toEqual(described(results));
    });

    test("no order is placed twice, and every confirmed order is placed", () => {
      const { orders } = world.shop;
      const targets = orders.map(({ target }) => target);
      const keys = orders.map(({ idempotencyKey }) => idempotencyKey);
      expect(targets).toHaveLength(new Set(targets).size);
      expect(keys).not.toContain("");
      expect(keys).toHaveLength(new Set(keys).size);
      const confirmed = results.flatMap(({ effects }) =>
        effects.filter(({ state }) => state === "confirmed").map(({ target }) => target),
      );
      expect(confirmed.length).toBeGreaterThan(0);
      expect(confirmed).toHaveLength(new Set(confirmed).size);
      expect(confirmed.filter((target) => !targets.includes(target))).toEqual([]);
    });

    test("every placed order is recorded as an effect of its execution", () => {
      const recorded = new Set(
        results.flatMap(({ effects }) => effects.map(({ target }) => target)),
      );
      const placed = world.shop.orders.map(({ target }) => target);
      expect(placed.filter((target) => !recorded.has(target))).toEqual([]);
    });

    test("every granted credit is available or was consumed by an execution", async () => {
      const { client, granted } = world;
      const consumed = results.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
      await expect
        .poll(() => client.credits(), POLL)
        .toMatchObject({
          availableCredits: granted - consumed,
          reservedCredits: 0,
          consumedCredits: consumed,
        });
    });

    test("every execution with a callback URL is called back with its result, signed, under one webhook-id", async () => {
      const { client, receiver, badlySigned } = world;
      const wanted = accepted.filter(({ input }) => input.callbackUrl !== undefined);
      for (const { executionId } of wanted) {
        const isFor = ({ body }: { body: ExecutionResult }) => body.executionId === executionId;
        await receiver.received(isFor, POLL.timeout).catch(async () => {
          const log = JSON.stringify(await client.callbacks(executionId));
          throw new Error(`No callback of ${executionId} arrived. Its log: ${log}`);
        });
        const deliveries = receiver.deliveries.filter(isFor);
        expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(1);
        const result = results.find((each) => each.executionId === executionId);
        for (const { body } of deliveries) expect(body).toMatchObject({ ...result });
        const state = async () => (await client.callbacks(executionId)).state;
        await expect.poll(state, POLL).toBe("delivered");
      }
      expect(badlySigned).toEqual([]);
      const known = new Set(wanted.map(({ executionId }) => executionId));
      expect(receiver.deliveries.filter(({ body }) => !known.has(body.executionId))).toEqual([]);
    });

    test("the service has logged no error, and its databases are whole", async () => {
      expect(world.service.errors()).toEqual([]);
      await world.service.kill9();
      expect(await databaseFaults(world.service.stateDir)).toEqual([]);
    });
  });
}
