import { describe, expect, it } from "vitest";
import * as z from "zod";
import { insertEndpoint } from "../../../src/records/endpoints.ts";
import { AGENT, newAccount, send } from "../../support/worker/client.ts";
import { env, openInbox, workflow } from "../../support/worker/inboxes.ts";
import { promptOf } from "../../support/worker/scripted.ts";

/** A webhook that has just got its 202; the queue brings its work to nobody. */
async function answered(changes: Partial<typeof workflow> = {}) {
  const { accountId, apiKey } = await newAccount();
  const attached = { ...workflow, model: "openai/hangs", ...changes };
  const inbox = await openInbox({ accountId, workflow: attached });
  await insertEndpoint(env.DB, inbox.config, 100);
  const arrival = inbox.arrival();
  const receipt = await inbox.api.accept(arrival);
  if (receipt.kind !== "accepted" || receipt.executionId === null) throw new Error(receipt.kind);
  const { executionId } = receipt;
  return {
    inbox,
    apiKey,
    executionId,
    requestId: arrival.request.requestId,
    ask: (what: string, how: Parameters<typeof send>[1] = {}) =>
      send(`${AGENT}/trigger/${executionId}/${what}`, { token: apiKey, ...how }),
  };
}

describe("an execution just promised to a webhook", () => {
  it("has its status at once, no result yet, and accepts a message", async () => {
    const { ask, executionId } = await answered();
    const response = await ask("status");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ executionId, status: "active" });
    expect((await ask("result")).status).toBe(409);
    const message = await ask("message", { method: "POST", body: { message: "Hurry" } });
    expect(message.status).toBe(202);
  });

  it("can be stopped, and is not started later by its queue message", async () => {
    const { ask, inbox, requestId } = await answered();
    expect(await (await ask("stop", { method: "POST" })).json()).toMatchObject({
      status: "stopped",
    });
    expect(await inbox.api.workBatch([requestId])).toMatchObject({ items: [] });
    expect(await (await ask("status")).json()).toMatchObject({ status: "stopped" });
  });

  it("is created once for concurrent requests", async () => {
    const { ask, inbox, requestId } = await answered({
      model: "openai/scripted",
      prompt: promptOf({}),
    });
    const responses = await Promise.all(Array.from({ length: 10 }, () => ask("status")));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const version = z.object({ creditsConsumed: z.int(), status: z.literal("completed") });
    await expect
      .poll(async () => version.safeParse(await (await ask("status")).json()).data?.creditsConsumed)
      .toBe(1);
    await expect
      .poll(async () => (await inbox.api.entry(requestId))?.entry.status)
      .toBe("succeeded");
  });

  it("belongs only to its account, under a unique id", async () => {
    const { apiKey, executionId, inbox, requestId } = await answered();
    const statusOf = async (id: string, token: string) =>
      (await send(`${AGENT}/trigger/${id}/status`, { token })).status;
    expect(await statusOf(executionId, (await newAccount()).apiKey)).toBe(404);
    expect((await inbox.api.entry(requestId))?.entry.status).toBe("queued");
    const ofSameEndpoint = `f${executionId.slice(1)}`;
    const ofNoEndpoint = `${executionId.slice(0, -1)}${executionId.endsWith("0") ? "1" : "0"}`;
    for (const id of [ofSameEndpoint, ofNoEndpoint]) expect(await statusOf(id, apiKey)).toBe(404);
  });
});
