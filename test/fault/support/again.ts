import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { replayRecord, retryRecord } from "../../../src/contract/jobs.ts";
import { rehearsalAccepted, rehearsalRecord } from "../../../src/contract/rehearsals.ts";
import { type Client, createAccount } from "../../support/client.ts";
import { byStep, call, callsTools, fails, finishes } from "../../support/model-server/behaviour.ts";
import { promptOf } from "../../support/model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "../../support/model-server/server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Shop, startShop } from "../../support/shop.ts";
import { Webhooks } from "../../support/webhooks.ts";
import { eventually } from "./flood.ts";
import { killAgain } from "./jobs.ts";

const CASES = 10;
const STEPS = 40;
const ORDERS = 12;

const ran = z.object({ executionId: z.uuid() });
const forked = z.object({ executionId: z.uuid(), forkOf: z.object({ afterStep: z.int() }) });

/** Declares the tests of replays, retries, forks and rehearsals while the service is killed `kills` times. */
export function describeAgain(kills: number, timeoutMs: number): void {
  const EVENTS = kills > 2 ? 300 : 60;
  describe("replays, retries, forks and rehearsals while the service is killed", () => {
    let service: TestService;
    let model: ModelServer;
    let shop: Shop;
    let client: Client;
    let hooks: Webhooks;
    /** Whether the model refuses what comes after an effect. */
    let isBroken = true;
    let endpointId: string;
    let long: string;
    let ordered: string[];
    let jobs: { replay: string; fork: string; retry: string; rehearsal: string };

    beforeAll(async () => {
      shop = await startShop();
      model = await startModelServer({ record: false });
      model.script("greeter", byStep(finishes("Greeted.")));
      let replies = 0;
      model.script("long", () => {
        if (replies >= STEPS - 1) return isBroken ? fails(400, "broken") : finishes("Ordered.");
        replies += 1;
        return orders(`${shop.origin}/orders/long-${replies}`);
      });
      model.script("buyer", (request) => {
        const [, url = ""] = promptOf(request).trim().split(/\s+/);
        const asked = request.messages.filter(({ role }) => role === "assistant").length;
        if (asked > 0) return isBroken ? fails(400, "broken") : finishes("Bought.");
        return orders(url);
      });
      service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
      client = await createAccount(service, { credits: 1_000_000 });
      hooks = new Webhooks(service, client.apiKey);

      endpointId = await failedRequests();
      const settings = { maxSteps: 60, maxCredits: 200, model: "openai/long" };
      long = await client.trigger({ prompt: "Order", ...settings });
      expect((await client.ended(long, timeoutMs)).error?.code).toBe("model_error");
      const triggers = Array.from({ length: ORDERS }, (_, n) => {
        const prompt = `order ${shop.origin}/orders/again-${n}`;
        return client.trigger({ prompt, model: "openai/buyer" });
      });
      ordered = await Promise.all(triggers);
      for (const id of ordered) await client.ended(id, timeoutMs);
      isBroken = false;
      const bought = await boughtByWorkflow();

      const query = { endpointId, status: ["failed", "rejected"] };
      const perMinute = kills > 2 ? 600 : 1_800;
      const replay = await hooks.call("POST", "/replays", { query, perMinute });
      const fork = await hooks.call("POST", `/agent/trigger/${long}/fork`, {});
      const retry = await hooks.call("POST", "/agent/retries", retriesOf(ordered, 300));
      const rehearsal = await hooks.call("POST", `${bought}/rehearse`, { last: ORDERS });
      const { executionId, forkOf } = forked.parse(fork);
      expect(forkOf.afterStep).toBe(STEPS - 1);
      jobs = {
        replay: replayRecord.parse(replay).replayId,
        fork: executionId,
        retry: retryRecord.parse(retry).retryId,
        rehearsal: rehearsalAccepted.parse(rehearsal).rehearsalId,
      };
      await killAgain({ service }, kills, () => undefined);
    }, timeoutMs);
    afterAll(async () => {
      await Promise.all([service, model, shop].map((part) => part.close()));
    });

    const orders = (url: string) =>
      callsTools(call("http_request", { method: "POST", url, body: {} }));
    const placed = (name: string) =>
      shop.orders.filter(({ target }) => target.includes(name)).length;
    const retriesOf = (executionIds: string[], perMinute: number) => ({
      query: { status: "failed", executionIds },
      perMinute,
    });
    const until = async <T extends { status: string }>(path: string, shape: z.ZodType<T>) => {
      const read = async () => shape.parse(await hooks.call("GET", path));
      await eventually(async () => (await read()).status === "completed", timeoutMs);
      return await read();
    };

    /** An endpoint whose requests failed for want of a mapping, which it has by now. */
    async function failedRequests(): Promise<string> {
      const workflowId = await hooks.workflow({
        name: "greet",
        prompt: "Greet",
        model: "openai/greeter",
        inputs: [{ name: "orderId", type: "integer", required: true }],
      });
      const route = { name: "orders", workflowId, key: { path: "case" } };
      const made = await hooks.endpoint({ name: "orders", routing: { routes: [route] } });
      for (let no = 0; no < EVENTS; no += 1) {
        const body = JSON.stringify({ case: `case ${no % CASES}`, no });
        const headers = { "content-type": "application/json" };
        await fetch(made.url, { method: "POST", headers, body });
      }
      const log = await hooks.log(made.endpointId);
      const failed = log.filter(({ status }) => ["failed", "rejected"].includes(status));
      expect([log.length, failed.length]).toEqual([EVENTS, EVENTS]);
      const mapping = { fields: [{ to: "orderId", from: "no" }] };
      await hooks.change(made.endpointId, { routing: { routes: [{ ...route, mapping }] } });
      return made.endpointId;
    }

    /** The path of a workflow whose executions have each placed an order. */
    async function boughtByWorkflow(): Promise<string> {
      const prompt = `order ${shop.origin}/orders/rehearsed`;
      const workflowId = await hooks.workflow({ name: "buy", prompt, model: "openai/buyer" });
      const path = `/workflows/${workflowId}`;
      const runs = Array.from({ length: ORDERS }, () => hooks.call("POST", `${path}/run`, {}));
      for (const run of await Promise.all(runs))
        await client.ended(ran.parse(run).executionId, timeoutMs);
      expect(placed("rehearsed")).toBe(ORDERS);
      return path;
    }

    test(`replays ${EVENTS} failed requests once each, in the order of their cases, after the mapping is fixed`, async () => {
      const state = await until(`/replays/${jobs.replay}`, replayRecord);
      expect(state).toMatchObject({ matched: EVENTS, started: EVENTS, skipped: 0, refused: 0 });
      await eventually(async () => !(await hooks.working(endpointId)), timeoutMs);

      const log = await hooks.log(endpointId);
      const originals = log.filter(({ replayOf }) => replayOf === null);
      const replays = log.filter(({ replayOf }) => replayOf !== null);
      expect(replays.map(({ replayOf }) => replayOf).sort()).toEqual(
        originals.map(({ requestId }) => requestId).sort(),
      );
      expect(replays.filter(({ status }) => status !== "succeeded")).toEqual([]);
      const rows = new Map((await client.list()).map((row) => [row.executionId, row]));
      const runs = replays.map(({ routes: [start] }) => ({
        orderId: z.int().parse(start?.mappedInputs?.orderId),
        row: rows.get(start?.executionId ?? ""),
      }));
      expect(new Set(runs.map(({ row }) => row?.executionId)).size).toBe(EVENTS);
      for (const ofCase of Map.groupBy(runs, ({ orderId }) => orderId % CASES).values()) {
        const inOrder = ofCase.sort((a, b) => a.orderId - b.orderId);
        for (const [at, { row }] of inOrder.entries()) {
          const before = inOrder[at - 1]?.row?.finishedAt ?? "";
          expect((row?.createdAt ?? "") >= before).toBe(true);
        }
      }
    });

    test(`continues an execution of ${STEPS} steps at its last: one model call, nothing repeated or charged again`, async () => {
      await client.ended(jobs.fork, timeoutMs);
      expect(await client.result(jobs.fork)).toMatchObject({
        status: "completed",
        creditsConsumed: 1,
        usage: { modelSteps: 1, toolCalls: 0 },
        effects: [],
      });
      expect(placed("long-")).toBe(STEPS - 1);
    });

    test(`retries ${ORDERS} failed executions from their failure, and repeats no effect`, async () => {
      const state = await until(`/agent/retries/${jobs.retry}`, retryRecord);
      expect(state).toMatchObject({ matched: ORDERS, started: ORDERS, skipped: 0, refused: 0 });
      const forks = (await client.list()).filter(({ forkOf }) =>
        ordered.includes(forkOf?.executionId ?? ""),
      );
      expect(forks).toHaveLength(ORDERS);
      for (const { executionId } of forks) {
        await client.ended(executionId, timeoutMs);
        expect(await client.result(executionId)).toMatchObject({
          status: "completed",
          creditsConsumed: 1,
        });
      }
      expect(placed("again-")).toBe(ORDERS);
      const again = await hooks.call("POST", "/agent/retries", retriesOf(ordered, 6_000));
      const second = retryRecord.parse(again).retryId;
      expect(await until(`/agent/retries/${second}`, retryRecord)).toMatchObject({
        started: 0,
        skipped: ORDERS,
      });
    });

    test("rehearses past inputs with recorded effects, none of which reaches the shop", async () => {
      const { results, totals } = await until(`/rehearsals/${jobs.rehearsal}`, rehearsalRecord);
      expect(totals).toMatchObject({ rehearsed: ORDERS, changed: 0, failed: 0 });
      expect(results.map(({ effects }) => effects.same)).toEqual(Array(ORDERS).fill(1));
      expect(placed("rehearsed")).toBe(ORDERS);
    });

    test("has charged the credits of the executions, and holds none", async () => {
      const rows = await client.list();
      const consumed = rows.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
      await expect
        .poll(() => client.credits(), { timeout: timeoutMs / 4 })
        .toMatchObject({ consumedCredits: consumed, reservedCredits: 0 });
    });
  });
}
