import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { replayRecord, retryRecord } from "../../../src/contract/jobs.ts";
import { rehearsalAccepted, rehearsalRecord } from "../../../src/contract/rehearsals.ts";
import { type Client, createAccount } from "../../support/client.ts";
import { byStep, call, callsTools, fails, finishes } from "../../support/model-server/behaviour.ts";
import { promptOf } from "../../support/model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "../../support/model-server/server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { Webhooks } from "../../support/webhooks.ts";
import { eventually } from "./flood.ts";
import { killAgain } from "./jobs.ts";
import { type Shop, startShop } from "./shop.ts";

const CASES = 10;
const STEPS = 40;
const ORDERS = 12;

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

    beforeAll(async () => {
      shop = await startShop();
      model = await startModelServer({ record: false });
      model.script("greeter", byStep(finishes("Greeted.")));
      service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
      client = await createAccount(service, { credits: 1_000_000 });
      hooks = new Webhooks(service, client.apiKey);
    });
    afterAll(async () => {
      await Promise.all([service, model, shop].map((part) => part.close()));
    });

    const get = async <T>(path: string, shape: z.ZodType<T>) =>
      shape.parse(await hooks.call("GET", path));
    const until = async <T extends { status: string }>(path: string, shape: z.ZodType<T>) => {
      const isOver = async () => (await get(path, shape)).status === "completed";
      await eventually(isOver, timeoutMs);
      return await get(path, shape);
    };

    test(`replays ${EVENTS} failed requests once each, in the order of their cases, after the mapping is mended`, async () => {
      const workflowId = await hooks.workflow({
        name: "greet",
        prompt: "Greet",
        model: "openai/greeter",
        inputs: [{ name: "orderId", type: "integer", required: true }],
      });
      const route = { name: "orders", workflowId, key: { path: "case" } };
      const { endpointId, url } = await hooks.endpoint({
        name: "orders",
        routing: { routes: [route] },
      });
      for (let no = 0; no < EVENTS; no += 1) {
        const body = JSON.stringify({ case: `case ${no % CASES}`, no });
        await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      }
      const original = await hooks.log(endpointId);
      expect(original).toHaveLength(EVENTS);
      const isStarted = ({ status }: { status: string }) =>
        !["failed", "rejected"].includes(status);
      expect(original.filter(isStarted)).toEqual([]);
      const mapping = { fields: [{ to: "orderId", from: "no" }] };
      await hooks.change(endpointId, { routing: { routes: [{ ...route, mapping }] } });

      const query = { endpointId, status: ["failed", "rejected"] };
      const perMinute = kills > 2 ? 600 : 1_800;
      const made = await hooks.call("POST", "/replays", { query, perMinute });
      const { replayId } = replayRecord.parse(made);
      await killAgain({ service }, kills, () => undefined);
      const state = await until(`/replays/${replayId}`, replayRecord);
      expect(state).toMatchObject({ matched: EVENTS, started: EVENTS, skipped: 0, refused: 0 });
      await eventually(async () => !(await hooks.working(endpointId)), timeoutMs);

      const replays = (await hooks.log(endpointId)).filter(({ replayOf }) => replayOf !== null);
      expect(replays.map(({ replayOf }) => replayOf).sort()).toEqual(
        original.map(({ requestId }) => requestId).sort(),
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

    test(`continues an execution of ${STEPS} steps at its last: one model call, nothing done or paid again`, async () => {
      let replies = 0;
      isBroken = true;
      model.script("long", () => {
        if (replies >= STEPS - 1) return isBroken ? fails(400, "broken") : finishes("Ordered.");
        replies += 1;
        const url = `${shop.origin}/orders/long-${replies}`;
        return callsTools(call("http_request", { method: "POST", url, body: {} }));
      });
      const settings = { maxSteps: 60, maxCredits: 200, model: "openai/long" };
      const id = await client.trigger({ prompt: "Order", ...settings });
      expect((await client.ended(id, timeoutMs)).error?.code).toBe("model_error");
      isBroken = false;
      const fork = forked.parse(await hooks.call("POST", `/agent/trigger/${id}/fork`, {}));
      expect(fork.forkOf.afterStep).toBe(STEPS - 1);
      await service.kill9();
      await service.restart();
      await client.ended(fork.executionId, timeoutMs);
      expect(await client.result(fork.executionId)).toMatchObject({
        status: "completed",
        creditsConsumed: 1,
        usage: { modelSteps: 1, toolCalls: 0 },
        effects: [],
      });
      expect(shop.orders.filter(({ target }) => target.includes("long-"))).toHaveLength(STEPS - 1);
    });

    test(`retries ${ORDERS} failed executions from their failure, and repeats no effect`, async () => {
      isBroken = true;
      model.script("buyer", (request) => {
        const [, url = ""] = promptOf(request).trim().split(/\s+/);
        const asked = request.messages.filter(({ role }) => role === "assistant").length;
        if (asked > 0) return isBroken ? fails(400, "broken") : finishes("Bought.");
        return callsTools(call("http_request", { method: "POST", url, body: {} }));
      });
      const ids = await Promise.all(
        Array.from({ length: ORDERS }, (_, n) =>
          client.trigger({
            prompt: `order ${shop.origin}/orders/again-${n}`,
            model: "openai/buyer",
          }),
        ),
      );
      for (const id of ids) await client.ended(id, timeoutMs);
      isBroken = false;
      const query = { status: "failed", executionIds: ids };
      const made = await hooks.call("POST", "/agent/retries", { query, perMinute: 300 });
      const { retryId } = retryRecord.parse(made);
      await killAgain({ service }, kills, () => undefined);
      const state = await until(`/agent/retries/${retryId}`, retryRecord);
      expect(state).toMatchObject({ matched: ORDERS, started: ORDERS, skipped: 0, refused: 0 });
      const forks = (await client.list()).filter(({ forkOf }) =>
        ids.includes(forkOf?.executionId ?? ""),
      );
      expect(forks).toHaveLength(ORDERS);
      for (const { executionId } of forks) {
        await client.ended(executionId, timeoutMs);
        expect(await client.result(executionId)).toMatchObject({
          status: "completed",
          creditsConsumed: 1,
        });
      }
      const orders = shop.orders.filter(({ target }) => target.includes("again-"));
      expect(orders).toHaveLength(ORDERS);
      const again = await hooks.call("POST", "/agent/retries", { query, perMinute: 6_000 });
      const second = retryRecord.parse(again).retryId;
      expect(await until(`/agent/retries/${second}`, retryRecord)).toMatchObject({
        started: 0,
        skipped: ORDERS,
      });
    });

    test("rehearses past inputs whose effects are noted, and none reaches the shop", async () => {
      const workflowId = await hooks.workflow({
        name: "buy",
        prompt: `order ${shop.origin}/orders/rehearsed`,
        model: "openai/buyer",
      });
      const ran = z.object({ executionId: z.uuid() });
      const path = `/workflows/${workflowId}`;
      const runs = Array.from({ length: ORDERS }, () => hooks.call("POST", `${path}/run`, {}));
      for (const run of await Promise.all(runs))
        await client.ended(ran.parse(run).executionId, timeoutMs);
      const reached = () => shop.orders.filter(({ target }) => target.includes("rehearsed")).length;
      expect(reached()).toBe(ORDERS);
      const made = await hooks.call("POST", `${path}/rehearse`, { last: ORDERS });
      const { rehearsalId } = rehearsalAccepted.parse(made);
      await service.kill9();
      await service.restart();
      const { results, totals } = await until(`/rehearsals/${rehearsalId}`, rehearsalRecord);
      expect(totals).toMatchObject({ rehearsed: ORDERS, changed: 0, failed: 0 });
      expect(results.map(({ effects }) => effects.same)).toEqual(Array(ORDERS).fill(1));
      expect(reached()).toBe(ORDERS);
    });

    test("has charged what the executions report, and holds nothing", async () => {
      const rows = await client.list();
      const consumed = rows.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
      await expect
        .poll(() => client.credits(), { timeout: timeoutMs / 4 })
        .toMatchObject({ consumedCredits: consumed, reservedCredits: 0 });
    });
  });
}
