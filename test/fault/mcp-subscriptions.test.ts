import {
  experimental_createMCPEventWebhook as createEventWebhook,
  createMCPClient,
  type Experimental_MCPEventSubscription as Subscription,
} from "@ai-sdk/mcp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { readText, startServer, type TestServer } from "../support/server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { githubRequest, Webhooks } from "../support/webhooks.ts";

const SECRET = "a-secret-of-the-repository";

let service: TestService;
let receiver: TestServer;
let client: Client;
/** What the AI SDK keeps of its subscriptions, and the events that it has verified, by their ids. */
const kept = new Map<string, Subscription>();
const received: { id: string; action: unknown }[] = [];

const store = {
  get: async (key: string) => kept.get(key),
  getById: async (id: string) => [...kept.values()].find((one) => one.id === id),
  set: async (one: Subscription) => void kept.set(one.key, one),
  update: async (key: string, patch: Partial<Subscription>) => {
    const one = kept.get(key);
    if (one !== undefined) kept.set(key, { ...one, ...patch });
  },
  delete: async (key: string) => void kept.delete(key),
};

beforeAll(async () => {
  const handle = createEventWebhook({
    store,
    onEvent: async ({ event }) => {
      received.push({ id: event.eventId, action: event.data.action });
    },
  });
  [service, receiver] = await Promise.all([
    startTestService(),
    startServer(async (request, response) => {
      const { method = "GET", url = "", headers } = request;
      const answer = await handle(
        new Request(new URL(url, `http://${headers.host}`), {
          method,
          headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
          body: await readText(request),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    }),
  ]);
  client = await createAccount(service);
});

afterAll(() => Promise.all([service?.close(), receiver?.close()]));

/** The client of the AI SDK, connected to the service. */
const connected = () =>
  createMCPClient({
    transport: {
      type: "http",
      url: `${service.url}/mcp`,
      headers: { Authorization: `Bearer ${client.apiKey}` },
    },
    experimental_events: { store },
  });

/** Sends an event as GitHub does. */
async function push(url: string, action: string, delivery: string): Promise<void> {
  const { method, headers, body } = githubRequest(SECRET, JSON.stringify({ action }), delivery);
  expect((await fetch(url, { method, headers, body })).status).toBe(202);
}

const untilReceived = (count: number) =>
  expect.poll(() => received, { timeout: 60_000 }).toHaveLength(count);

test("the client of the AI SDK gets GitHub's webhooks, verified, over restarts until it unsubscribes", async () => {
  const { endpointId, url } = await new Webhooks(service, client.apiKey).endpoint({
    name: "repository",
    withoutWorkflow: "log",
    auth: { hmac: { preset: "github", secret: SECRET } },
  });
  const { experimental_events: events } = await connected();
  const name = `${endpointId}.issues`;
  const { events: listed } = await events.list();
  expect(listed.map((event) => event.name)).toContain(`${endpointId}.event`);

  const address = `${receiver.origin}/events`;
  const delivery = { mode: "webhook", url: address, allowInsecureLocalhost: true } as const;
  await push(url, "created", "delivery-0");
  await expect
    .poll(async () => (await events.list()).events.map((event) => event.name))
    .toContain(name);
  const subscribed = await events.subscribe({ name, delivery });
  expect(Date.parse(String(subscribed.refreshBefore))).toBeGreaterThan(Date.now());
  await push(url, "opened", "delivery-1");
  await untilReceived(1);

  await service.kill9();
  await service.restart();
  await push(url, "labeled", "delivery-2");
  await untilReceived(2);
  const { id } = subscribed;
  const again = (await connected()).experimental_events;
  expect(await again.refresh({ id })).toMatchObject({ id, truncated: false });
  await push(url, "closed", "delivery-3");
  await untilReceived(3);
  expect(received).toEqual([
    { id: "delivery-1", action: "opened" },
    { id: "delivery-2", action: "labeled" },
    { id: "delivery-3", action: "closed" },
  ]);
  await again.unsubscribe({ id });
  expect(kept.size).toBe(0);
});
