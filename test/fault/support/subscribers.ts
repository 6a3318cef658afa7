import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Client, createAccount } from "../../support/client.ts";
import { connectTo } from "../../support/mcp/connect.ts";
import { readText, startServer, type TestServer } from "../../support/server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { Webhooks } from "../../support/webhooks.ts";
import { eventually, flood, SECRET } from "./flood.ts";
import { killAgain } from "./jobs.ts";

interface Size {
  events: number;
  /** How long one of the three receivers answers 503 from its first event on. */
  failMs: number;
  kills: number;
  timeoutMs: number;
}

/** A receiver of one subscription: the ids of events that it accepted, in order, repeats included. */
interface Subscriber {
  path: string;
  secret: string;
  accepted: string[];
  /** Epoch milliseconds; null until its first event. */
  failsUntil: number | null;
}

const PATHS = ["steady", "second", "failing"];
const sent = z.looseObject({ challenge: z.string().optional(), eventId: z.string().optional() });
const page = z.looseObject({
  events: z.array(z.looseObject({ eventId: z.string() })),
  cursor: z.string(),
  hasMore: z.boolean(),
});

/** Declares the test of three MCP subscriptions to an endpoint's events, one of which fails for a while. */
export function describeSubscribers({ events, failMs, kills, timeoutMs }: Size): void {
  describe(`${events} events to three subscribers over ${kills} kills`, () => {
    let service: TestService;
    let server: TestServer;
    let client: Client;
    let subscribers: Subscriber[];

    beforeAll(async () => {
      subscribers = PATHS.map((path) => {
        const secret = `whsec_${randomBytes(32).toString("base64")}`;
        return { path: `/${path}`, secret, accepted: [], failsUntil: null };
      });
      server = await startServer(async (request, response) => {
        const subscriber = subscribers.find(({ path }) => path === request.url);
        const text = await readText(request).catch(() => null);
        if (text === null || subscriber === undefined) return;
        const headers = z.record(z.string(), z.string()).parse(request.headers);
        const body = sent.parse(new Webhook(subscriber.secret).verify(text, headers));
        if (body.eventId === undefined) {
          response.end(JSON.stringify({ challenge: body.challenge }));
          return;
        }
        if (subscriber.path === "/failing") subscriber.failsUntil ??= Date.now() + failMs;
        const isFailing = Date.now() < (subscriber.failsUntil ?? 0);
        if (!isFailing) subscriber.accepted.push(body.eventId);
        response.writeHead(isFailing ? 503 : 204).end();
      });
      service = await startTestService();
      const quotas = { webhookRequestsPerMinute: 1_000_000 };
      client = await createAccount(service, { credits: 1, quotas });
    });

    afterAll(async () => {
      await service?.close();
      await server?.close();
    });

    test("each gets each event in order of arrival, once except for kills", {
      timeout: timeoutMs,
    }, async () => {
      const { url, endpointId } = await new Webhooks(service, client.apiKey).endpoint({
        name: "orders",
        withoutWorkflow: "log",
        auth: { hmac: { preset: "github", secret: SECRET } },
        requestsPerMinute: 60_000,
      });
      const name = `${endpointId}.issues`;
      const mcp = await connectTo({ ...client, url: service.url, era: "current", fetch });
      for (const { path, secret } of subscribers) {
        const delivery = { url: `${server.origin}${path}`, secret };
        await mcp.client.request(
          { method: "events/subscribe", params: { name, delivery } },
          z.looseObject({ id: z.string() }),
        );
      }
      const ids = Array.from({ length: events }, (_, at) => `event-${at}`);
      const flooding = flood(url, ids);
      await killAgain({ service }, kills, () => undefined);
      await flooding;
      const isWhole = ({ accepted }: Subscriber) => new Set(accepted).size === events;
      await eventually(async () => subscribers.every(isWhole), timeoutMs);

      const arrived = await polled(mcp.client, name);
      for (const { accepted } of subscribers) {
        expect([...new Set(accepted)]).toEqual(arrived);
        expect(accepted.length - events).toBeLessThanOrEqual(kills);
      }
    });
  });
}

/** Reads the ids of all events in the order of their arrival. */
async function polled(
  client: Awaited<ReturnType<typeof connectTo>>["client"],
  name: string,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "e0";
  for (;;) {
    const read: z.infer<typeof page> = await client.request(
      { method: "events/poll", params: { name, cursor, maxEvents: 100 } },
      page,
    );
    ids.push(...read.events.map(({ eventId }) => eventId));
    if (!read.hasMore) return ids;
    cursor = read.cursor;
  }
}
