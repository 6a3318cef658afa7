import { randomUUID } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, inject, it } from "vitest";
import * as z from "zod";
import type { ExecutionRow } from "../../src/contract/execution.ts";
import { type Client, createAccount } from "../support/client.ts";
import { startServer } from "../support/server.ts";
import { startTestService } from "../support/service.ts";
import { untilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";
import { eventually, flood, repeated, SECRET, type Sent } from "./support/flood.ts";

const EVENTS = 60;
const TIMES = 3;
const CASE_EVENTS = 20;
const BATCHES = 2;
const BATCH_ITEMS = 50;
const SCHEDULES = 20;
const SCHEDULE_GAP_MS = 100;

const service = await untilEnd(startTestService());

it(`starts one execution for each event of ${TIMES} concurrent copies, when it is killed meanwhile`, async () => {
  const shop = await openShop();
  await shop.expectOnce(await floodAndCrash(shop.url, shop.requests));
});

it("keeps cases in order, exclusive and complete, and schedules on time, when it is killed during events", async () => {
  const client = await createAccount(service);
  const hooks = new Webhooks(service, client.apiKey);
  const workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello" });
  const key = { path: "issue.number" };
  const { url, endpointId } = await hooks.endpoint({
    name: "cases",
    routing: {
      routes: [
        { name: "each", workflowId },
        { name: "in order", workflowId, key },
        { name: "gathered", workflowId, key, onEvent: "collect", quietSeconds: 1 },
      ],
    },
    auth: { hmac: { preset: "github", secret: SECRET } },
  });
  const schedules = await scheduled(hooks, workflowId);
  const ids = Array.from({ length: CASE_EVENTS }, () => randomUUID());
  await floodAndCrash(url, ids);
  await eventually(async () => !(await hooks.working(endpointId)), 90_000);

  const log = (await hooks.log(endpointId)).filter(({ duplicate }) => !duplicate).reverse();
  expect(log.map(({ eventId }) => eventId).sort()).toEqual([...ids].sort());
  const executionsOf = (name: string) =>
    log.map(({ routes }) => routes.find((route) => route.name === name)?.executionId ?? "");
  const rows = new Map((await webhookRuns(client)).map((row) => [row.executionId, row]));
  const [each, inOrder, gathered] = ["each", "in order", "gathered"].map(executionsOf);
  if (each === undefined || inOrder === undefined || gathered === undefined) throw new Error();
  expect(new Set([...each, ...inOrder]).size).toBe(2 * CASE_EVENTS);
  expect(rows.size).toBe(new Set([...each, ...inOrder, ...gathered]).size);
  // The inbox decides the order of requests that arrive at the same time.
  const order = log
    .map(({ eventId }, at) => ({ eventId, ...timesOf(rows.get(inOrder[at] ?? "")) }))
    .sort((a, b) => a.createdAt - b.createdAt);
  for (const [at, { createdAt }] of order.entries()) {
    expect(createdAt).toBeGreaterThanOrEqual(order[at - 1]?.finishedAt ?? 0);
  }
  const together = await Promise.all(
    [...new Set(gathered)].sort().map((executionId) => eventsOf(hooks, executionId)),
  );
  expect(together.flat()).toEqual(order.map(({ eventId }) => `event ${eventId}`));

  const ran = async () =>
    (await client.list()).flatMap(({ origin, metadata }) =>
      origin === "schedule" ? [metadata.scheduleId] : [],
    );
  await eventually(async () => (await ran()).length >= schedules.length, 30_000);
  expect((await ran()).sort()).toEqual(schedules.sort());
});

it("accepts batches as a whole, and starts one execution for each item, when it is killed meanwhile", async () => {
  const client = await createAccount(service);
  const hooks = new Webhooks(service, client.apiKey);
  const workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello" });
  const { url, endpointId } = await hooks.endpoint({
    name: "batches",
    workflowId,
    split: { path: "events" },
    eventId: { in: "body", path: "id" },
    auth: { hmac: { preset: "github", secret: SECRET } },
  });
  const items = (batch: string) => Array.from({ length: BATCH_ITEMS }, (_, n) => `${batch}-${n}`);
  const ids = Array.from({ length: BATCHES }, () => randomUUID());
  const body = (batch: string) => ({ events: items(batch).map((id) => ({ id })) });
  const sending = flood(url, ids, { body });
  // The first items are in the log, and the others not yet if they are not stored with them.
  while (!(await hooks.hasRequests(endpointId)));
  await crash();
  const sent = await sending;
  await eventually(async () => !(await hooks.working(endpointId)), 90_000);

  const log = await hooks.log(endpointId);
  const places = Map.groupBy(log, ({ batch }) => batch?.requestId);
  for (const entries of places.values()) {
    const found = entries.map(({ batch }) => batch?.index ?? -1).sort((a, b) => a - b);
    expect(found).toEqual(items("").map((_, index) => index));
  }
  expect(sent.filter(({ answer }) => !places.has(answer.requestId))).toEqual([]);
  const firsts = log.filter(({ duplicate }) => !duplicate);
  expect(firsts.map(({ eventId }) => eventId).sort()).toEqual(ids.flatMap(items).sort());
  expect(new Set(firsts.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
  const runs = (await webhookRuns(client)).map(({ executionId }) => executionId);
  expect(runs.sort()).toEqual(firsts.map(({ executionId }) => executionId).sort());
});

it("starts one agent for each event of another Prompthook, and of a polled MCP server, across a kill", async () => {
  const hooks = new Webhooks(service, (await createAccount(service)).apiKey);
  const stateOf = async (endpointId: string) => (await hooks.read(endpointId)).source?.state;
  /** Returns the events that started an agent, without the handshake. */
  const succeeded = async (endpointId: string) =>
    (await hooks.log(endpointId)).filter(
      ({ status, eventId }) => status === "succeeded" && eventId !== null,
    );
  const theirs = inject("service");
  const other = await createAccount(theirs);
  const senders = new Webhooks(theirs, other.apiKey);
  const sending = await senders.endpoint({ name: "shop", withoutWorkflow: "log" });
  const headers = { Authorization: `Bearer ${other.apiKey}` };
  const shop = { name: "shop", url: `${theirs.url}/mcp`, headers };
  const pushed = await follow(hooks, shop, `${sending.endpointId}.event`);
  expect(pushed.source).toMatchObject({ event: `${sending.endpointId}.event` });
  await expect.poll(() => stateOf(pushed.endpointId)).toBe("active");
  const orders = { name: "orders", url: `${polled.origin}/mcp` };
  const { endpointId, source } = await follow(hooks, orders, "orders.created");
  await expect.poll(() => succeeded(endpointId)).toHaveLength(2);
  // The kill loses no subscription: it is the other service's, and this one renews it.
  await service.kill9();
  polledEvents.push(event(3));
  await service.restart();

  await fetch(sending.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Event-Id": "order-7" },
    body: JSON.stringify({ order: { id: 7 } }),
  });
  await expect.poll(() => succeeded(pushed.endpointId)).toHaveLength(1);
  expect(await succeeded(pushed.endpointId)).toMatchObject([
    { eventId: "order-7", mappedInputs: { data: { order: { id: 7 } } } },
  ]);
  await expect.poll(() => succeeded(endpointId)).toHaveLength(3);
  const events = (await hooks.log(endpointId)).map(({ eventId }) => eventId);
  expect(events.toReversed()).toEqual(["order-1", "order-2", "order-3"]);

  await hooks.change(pushed.endpointId, { source: null });
  expect(await stateOf(pushed.endpointId)).toBeUndefined();
  const foreign = { ...source, mcpServerId: "mcp_0000000000000000" };
  await expect(hooks.endpoint({ name: "none", source: foreign })).rejects.toThrow(
    /MCP server of this account/,
  );
  const auth = { token: {} };
  await expect(hooks.endpoint({ name: "two", auth, source })).rejects.toThrow(/preset mcp/);
});

/** A server of events that offers no webhooks. */
const polled = await untilEnd(
  startServer((request, response) => {
    const { method = "", url = "" } = request;
    const asked = Object.assign(request, { method, url });
    void toNodeHandler(createMcpHandler(polledServer))(asked, response);
  }),
);
const event = (id: number) => ({
  eventId: `order-${id}`,
  timestamp: new Date().toISOString(),
  data: { id },
});
const polledEvents = [event(1), event(2)];

/** An MCP server of the official library with one event, read by its position in the log. */
function polledServer(): McpServer {
  const mcp = new McpServer({ name: "orders", version: "1.0.0" });
  const any = { params: z.unknown() };
  mcp.server.setRequestHandler("events/list", any, async () => ({
    events: [{ name: "orders.created", delivery: ["poll"] }],
  }));
  mcp.server.setRequestHandler("events/poll", any, async (given) => {
    const { cursor } = z.looseObject({ cursor: z.string().nullish() }).parse(given);
    const from = Number(cursor ?? 0);
    const events = polledEvents.slice(from, from + 1);
    const to = from + events.length;
    return { events, cursor: String(to), hasMore: to < polledEvents.length, nextPollMs: 1_000 };
  });
  return mcp;
}

/** Registers a server and has an endpoint with a workflow follow its event. */
async function follow(
  hooks: Webhooks,
  server: { name: string; url: string; headers?: object },
  event: string,
) {
  const made = await hooks.call("POST", "/mcp-servers", server);
  const { serverId } = z.object({ serverId: z.string() }).parse(made);
  const inputs = [{ name: "data", type: "object" as const, required: true }];
  const prompt = "List rows from {{data}}.";
  const workflowId = await hooks.workflow({ name: "look", prompt, inputs });
  const source = { mcpServerId: serverId, event };
  return { ...(await hooks.endpoint({ name: server.name, workflowId, source })), source };
}

/** Makes schedules of one run each, at times that follow each other closely; answers their ids. */
async function scheduled(hooks: Webhooks, workflowId: string): Promise<string[]> {
  const from = Date.now() + 500;
  const made = Array.from({ length: SCHEDULES }, (_, n) => {
    const at = new Date(from + n * SCHEDULE_GAP_MS).toISOString();
    return hooks.call("POST", "/schedules", { workflowId, at });
  });
  const shape = z.array(z.object({ scheduleId: z.string() }));
  return shape.parse(await Promise.all(made)).map((schedule) => schedule.scheduleId);
}

const timesOf = (row: Pick<ExecutionRow, "createdAt" | "finishedAt"> | undefined) => ({
  createdAt: Date.parse(row?.createdAt ?? ""),
  finishedAt: Date.parse(row?.finishedAt ?? ""),
});

const task = z.object({
  inputs: z.object({ events: z.array(z.object({ issue: z.object({ title: z.string() }) })) }),
});

/** The titles of the events that an execution got together. */
async function eventsOf(hooks: Webhooks, executionId: string): Promise<string[]> {
  const { inputs } = task.parse(await hooks.call("GET", `/agent/trigger/${executionId}/task`));
  return inputs.events.map(({ issue }) => issue.title);
}

/** Sends events until each is answered, and kills the service once, when half of them are. */
async function floodAndCrash(url: string, eventIds: readonly string[]): Promise<Sent[]> {
  let killed: Promise<void> | null = null;
  const answered = (count: number) => {
    if (count >= eventIds.length / 2) killed ??= crash();
  };
  const sent = await flood(url, eventIds, { answered });
  await killed;
  return sent;
}

async function crash(): Promise<void> {
  await service.kill9();
  await service.restart();
}

/** An endpoint, its events, and what must be true in the end. */
async function openShop() {
  const client = await createAccount(service);
  const hooks = new Webhooks(service, client.apiKey);
  const workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello" });
  const { url, endpointId } = await hooks.endpoint({
    name: "flood",
    workflowId,
    auth: { hmac: { preset: "github", secret: SECRET } },
    requestsPerMinute: 60_000,
  });
  const ids = Array.from({ length: EVENTS }, () => randomUUID());

  async function expectOnce(sent: Sent[]): Promise<void> {
    await eventually(async () => !(await hooks.working(endpointId)), 90_000);
    const runs = await webhookRuns(client);
    expect(runs).toHaveLength(EVENTS);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["completed"]));
    const log = await hooks.log(endpointId);
    const firsts = log.filter(({ duplicate }) => !duplicate);
    expect(firsts.map(({ eventId }) => eventId).sort()).toEqual([...ids].sort());
    expect(new Set(firsts.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    const runOf = new Map(firsts.map(({ eventId, executionId }) => [eventId, executionId]));
    // Every 2xx has its entry, and names the execution of its event, whoever was first.
    const logged = new Set(log.map(({ requestId }) => requestId));
    for (const { eventId, answer } of sent) {
      expect(logged).toContain(answer.requestId);
      expect(answer.executionId).toBe(runOf.get(eventId));
    }
    // A request whose answer was lost was sent again: then there are more entries than answers.
    expect(sent).toHaveLength(EVENTS * TIMES);
    expect(log.length).toBeGreaterThanOrEqual(sent.length);
    expect(log.filter(({ duplicate }) => duplicate)).toHaveLength(log.length - EVENTS);
  }

  return { url, requests: repeated(ids, TIMES), expectOnce };
}

async function webhookRuns(client: Client) {
  const rows = await client.list();
  return rows.filter(({ origin }) => origin === "webhook");
}
