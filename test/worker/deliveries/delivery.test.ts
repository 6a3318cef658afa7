import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { SeedDraft } from "../../../src/contract/account.ts";
import type { CallbackLog } from "../../../src/contract/callbacks.ts";
import {
  changeHead,
  execute,
  hostOf,
  mailbox,
  messageOf,
  type TestExecution,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const questionBody = z.looseObject({
  type: z.literal("execution.waiting_for_input"),
  status: z.literal("waiting_for_input"),
  outputs: z.array(z.object({ label: z.string(), value: z.string() })),
});

const objectOf = ({ account, executionId }: TestExecution) =>
  hostOf(account.accountId, executionId);

function callbackTo(
  url: string,
  changes: Partial<NonNullable<SeedDraft["callback"]>> = {},
): Pick<SeedDraft, "callback"> {
  const events = ["completed", "failed", "stopped"] as const;
  return { callback: { url, sealedSecret: null, events: [...events], ...changes } };
}

async function logOf({ session, account }: TestExecution): Promise<CallbackLog> {
  const reply = await session().callbacks(account.accountId);
  if (reply.kind !== "found") throw new Error("there is no log");
  return reply.log;
}

const untilState = (execution: TestExecution, state: CallbackLog["state"]) =>
  expect.poll(async () => (await logOf(execution)).state).toBe(state);

/** Lets the time pass that the session waits before it looks at its delivery. */
async function letTimePass(execution: TestExecution): Promise<void> {
  await changeHead(execution, ({ deliveries, due, ...head }) => ({
    ...head,
    deliveries: {
      ...deliveries,
      pending: deliveries.pending.map((delivery) => ({ ...delivery, checkAt: 0 })),
    },
    due: { ...due, callbacks: Date.now() },
  }));
  await evictDurableObject(objectOf(execution));
  await execution.status();
}

describe("a callback", () => {
  it("has the body of the result after the end, and is recorded", async () => {
    const receiver = mailbox();
    const execution = await execute({
      prompt: promptOf({ finish: { summary: "Done.", data: { n: 1 } } }),
      ...callbackTo(receiver.url),
    });
    const { version } = await execution.ended();
    const [letter] = await receiver.letters(1);
    const result = await execution.session().result(execution.account.accountId);
    if (result.kind !== "ready") throw new Error("there is no result");
    expect(letter).toMatchObject({
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": `msg_${execution.executionId}_${version}`,
      },
    });
    expect(JSON.parse(letter?.body ?? "")).toEqual({
      type: "execution.completed",
      timestamp: result.result.finishedAt,
      ...result.result,
    });
    await untilState(execution, "delivered");
    expect((await logOf(execution)).attempts).toMatchObject([
      { attempt: 1, event: "execution.completed", status: 200, url: receiver.url },
    ]);
    expect(await receiver.letters()).toHaveLength(1);
  });

  it("is sent only for the requested events", async () => {
    const receiver = mailbox();
    const execution = await execute(callbackTo(receiver.url, { events: ["failed"] }));
    await execution.ended();
    expect(await logOf(execution)).toEqual({ attempts: [], state: "none" });
  });

  it("of a question has it and the outputs so far, even megabytes, at each attempt until one succeeds", async () => {
    const site = mailbox();
    const page = "x".repeat(450_000);
    await site.answer({ headers: { "content-type": "text/plain" }, body: page });
    const receiver = mailbox();
    await receiver.answer(500);
    const emit = (label: string) => ({
      tool: "emit_output",
      input: { label, type: "text", from: "page" },
    });
    const labels = ["one", "two", "three", "four", "five", "six"];
    const asks = { tool: "ask_user", input: { question: "Which year?" } };
    const execution = await execute({
      prompt: promptOf(
        { calls: [{ tool: "http_request", input: { url: site.url }, id: "page" }] },
        { calls: labels.slice(1).map(emit) },
        { calls: [emit("one"), asks] },
        { calls: [emit("later")] },
        { finish: { summary: "Done." } },
      ),
      ...callbackTo(receiver.url, { events: ["waiting_for_input"] }),
    });
    await execution.until(({ status }) => status === "waiting_for_input");
    await receiver.letters(1);
    await execution.session().message(execution.account.accountId, messageOf());
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    await expect.poll(async () => (await logOf(execution)).attempts.length).toBe(1);
    await receiver.answer(200);
    await letTimePass(execution);
    const [first, second] = await receiver.letters(2);
    const { outputs, ...told } = questionBody.parse(JSON.parse(first?.body ?? ""));
    expect(told).toMatchObject({ presentedResult: { summary: "Which year?" } });
    expect(outputs.map(({ label }) => label).sort()).toEqual(labels.toSorted());
    expect(outputs.every(({ value }) => value === page)).toBe(true);
    expect(second?.body === first?.body).toBe(true);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await untilState(execution, "delivered");
    expect((await logOf(execution)).attempts).toMatchObject([
      { attempt: 1, status: 500, nextAttemptAt: expect.any(String) },
      { attempt: 2, status: 200 },
    ]);
  });
});

describe("a receiver that fails", () => {
  it("is not called after a 410, and called again on request, also at another address", async () => {
    const [receiver, other] = [mailbox(), mailbox()];
    await receiver.answer(410);
    const execution = await execute(callbackTo(receiver.url));
    await untilState(execution, "failed");
    expect((await execution.status()).status).toBe("completed");
    const { accountId } = execution.account;
    expect(await execution.session().redeliver(accountId, other.url)).toMatchObject({
      kind: "queued",
      log: { state: "pending" },
    });
    await untilState(execution, "delivered");
    const [first] = await receiver.letters(1);
    const [second] = await other.letters(1);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
  });
});
