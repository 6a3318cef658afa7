import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  experimental_createMCPEventWebhook as createEventWebhook,
  createMCPClient,
  type Experimental_MCPEventSubscription as Subscription,
} from "@ai-sdk/mcp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOPBACK } from "../support/certificates.ts";
import { type Client, createAccount } from "../support/client.ts";
import { readText, startServer, type TestServer } from "../support/server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { githubRequest, Webhooks } from "../support/webhooks.ts";

const SECRET = "a-secret-of-the-repository";

let service: TestService;
let receiver: TestServer;
let folder: string;
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
  folder = await mkdtemp(join(tmpdir(), "prompthook-tls-"));
  const trusted = join(folder, "loopback.pem");
  await writeFile(trusted, LOOPBACK.cert);
  [service, receiver] = await Promise.all([
    startTestService({ NODE_EXTRA_CA_CERTS: trusted }),
    startServer(async (request, response) => {
      const { method = "GET", url = "", headers } = request;
      const answer = await handle(
        new Request(new URL(url, receiver.origin), {
          method,
          headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
          body: await readText(request),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    }, LOOPBACK),
  ]);
  client = await createAccount(service);
});

afterAll(async () => {
  await Promise.all([service?.close(), receiver?.close()]);
  await rm(folder, { recursive: true });
});

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

async function crash(): Promise<void> {
  await service.kill9();
  await service.restart();
}

const untilReceived = (count: number) =>
  expect.poll(() => new Set(received.map(({ id }) => id)).size).toBe(count);

test("the client of the AI SDK gets GitHub's webhooks, verified, over TLS, and kills between the steps, until it unsubscribes", async () => {
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
  const delivery = { mode: "webhook", url: address } as const;
  await push(url, "created", "delivery-0");
  await expect
    .poll(async () => (await events.list()).events.map((event) => event.name))
    .toContain(name);
  const subscribed = await events.subscribe({ name, delivery });
  expect(Date.parse(String(subscribed.refreshBefore))).toBeGreaterThan(Date.now());
  await crash();
  await push(url, "opened", "delivery-1");
  await crash();
  await untilReceived(1);
  const { id } = subscribed;
  const again = (await connected()).experimental_events;
  expect(await again.refresh({ id })).toMatchObject({ id, truncated: false });
  await crash();
  await push(url, "labeled", "delivery-2");
  await untilReceived(2);
  await push(url, "closed", "delivery-3");
  await untilReceived(3);
  // A crash between a receipt and its note repeats an event under the same id.
  expect([...new Map(received.map(({ id, action }) => [id, action]))]).toEqual([
    ["delivery-1", "opened"],
    ["delivery-2", "labeled"],
    ["delivery-3", "closed"],
  ]);
  await (await connected()).experimental_events.unsubscribe({ id });
  expect(kept.size).toBe(0);
});
