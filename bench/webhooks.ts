import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../test/support/client.ts";
import { githubRequest, Webhooks } from "../test/support/webhooks.ts";
import { type LoadResult, runLoad, type Shot, summarise, type Timings } from "./load.ts";
import { type Bench, settled } from "./service.ts";

const SECRET = "the-secret-of-the-bench";
const PACE_MS = 25;
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

/** An endpoint as its users have them: signed, validated, mapped, logged; its runs take one step. */
export interface BenchHook {
  url: string;
  endpointId: string;
  hooks: Webhooks;
  /** A request that is signed anew, under an event id of its own. */
  request(): { method: "POST"; headers: Record<string, string>; body: string };
}

/** Makes a workflow and its endpoint on the service at `url`. */
export async function openHook(url: string, client: Client): Promise<BenchHook> {
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
  const endpoint = await hooks.endpoint({
    name: "bench",
    workflowId,
    auth: { hmac: { preset: "github", secret: SECRET } },
    validation: {
      required: ["order.id"],
      types: { "order.cents": "integer" },
      schema: { type: "object", required: ["order", "customer"] },
    },
    mapping: {
      fields: [
        { to: "orderId", from: "order.id" },
        { to: "domain", from: "customer.email", transforms: [{ type: "domain" }] },
        {
          to: "total",
          from: "order.cents",
          transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
        },
      ],
    },
    requestsPerMinute: 1_000_000,
  });
  return {
    url: endpoint.url,
    endpointId: endpoint.endpointId,
    hooks,
    request: () => githubRequest(SECRET, BODY, randomUUID()),
  };
}

/** Webhooks as fast as they are taken, over so many connections; then all their runs are waited for. */
export async function measureWebhooks(
  { runtime, client }: Bench,
  connections: number,
  durationMs: number,
): Promise<LoadResult> {
  const hook = await openHook(runtime.url, client);
  const { method, headers, body } = hook.request();
  const shot: Shot = {
    method,
    path: new URL(hook.url).pathname,
    headers,
    body,
    uniqueHeader: "x-github-delivery",
  };
  const accepted = await runLoad({
    kind: "hammer",
    origin: runtime.url,
    connections,
    durationMs,
    shot,
  });
  while (await hook.hooks.working(hook.endpointId).catch(() => true)) await sleep(LOOK_MS);
  await settled(client);
  return accepted;
}

/** From receipt to the start of the run, as the log tells it, of webhooks that come at a steady pace. */
export async function measureReceiptToStart(
  { runtime, client }: Bench,
  count: number,
): Promise<Timings> {
  const hook = await openHook(runtime.url, client);
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await fetch(hook.url, hook.request());
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
    await sleep(PACE_MS);
  }
  while (await hook.hooks.working(hook.endpointId)) await sleep(LOOK_MS);
  const log = await hook.hooks.log(hook.endpointId);
  return summarise(
    log.flatMap(({ latencyMs: { toStart } }) => (toStart === null ? [] : [toStart])),
  );
}
