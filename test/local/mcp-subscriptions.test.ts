import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  experimental_createMCPEventWebhook as createEventWebhook,
  createMCPClient,
  type Experimental_MCPEventSubscription as Subscription,
} from "@ai-sdk/mcp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOPBACK } from "../support/certificates.ts";
import { type Client, createAccount } from "../support/client.ts";
import { choosePort } from "../support/ports.ts";
import { readText, startServer, type TestServer } from "../support/server.ts";
import { runStart, type Start } from "../support/service.ts";
import { folderUntilEnd } from "../support/until-end.ts";
import { githubRequest, Webhooks } from "../support/webhooks.ts";

const SECRET = "a-secret-of-the-repository";

const ADMIN_TOKEN = "the-operators-token-of-all-the-tests";

const folder = await folderUntilEnd();
let started: Start;
let url: string;
let receiver: TestServer;
let start: () => Start;
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
  const trusted = join(folder, "loopback.pem");
  await writeFile(trusted, LOOPBACK.cert);
  receiver = await startServer(async (request, response) => {
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
  }, LOOPBACK);
  const port = String(await choosePort());
  const state = { ADMIN_TOKEN, PORT: port, STATE_DIR: join(folder, "state") };
  // Only what starts workerd reads which certificates it trusts, once.
  start = () => runStart({ ...state, NODE_EXTRA_CA_CERTS: trusted });
  started = start();
  ({ url } = await started.ready);
  client = await createAccount({ url, adminToken: ADMIN_TOKEN });
});

afterAll(() => Promise.all([started?.kill9(), receiver?.close()]));

/** The client of the AI SDK, connected to the service. */
const connected = () =>
  createMCPClient({
    transport: {
      type: "http",
      url: `${url}/mcp`,
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
  expect.poll(() => new Set(received.map(({ id }) => id)).size).toBe(count);

test("the client of the AI SDK gets GitHub's verified webhooks over TLS, across a kill, until it unsubscribes", async () => {
  const { endpointId, url: hook } = await new Webhooks({ url }, client.apiKey).endpoint({
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
  await push(hook, "created", "delivery-0");
  await expect
    .poll(async () => (await events.list()).events.map((event) => event.name))
    .toContain(name);
  const subscribed = await events.subscribe({ name, delivery });
  expect(Date.parse(String(subscribed.refreshBefore))).toBeGreaterThan(Date.now());
  await push(hook, "opened", "delivery-1");
  await started.kill9();
  started = start();
  await started.ready;
  await untilReceived(1);
  const { id } = subscribed;
  const again = (await connected()).experimental_events;
  expect(await again.refresh({ id })).toMatchObject({ id, truncated: false });
  await push(hook, "labeled", "delivery-2");
  await untilReceived(2);
  // A crash between a receipt and its note repeats an event under the same id.
  expect([...new Map(received.map(({ id, action }) => [id, action]))]).toEqual([
    ["delivery-1", "opened"],
    ["delivery-2", "labeled"],
  ]);
  await (await connected()).experimental_events.unsubscribe({ id });
  expect(kept.size).toBe(0);
});
