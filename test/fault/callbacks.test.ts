import { expect, inject, test } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { untilEnd } from "../support/until-end.ts";

const service = inject("service");
const slow = await untilEnd(startReceiver());
const quick = await untilEnd(startReceiver());

const MANY = 12;
/** An attempt waits 15 s for its receiver. */
const BEFORE_ANY_GIVES_UP_MS = 12_000;

test("an account's callback arrives while another account's receivers are slow", async () => {
  const [theirs, ours] = await Promise.all([createAccount(service), createAccount(service)]);
  slow.answerWith(() => "hang");
  const trigger = (client: Client, { url }: Receiver) =>
    client.trigger({ prompt: "Say hello", callbackUrl: url });
  const hanging = await Promise.all(Array.from({ length: MANY }, () => trigger(theirs, slow)));
  // All of them are asked at once: none waits for a connection while its time runs.
  await slow.received(() => slow.deliveries.length === MANY, BEFORE_ANY_GIVES_UP_MS);

  const id = await trigger(ours, quick);
  await quick.received(({ body }) => body.executionId === id, BEFORE_ANY_GIVES_UP_MS);
  await expect.poll(() => ours.callbacks(id)).toMatchObject({ state: "delivered" });
  for (const { attempts } of await Promise.all(hanging.map((one) => theirs.callbacks(one)))) {
    expect(attempts).toEqual([]);
  }
});
