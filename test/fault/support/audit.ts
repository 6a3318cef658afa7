import { expect } from "vitest";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import { isSignedWith } from "../../support/receiver.ts";
import type { Accepted, World } from "./kills.ts";

/** Every accepted execution ends, and ends well. Answers the results, in the order of `accepted`. */
export async function expectAllEnded(
  { client }: World,
  accepted: Accepted[],
): Promise<ExecutionResult[]> {
  const states = await Promise.all(
    accepted.map(({ executionId }) => client.ended(executionId, 90_000)),
  );
  const unwell = states.filter(({ status }) => status !== "completed");
  expect(unwell).toEqual([]);
  return Promise.all(accepted.map(({ executionId }) => client.result(executionId)));
}

/** One execution for each Idempotency-Key, and a row for each execution, as it ended. */
export async function expectOneRowEach(
  { client }: World,
  results: ExecutionResult[],
): Promise<void> {
  const ended = (items: { executionId: string; status: string; version: number }[]) =>
    items.map(({ executionId, status, version }) => `${executionId} ${status} ${version}`).sort();
  await expect.poll(async () => ended(await client.list()), POLL).toEqual(ended(results));
}

/** No order was placed twice, and those that the service calls confirmed were placed. */
export function expectEffectsOnce({ shop }: World, results: ExecutionResult[]): void {
  const targets = shop.orders.map(({ target }) => target);
  expect(targets.length).toBe(new Set(targets).size);
  const keys = shop.orders.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).not.toContain("");
  expect(keys.length).toBe(new Set(keys).size);
  const confirmed = results.flatMap(({ effects }) =>
    effects.filter(({ state }) => state === "confirmed").map(({ target }) => target),
  );
  expect(confirmed.length).toBeGreaterThan(0);
  expect(confirmed.filter((target) => !targets.includes(target))).toEqual([]);
  expect(confirmed.length).toBe(new Set(confirmed).size);
}

/** All that was granted is available or was consumed by an execution; nothing stays reserved. */
export async function expectBalanced(
  { client, granted }: World,
  results: ExecutionResult[],
): Promise<void> {
  const consumed = results.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
  await expect
    .poll(() => client.credits(), POLL)
    .toMatchObject({
      availableCredits: granted - consumed,
      reservedCredits: 0,
      consumedCredits: consumed,
    });
}

/** Each execution with an address was called back, signed, under one webhook-id for all attempts. */
export async function expectCalledBack(
  { client, receiver, callbackSecret }: World,
  accepted: Accepted[],
): Promise<void> {
  const wanted = accepted.filter(({ input }) => input.callbackUrl !== undefined);
  for (const { executionId } of wanted) {
    const isFor = ({ body }: { body: ExecutionResult }) => body.executionId === executionId;
    await receiver.received(isFor, POLL.timeout).catch(async () => {
      const log = JSON.stringify(await client.callbacks(executionId));
      throw new Error(`no callback of ${executionId} came; its log: ${log}`);
    });
    const deliveries = receiver.deliveries.filter(isFor);
    expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(deliveries.every((delivery) => isSignedWith(callbackSecret, delivery))).toBe(true);
  }
  const known = new Set(wanted.map(({ executionId }) => executionId));
  expect(receiver.deliveries.filter(({ body }) => !known.has(body.executionId))).toEqual([]);
}

const POLL = { timeout: 60_000, interval: 200 };
