import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { replayForecast, replayRecord } from "../../../../src/contract/jobs.ts";
import { callsOf, expectProblem, newAccount, textIn } from "../../../support/worker/client.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const REPLAYS = "/api/v1/replays";

/** An endpoint whose requests lack what its workflow needs, until its mapping is mended. */
async function brokenEndpoint() {
  const account = await newAccount();
  const inputs = [{ name: "orderId", type: "integer" as const, required: true }];
  const body = { name: "look", prompt: "Look at it.", inputs, model: "openai/finishes" };
  const made = await account.post("/api/v1/workflows", body);
  const workflowId = await textIn(made, "workflowId");
  const endpoint = await newEndpoint({ workflowId }, undefined, account);
  return {
    ...endpoint,
    reject: async (count: number) => {
      for (let no = 0; no < count; no += 1) expect((await endpoint.hook({ no })).status).toBe(422);
    },
    mend: () => endpoint.change({ mapping: { fields: [{ to: "orderId", from: "no" }] } }),
  };
}

const ask = ({ apiKey }: { apiKey: string }, body: Record<string, unknown>) =>
  callsOf(apiKey).post(REPLAYS, body);

async function replay(endpoint: TestEndpoint, body: Record<string, unknown>) {
  const response = await ask(endpoint, body);
  expect(response.status).toBe(202);
  return replayRecord.parse(await response.json()).replayId;
}

const get = async ({ apiKey }: { apiKey: string }, id: string) =>
  replayRecord.parse(await (await callsOf(apiKey).get(`${REPLAYS}/${id}`)).json());

async function completed(endpoint: TestEndpoint, id: string) {
  await expect
    .poll(async () => (await get(endpoint, id)).status, { timeout: 20_000 })
    .toBe("completed");
  return await get(endpoint, id);
}

const logOf = async (endpoint: TestEndpoint) => (await endpoint.log("?limit=100")).requests;
const succeeded = async (endpoint: TestEndpoint) =>
  (await logOf(endpoint)).filter(({ status }) => status === "succeeded");

