import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import * as z from "zod";
import { eventually, flood, SECRET } from "../fault/support/flood.ts";
import { killAgain } from "../fault/support/jobs.ts";
import { createAccount } from "../support/client.ts";
import { connectTo } from "../support/mcp/connect.ts";
import { readText, startServer } from "../support/server.ts";
import { startTestService } from "../support/service.ts";
import { untilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";
import { TIMEOUT_MS } from "./size.ts";

const EVENTS = 10_000;
const KILLS = 10;
/** How long one of the three receivers answers 503 from its first event on. */
const FAIL_MS = 60_000;

/** A receiver of one subscription: the ids of events that it accepted, in order, repeats included. */
interface Subscriber {
  path: string;
  secret: string;
  accepted: string[];
  /** Epoch milliseconds; null until its first event. */
  failsUntil: number | null;
}

const sent = z.looseObject({ challenge: z.string().optional(), eventId: z.string().optional() });
const page = z.looseObject({
  events: z.array(z.looseObject({ eventId: z.string() })),
  cursor: z.string(),
  hasMore: z.boolean(),
});

const subscribers = ["/steady", "/second", "/failing"].map((path): Subscriber => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  return { path, secret, accepted: [], failsUntil: null };
});
const receiver = await untilEnd(
  startServer(async (request, response) => {
    const subscriber = subscribers.find(({ path }) => path === request.url);
    const text = await readText(request).catch(() => null);
    if (text === null || subscriber === undefined) return;
    const headers = z.record(z.string(), z.string()).parse(request.headers);
    const body = sent.parse(new Webhook(subscriber.secret).verify(text, headers));
    if (body.eventId === undefined) {
      response.end(JSON.stringify({ challenge: body.challenge }));
      return;
    }
    if (subscriber.path === "/failing") subscriber.failsUntil ??= Date.now() + FAIL_MS;
    const isFailing = Date.now() < (subscriber.failsUntil ?? 0);
    if (!isFailing) subscriber.accepted.push(body.eventId);
    response.writeHead(isFailing ? 503 : 204).end();
  }),
);
const service = await untilEnd(startTestService());
const quotas = { webhookRequestsPerMinute: 1_000_000 };
const client = await createAccount(service, { credits: 1, quotas });

test("each of three subscribers, of which one fails for a while, gets each event in order of arrival, once except for kills", {
  timeout: TIMEOUT_MS,
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
    const delivery = { url: `${receiver.origin}${path}`, secret };
    await mcp.client.request(
      { method: "events/subscribe", params: { name, delivery } },
      z.looseObject({ id: z.string() }),
    );
  }
  const ids = Array.from({ length: EVENTS }, (_, at) => `event-${at}`);
  const flooding = flood(url, ids);
  await killAgain({ service }, KILLS, () => undefined);
  await flooding;
  const isWhole = ({ accepted }: Subscriber) => new Set(accepted).size === EVENTS;
  await eventually(async () => subscribers.every(isWhole), TIMEOUT_MS);

  const arrived = await polled(mcp.client, name);
  for (const { accepted } of subscribers) {
    expect([...new Set(accepted)]).toEqual(arrived);
    expect(accepted.length - EVENTS).toBeLessThanOrEqual(KILLS);
  }
});

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
