import { expect, test } from "vitest";
import * as z from "zod";
import { createAccount } from "../support/client.ts";
import type { Outage } from "../support/instrumented.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { startReceiver } from "../support/receiver.ts";
import { INSTRUMENTED, startTestRuntime } from "../support/runtime.ts";
import { untilEnd } from "../support/until-end.ts";

const receiver = await untilEnd(startReceiver());
const model = await untilEnd(startModelServer({ delayMs: 300, record: false }));
const note = call("emit_output", { label: "Note", type: "text", value: "at work" });
model.script("worker", byStep(callsTools(note), callsTools(note), finishes("done")));
const variables = { OPENAI_BASE_URL: model.baseUrl };
const runtime = await untilEnd(startTestRuntime({ entry: INSTRUMENTED, variables }));
const client = await createAccount(runtime);

async function set(outage: Partial<Outage>): Promise<void> {
  await fetch(`${runtime.url}/__instruments`, { method: "PUT", body: JSON.stringify(outage) });
}

test("works during an outage of the database, and has the rows afterwards", async () => {
  await set({ database: true });
  const callbackUrl = receiver.url;
  const ids = await Promise.all(
    Array.from({ length: 6 }, () =>
      client.trigger({ prompt: "Work", model: "openai/worker", callbackUrl }),
    ),
  );
  const [told = "", stopped = ""] = ids;
  const message = await client.request("POST", `/trigger/${told}/message`, { message: "Hurry" });
  expect(message.status).toBe(202);
  const stop = await client.request("POST", `/trigger/${stopped}/stop`);
  expect(await stop.json()).toMatchObject({ status: "stopped" });

  const states = await Promise.all(ids.map((id) => client.ended(id)));
  expect(states.map(({ status }) => status)).toEqual(
    ids.map((id) => (id === stopped ? "stopped" : "completed")),
  );
  expect((await client.events(told)).map(({ type }) => type)).toContain("message.applied");
  for (const id of ids) await receiver.received(({ body }) => body.executionId === id);
  await expect.poll(() => client.credits()).toMatchObject({ reservedCredits: 0 });

  expect(await rows()).toEqual([]);
  await set({ database: false });
  const rowOf = ({
    executionId,
    status,
    version,
  }: {
    executionId: string;
    status: string;
    version: number;
  }) => `${executionId} ${status} ${version}`;
  await expect
    .poll(async () => (await rows()).map(rowOf).sort(), POLL)
    .toEqual(states.map(rowOf).sort());
});

test("delivers every callback although the queue loses everything for a while", async () => {
  await set({ queue: true });
  const callbackUrl = receiver.url;
  const trigger = () => client.trigger({ prompt: "Say hello", callbackUrl });
  const ids = await Promise.all(Array.from({ length: 5 }, trigger));
  await Promise.all(ids.map((id) => client.ended(id)));
  const deliveriesOf = (id: string) =>
    receiver.deliveries.filter(({ body }) => body.executionId === id);
  expect(ids.flatMap(deliveriesOf)).toEqual([]);

  await set({ queue: false });
  for (const id of ids) {
    await receiver.received(({ body }) => body.executionId === id, POLL.timeout);
    expect(new Set(deliveriesOf(id).map(({ webhookId }) => webhookId)).size).toBe(1);
  }
});

/** The rows as they are in D1 itself: the list adds what the account still remembers. */
async function rows(): Promise<{ executionId: string; status: string; version: number }[]> {
  return z.array(row).parse(await (await fetch(`${runtime.url}/__instruments/rows`)).json());
}

const row = z.object({ executionId: z.string(), status: z.string(), version: z.number() });

const POLL = { timeout: 60_000, interval: 200 };
