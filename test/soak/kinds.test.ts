import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type ExecutionResult, type ExecutionRow, isFinal } from "../../src/contract/execution.ts";
import type { LogEntry } from "../../src/contract/webhooks/log.ts";
import { eventually, flood, SECRET, type Sent } from "../fault/support/flood.ts";
import {
  type Accepted,
  boundLag,
  killAgain,
  startWorld,
  triggerUntilAccepted,
  type World,
} from "../fault/support/jobs.ts";
import { databaseFaults } from "../support/databases.ts";
import { Webhooks } from "../support/webhooks.ts";
import { KILLS, TIMEOUT_MS } from "./size.ts";

/** What begins before each kill, of each kind. */
const EVENTS = 10;
const CUSTOMERS = 5;
const RUNS = 5;
const INTERVAL_SECONDS = 10;

const schedule = z.object({ scheduleId: z.string() });
const customerIn = z.object({ customer: z.int() });

describe(`after ${KILLS} kills while webhooks, cases, schedules, approvals and waits run`, () => {
  let world: World;
  let hooks: Webhooks;
  let endpoints: { plain: string; cases: string; jobs: string };
  let plain: Sent[];
  let approved: Accepted[];
  let waited: Accepted[];
  let rows: ExecutionRow[];
  /** When the schedule was created and paused, in epoch milliseconds. */
  let scheduled: { from: number; until: number };

  beforeAll(async () => {
    world = await startWorld();
    const { client, service, shop } = world;
    hooks = new Webhooks(service, client.apiKey);
    const workflowId = await hooks.workflow({
      name: "greet",
      prompt: "greet",
      model: "openai/greeter",
    });
    const auth = { hmac: { preset: "github" as const, secret: SECRET } };
    const endpoint = (settings: Parameters<Webhooks["endpoint"]>[0]) =>
      hooks.endpoint({ auth, requestsPerMinute: 60_000, ...settings });
    const route = { name: "all", workflowId, key: { path: "customer" } };
    const [each, queued, jobs] = [
      await endpoint({ name: "plain", workflowId }),
      await endpoint({ name: "cases", routing: { routes: [route] } }),
      await endpoint({ name: "jobs" }),
    ];
    endpoints = { plain: each.endpointId, cases: queued.endpointId, jobs: jobs.endpointId };
    const from = Date.now();
    const timing = { everySeconds: INTERVAL_SECONDS, overlap: "allow", catchUp: "all" };
    const made = await hooks.call("POST", "/schedules", { workflowId, ...timing });

    const sent: Promise<Sent[]>[] = [];
    const approvals: Promise<Accepted>[] = [];
    const waits: Promise<Accepted>[] = [];
    const approver = approveAll(world);
    const caughtUp = boundLag(world, TIMEOUT_MS);
    await killAgain(world, KILLS, async (cycle) => {
      await caughtUp();
      const ids = Array.from({ length: EVENTS }, (_, n) => `${cycle}-${n}`);
      const customerOf = (id: string) => Number(id.split("-")[1]) % CUSTOMERS;
      sent.push(flood(each.url, ids));
      void sent.at(-1)?.catch(() => undefined);
      const cases = flood(queued.url, ids, { body: (id) => ({ customer: customerOf(id), id }) });
      sent.push(cases.then(() => []));
      for (let n = 0; n < RUNS; n += 1) {
        const name = `${cycle}-${n}`;
        const order = `order ${shop.origin}/orders/approved-${name}`;
        const asks = { model: "openai/buyer", approvals: ["http_request"] as const };
        const approval = {
          name: `approved-${name}`,
          input: { prompt: order, ...asks, approvals: [...asks.approvals] },
        };
        approvals.push(triggerUntilAccepted(client, approval, TIMEOUT_MS));
        const wait = `wait ${jobs.endpointId} ${name}`;
        const waiter = { name: `waited-${name}`, input: { prompt: wait, model: "openai/waiter" } };
        waits.push(
          triggerUntilAccepted(client, waiter, TIMEOUT_MS).then(async (accepted) => {
            await flood(jobs.url, [name], { body: (job) => ({ job }) });
            return accepted;
          }),
        );
      }
    });
    plain = (await Promise.all(sent)).flat();
    approved = await Promise.all(approvals);
    waited = await Promise.all(waits);
    for (const { executionId } of [...approved, ...waited]) {
      await client.ended(executionId, TIMEOUT_MS);
    }
    await approver.stop();
    const { scheduleId } = schedule.parse(made);
    // Runs that were missed are made up for before it is paused.
    await sleep(2 * INTERVAL_SECONDS * 1_000);
    await hooks.call("PATCH", `/schedules/${scheduleId}`, { enabled: false });
    scheduled = { from, until: Date.now() };
    for (const id of [endpoints.plain, endpoints.cases]) {
      await eventually(async () => !(await hooks.working(id)), TIMEOUT_MS);
    }
    await eventually(async () => {
      rows = await client.list();
      return rows.every(({ status }) => isFinal(status));
    }, TIMEOUT_MS);
  });
  afterAll(() => world.close());

  /** The requests of an endpoint without repeats, in the order of arrival. */
  const arrivals = async (endpointId: string): Promise<LogEntry[]> =>
    (await hooks.log(endpointId)).filter(({ duplicate }) => !duplicate).reverse();

  test("every execution completed", () => {
    expect(rows.filter(({ status }) => status !== "completed")).toEqual([]);
  });

  test("each event of a webhook has one entry, and started one execution, which completed", async () => {
    const entries = await arrivals(endpoints.plain);
    expect(entries).toHaveLength(KILLS * EVENTS);
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    const started = entries.map(({ executionId }) => executionId);
    expect(new Set(started).size).toBe(KILLS * EVENTS);
    expect(new Set(plain.map(({ answer }) => answer.executionId))).toEqual(new Set(started));
  });

  test("the executions of a case run one after another, each for one event", async () => {
    const entries = await arrivals(endpoints.cases);
    expect(entries).toHaveLength(KILLS * EVENTS);
    const byId = new Map(rows.map((row) => [row.executionId, row]));
    const runs = entries.map(({ body, routes }) => {
      const row = byId.get(routes[0]?.executionId ?? "");
      if (row === undefined) throw new Error("an event of a case started nothing");
      return { ...row, customer: customerIn.parse(JSON.parse(body ?? "")).customer };
    });
    // The inbox decides the order of requests that arrive at the same time.
    for (const ofCase of Map.groupBy(runs, ({ customer }) => customer).values()) {
      const inTurn = ofCase.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
      for (const [at, { createdAt, executionId }] of inTurn.entries()) {
        const before = inTurn[at - 1]?.finishedAt ?? "";
        expect(createdAt >= before, `${executionId} begins after ${before}`).toBe(true);
      }
    }
  });

  test("a schedule has run at each of its times, once", () => {
    const runs = rows.filter(({ origin }) => origin === "schedule");
    const times = runs.map(({ metadata }) => Date.parse(metadata.scheduledFor ?? "")).sort();
    const [first = 0] = times;
    expect(first).toBeLessThanOrEqual(scheduled.from + 2 * INTERVAL_SECONDS * 1_000);
    expect(times.at(-1)).toBeGreaterThan(scheduled.until - 2 * INTERVAL_SECONDS * 1_000);
    expect(times).toEqual(times.map((_, n) => first + n * INTERVAL_SECONDS * 1_000));
  });

  test("a call that was approved is made once", async () => {
    const { client, shop } = world;
    const results = await Promise.all(
      approved.map(({ executionId }) => client.result(executionId)),
    );
    const placed = shop.orders.map(({ target }) => target);
    expect(placed).toHaveLength(new Set(placed).size);
    const done = results.flatMap(({ effects }: ExecutionResult) => effects);
    expect(done).toHaveLength(2 * approved.length);
    const recorded = new Set(done.map(({ target }) => target));
    expect(placed.filter((target) => !recorded.has(target))).toEqual([]);
    const confirmed = done.filter(({ state }) => state === "confirmed");
    expect(confirmed.filter(({ target }) => !placed.includes(target))).toEqual([]);
  });

  test("each waiting execution is woken by its own event", async () => {
    for (const { executionId, name } of waited) {
      const events = await world.client.events(executionId);
      const woken = events.find(({ type }) => type === "tool.finished");
      expect(woken?.data).toMatchObject({
        ok: true,
        result: { payload: { job: name.replace("waited-", "") } },
      });
    }
  });

  test("every granted credit is available or was consumed by an execution", async () => {
    const consumed = rows.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
    await expect
      .poll(() => world.client.credits(), { timeout: 60_000 })
      .toMatchObject({ availableCredits: world.granted - consumed, reservedCredits: 0 });
  });

  test("the service has logged no error, and its databases are whole", async () => {
    expect(world.service.errors()).toEqual([]);
    await world.service.kill9();
    expect(await databaseFaults(world.service.stateDir)).toEqual([]);
  });
});

const waitingRows = z.object({
  executions: z.array(z.object({ executionId: z.string(), statusDetail: z.string() })),
});

/** Approves every call that waits for it, until it is stopped. */
function approveAll({ client }: World): { stop(): Promise<void> } {
  let isStopped = false;
  const round = async () => {
    const response = await client.request(
      "GET",
      "/trigger/list?status=waiting_for_input&limit=100",
    );
    const { executions } = waitingRows.parse(await response.json());
    for (const { executionId, statusDetail } of executions) {
      if (statusDetail !== "approval") continue;
      const { question } = await client.status(executionId);
      if (question?.kind !== "approval") continue;
      const approval = { callId: question.callId, decision: "approve" };
      const answer = await client.request("POST", `/trigger/${executionId}/message`, { approval });
      await answer.body?.cancel();
    }
  };
  const work = (async () => {
    while (!isStopped) {
      // The service may be dead at the moment.
      await round().catch(() => undefined);
      await sleep(200);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
    },
  };
}