describe("a replay of many requests", () => {
  it("previews the results without storing", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.reject(7);
    const query = { status: ["failed", "rejected"] };
    const forecast = async () =>
      replayForecast.parse(await (await ask(endpoint, { query, dryRun: true })).json());
    const before = await forecast();
    expect(before).toMatchObject({ matched: 7, wouldStart: 0, wouldBeRefused: 7 });
    expect(before.sample).toHaveLength(5);
    expect(before.sample[0]?.errors[0]).toMatchObject({ stage: "mapping" });
    expect(before.sample[0]?.reason).toMatch(/^orderId: /);
    await endpoint.mend();
    const after = { matched: 7, wouldStart: 7, wouldBeRefused: 0, estimatedCredits: 350 };
    expect(await forecast()).toMatchObject(after);
    expect(await logOf(endpoint)).toHaveLength(7);
  });

  it("starts each once, oldest first, and skips requests with a successful replay", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.reject(5);
    // One that is rejected again.
    expect((await endpoint.hook({ other: 1 })).status).toBe(422);
    await endpoint.mend();
    const body = { query: { endpointId: endpoint.endpointId, status: "rejected" } };
    const state = await completed(endpoint, await replay(endpoint, body));
    expect(state).toMatchObject({ matched: 6, started: 5, skipped: 0, refused: 1 });
    const replays = (await logOf(endpoint)).filter(({ executionId }) => executionId !== null);
    // The log tells no two of one millisecond apart; the ids of what they started do.
    const begun = replays.sort((a, b) => ((a.executionId ?? "") < (b.executionId ?? "") ? -1 : 1));
    expect(begun.map(({ mappedInputs }) => mappedInputs?.orderId)).toEqual([0, 1, 2, 3, 4]);
    await expect.poll(async () => (await succeeded(endpoint)).length).toBe(5);
    const again = await completed(endpoint, await replay(endpoint, body));
    expect(again).toMatchObject({ matched: 6, started: 0, skipped: 5, refused: 1 });
    expect(await logOf(endpoint)).toHaveLength(13);
  });

  it("starts the items of a batch in its order, although they arrived in the same millisecond", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.change({ split: { path: "$" } });
    const numbers = Array.from({ length: 12 }, (_, no) => no);
    expect((await endpoint.hook(numbers.map((no) => ({ no })))).status).toBe(422);
    await endpoint.mend();
    await completed(endpoint, await replay(endpoint, { query: { status: "rejected" } }));
    const begun = (await logOf(endpoint)).filter(({ replayOf }) => replayOf !== null);
    begun.sort((a, b) => ((a.executionId ?? "") < (b.executionId ?? "") ? -1 : 1));
    expect(begun.map(({ mappedInputs }) => mappedInputs?.orderId)).toEqual(numbers);
  });

  it("starts each once if all objects are lost while it runs", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.reject(15);
    await endpoint.mend();
    const body = { query: { status: "rejected" }, perMinute: 900 };
    const id = await replay(endpoint, body);
    for (let kills = 0; kills < 3; kills += 1) {
      await abortAllDurableObjects();
      await get(endpoint, id);
    }
    expect(await completed(endpoint, id)).toMatchObject({ started: 15, skipped: 0, refused: 0 });
    const replays = (await logOf(endpoint)).flatMap(({ replayOf }) => replayOf ?? []);
    expect(replays).toHaveLength(15);
    expect(new Set(replays).size).toBe(15);
  });

  it("skips replays, succeeded and unauthenticated requests", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.reject(1);
    await endpoint.mend();
    const first = await endpoint.take({ no: 9 });
    await expect.poll(async () => (await endpoint.entry(first)).status).toBe("succeeded");
    await completed(endpoint, await replay(endpoint, { query: {} }));
    await endpoint.change({ auth: { token: { secret: "the secret of the sender" } } });
    expect((await endpoint.hook({ no: 8 })).status).toBe(401);
    const id = await replay(endpoint, { query: {} });
    // The first one, which succeeded, the one whose replay did, and the one of a stranger.
    expect(await completed(endpoint, id)).toMatchObject({ matched: 3, skipped: 2, refused: 1 });
    const named = await replay(endpoint, { query: { requestIds: [first] } });
    expect(await completed(endpoint, named)).toMatchObject({ matched: 1, started: 1 });
  });

  it("skips held requests and duplicates unless their status is named, as its dry run says", async () => {
    const endpoint = await newEndpoint();
    for (let sent = 0; sent < 2; sent += 1) await endpoint.hook({ event_id: "evt_1" });
    const done = async (query: Record<string, unknown>) => {
      const response = await ask(endpoint, { query, dryRun: true });
      const { wouldStart, sample } = replayForecast.parse(await response.json());
      const { matched, started, skipped } = await completed(
        endpoint,
        await replay(endpoint, { query }),
      );
      expect(started).toBe(wouldStart);
      return { matched, started, skipped, reasons: sample.map(({ reason }) => reason) };
    };
    const reasons = ["Its status is queued.", "Its status is duplicate."];
    expect(await done({})).toEqual({ matched: 2, started: 0, skipped: 2, reasons });
    const held = "It would start nothing.";
    for (const status of ["queued", "duplicate"]) {
      const expected = { matched: 1, started: 1, skipped: 0, reasons: [held] };
      expect(await done({ status })).toEqual(expected);
    }
  });

  it("stops starting once it is cancelled, and keeps its counts", async () => {
    const endpoint = await brokenEndpoint();
    await endpoint.reject(4);
    await endpoint.mend();
    const id = await replay(endpoint, { query: { status: "rejected" }, perMinute: 1 });
    await expect.poll(async () => (await get(endpoint, id)).started).toBe(1);
    expect((await endpoint.remove(`${REPLAYS}/${id}`)).status).toBe(204);
    expect(await get(endpoint, id)).toMatchObject({ status: "cancelled", matched: 4, started: 1 });
  });

  it("belongs to its account, is no retry, and requires ids or a filter", async () => {
    const endpoint = await brokenEndpoint();
    const id = await replay(endpoint, { query: {} });
    const stranger = await newAccount();
    const foreign = await stranger.get(`${REPLAYS}/${id}`);
    await expectProblem(foreign, 404, "not_found");
    const retry = await endpoint.get(`/api/v1/agent/retries/${id}`);
    await expectProblem(retry, 404, "not_found");
    const both = { query: { requestIds: [crypto.randomUUID()], status: "failed" } };
    await expectProblem(await ask(endpoint, both), 400, "invalid_request");
  });
});
