import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../test/support/client.ts";
import { githubRequest, Webhooks } from "../test/support/webhooks.ts";
import type { Figures } from "./figures.ts";
import { type LoadResult, runLoad, type Shot, summarise, type Timings } from "./load.ts";
import type { Scale } from "./options.ts";
import { startBench, until } from "./service.ts";

const SECRET = "the-secret-of-the-bench";
const PACE_MS = 25;
/** Webhooks at a steady pace for each execution that is counted elsewhere. */
const PACED_PER_COUNTED = 10;
/** Management calls have a limit of 600 a minute. */
const LOOK_MS = 250;

/** A kilobyte, as an event of a shop has. */
const BODY = JSON.stringify({
  order: {
    id: "1007",
    cents: 1999,
    lines: Array.from({ length: 10 }, (_, sku) => ({ sku, qty: 1 })),
  },
  customer: { email: "ann@shop.example.com", name: "Ann Example" },
  note: "x".repeat(500),
});

/** An endpoint as its users have them: signed, validated, mapped, logged; its executions take one step. */
export interface BenchHook {
  url: string;
  endpointId: string;
  hooks: Webhooks;
  /** A request that is signed anew, under an event id of its own. */
  request(): { method: "POST"; headers: Record<string, string>; body: string };
}

/** What its requests do: start the endpoint's workflow, start it by the second of two routes, or match no route. */
type Starts = "workflow" | "routed" | "unrouted";

/** Makes a workflow and its endpoint on the service at `url`. */
export async function openHook(
  url: string,
  client: Client,
  starts: Starts = "workflow",
): Promise<BenchHook> {
  const hooks = new Webhooks({ url }, client.apiKey);
  const workflowId = await hooks.workflow({
    name: "bench",
    prompt: "Say hello",
    inputs: [
      { name: "orderId", required: true },
      { name: "domain", required: true },
      { name: "total", type: "number", required: true },
    ],
    maxCredits: 5,
  });
  const mapping = {
    fields: [
      { to: "orderId", from: "order.id" },
      { to: "domain", from: "customer.email", transforms: [{ type: "domain" as const }] },
      {
        to: "total",
        from: "order.cents",
        transforms: [{ type: "unit" as const, from: "minor", to: "major", currency: "USD" }],
      },
    ],
  };
  const large = {
    name: "large",
    when: { path: "order.cents", gt: 1_000_000 },
    workflowId,
    mapping,
  };
  const orders = { name: "orders", when: { path: "order.id", exists: true }, workflowId, mapping };
  const routes = starts === "routed" ? [large, orders] : [large];
  const endpoint = await hooks.endpoint({
    name: "bench",
    ...(starts === "workflow" ? { workflowId, mapping } : { routing: { routes } }),
    auth: { hmac: { preset: "github", secret: SECRET } },
    validation: {
      required: ["order.id"],
      types: { "order.cents": "integer" },
      schema: { type: "object", required: ["order", "customer"] },
    },
    requestsPerMinute: 60_000,
  });
  return {
    url: endpoint.url,
    endpointId: endpoint.endpointId,
    hooks,
    request: () => githubRequest(SECRET, BODY, randomUUID()),
  };
}

/** Measures webhooks accepted over several numbers of connections, and how soon their executions start. */
export async function measureWebhooks(scale: Scale): Promise<Figures> {
  const toStart = await receiptToStart(scale);
  const one = await accepted(scale, 1);
  const sixteen = await accepted(scale, 16);
  const routed = await accepted(scale, 16, "routed");
  const unrouted = await accepted(scale, 16, "unrouted");
  const many = await accepted(scale, 64);
  return {
    webhooksPerSecond1: one.perSecond,
    webhooksPerSecond16: sixteen.perSecond,
    routedWebhooksPerSecond16: routed.perSecond,
    unroutedWebhooksPerSecond16: unrouted.perSecond,
    webhooksPerSecond64: many.perSecond,
    webhookToStartP50Ms: toStart.p50,
    webhookToStartP99Ms: toStart.p99,
    lostRequests: one.lost + sixteen.lost + routed.lost + unrouted.lost + many.lost,
  };
}

/** Webhooks as fast as a service of their own takes them. */
async function accepted(
  { warmUpMs, loadMs }: Scale,
  clients: number,
  starts: Starts = "workflow",
): Promise<LoadResult> {
  const { runtime, client } = await startBench();
  try {
    const hook = await openHook(runtime.url, client, starts);
    const { method, headers, body } = hook.request();
    const path = new URL(hook.url).pathname;
    const shot: Shot = { method, path, headers, body, uniqueHeader: "x-github-delivery" };
    const load = { kind: "hammer", origin: runtime.url, clients, shot } as const;
    // Short and by one client: all that it starts has to end before the measurement.
    await runLoad({ ...load, clients: 1, durationMs: warmUpMs / 4 });
    await until("the webhooks to end", async () => !(await isWorking(hook)), LOOK_MS);
    return await runLoad({ ...load, durationMs: loadMs });
  } finally {
    await runtime.close();
  }
}

/** From receipt to the start of the execution, as the log has it, of webhooks at a steady pace. */
async function receiptToStart({ counted }: Scale): Promise<Timings> {
  const { runtime, client } = await startBench();
  try {
    const hook = await openHook(runtime.url, client);
    for (let sent = 0; sent < counted * PACED_PER_COUNTED; sent += 1) {
      const response = await fetch(hook.url, hook.request());
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      await sleep(PACE_MS);
    }
    await until("the webhooks to end", async () => !(await isWorking(hook)), LOOK_MS);
    const log = await hook.hooks.log(hook.endpointId);
    return summarise(
      log.flatMap(({ latencyMs: { toStart } }) => (toStart === null ? [] : [toStart])),
    );
  } finally {
    await runtime.close();
  }
}

/** Whether requests of an endpoint have not reached their final status. */
export async function isWorking({ hooks, endpointId }: BenchHook): Promise<boolean> {
  try {
    return await hooks.working(endpointId);
  } catch (error) {
    // fetch throws a TypeError when workerd, still busy with the load, closes the connection.
    if (error instanceof TypeError) return true;
    throw error;
  }
}
