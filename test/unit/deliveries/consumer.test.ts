import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  DeliveryMessage,
  DeliveryOrder,
  DeliveryReport,
} from "../../../src/contract/callbacks.ts";
import { triggerBody } from "../../../src/contract/trigger.ts";
import { parseSettings } from "../../../src/env.ts";
import { callbackOf } from "../../../src/http/agent-settings.ts";
import { handleQueue } from "../../../src/queues.ts";
import { readText } from "../../support/server.ts";
import { serverOfTest } from "../../support/server-of-test.ts";

const ENCRYPTION_KEY = btoa("k".repeat(32));

type Report = { deliveryId: string; attempt: number; report: DeliveryReport };

/** The two calls of a session that the consumer makes; what was reported is kept. */
function session(begin: (deliveryId: string) => Promise<DeliveryOrder | null>) {
  const reports: Report[] = [];
  return {
    reports,
    beginDelivery: (_: string, deliveryId: string) => begin(deliveryId),
    async endDelivery(_: string, deliveryId: string, attempt: number, report: DeliveryReport) {
      reports.push({ deliveryId, attempt, report });
    },
  };
}

function env(session: object, settings: Record<string, string> = {}): CloudflareEnv {
  const bindings = {
    ALLOW_LOOPBACK: "true",
    ENCRYPTION_KEY,
    SESSION_HOST: { getByName: () => session },
    ...settings,
  };
  return bindings as unknown as CloudflareEnv;
}

/** A queue's batch that keeps what was said about each message. */
function batch(...bodies: unknown[]) {
  const outcomes: string[] = bodies.map(() => "none");
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts: 2,
    body,
    ack: () => {
      outcomes[index] = "ack";
    },
    retry: (options?: { delaySeconds?: number }) => {
      outcomes[index] = `retry ${options?.delaySeconds}`;
    },
  }));
  const rest = { queue: "staging-callbacks", ackAll: () => {}, retryAll: () => {} };
  return { outcomes, queued: { messages, ...rest } as unknown as MessageBatch };
}

/** What a batch leaves under way. */
function context() {
  const underWay: Promise<unknown>[] = [];
  return { underWay, waitUntil: (work: Promise<unknown>) => void underWay.push(work) };
}

/** Consumes a batch, and waits for the attempts that it leaves under way. */
async function consume(queued: MessageBatch, bindings: CloudflareEnv): Promise<void> {
  const { underWay, waitUntil } = context();
  await handleQueue(queued, bindings, { waitUntil });
  await Promise.all(underWay);
}

const message = (deliveryId: string, accountId = "acc_1") =>
  ({
    v: 1 as const,
    accountId,
    executionId: randomUUID(),
    deliveryId,
    attempt: 1,
  }) satisfies DeliveryMessage;

const order = (url: string): DeliveryOrder => ({
  webhookId: "msg_1",
  url,
  sealedSecret: null,
  body: "{}",
  serviceHosts: [],
});

/** The lines that were logged by one of the console's methods. */
const lines = (log: typeof console.info): unknown[] =>
  vi.mocked(log).mock.calls.map(([line]) => JSON.parse(line));

beforeEach(() => {
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

const HOST = "hooks.example.com";
const OWN = `https://${HOST}/`;
const ITSELF = "This address is the service itself.";
const NO_TLS = "Only https addresses are allowed for this host.";

describe("the callbacks queue", () => {
  it.each([
    [202, "delivered", null],
    [500, "failed", "It answered 500."],
  ])("acknowledges, reports and logs an attempt answered with %i", async (...row) => {
    const [status, outcome, error] = row;
    const origin = await serverOfTest((_, response) => response.writeHead(status).end());
    const owner = session(async () => order(origin));
    const sent = message("d1");
    const { outcomes, queued } = batch(sent);
    await consume(queued, env(owner));

    expect(outcomes).toEqual(["ack"]);
    expect(owner.reports).toMatchObject([
      { deliveryId: "d1", attempt: 1, report: { status, error } },
    ]);
    const { executionId, attempt } = sent;
    const line = { level: "info", event: "callback", executionId, attempt, status, outcome };
    expect(lines(console.info)).toEqual([{ ...line, durationMs: expect.any(Number) }]);
  });

  it.each([
    ["the service itself, by the order", OWN, { serviceHosts: [HOST] }, {}, ITSELF],
    ["the service itself, by the settings", OWN, {}, { SERVICE_HOSTS: HOST }, ITSELF],
    ["a public host without TLS", `http://${HOST}/`, {}, {}, NO_TLS],
  ])("sends nothing to %s", async (_, url, change, settings, error) => {
    const owner = session(async () => ({ ...order(url), ...change }));
    const { outcomes, queued } = batch(message("d1"));
    await consume(queued, env(owner, settings));

    expect(owner.reports).toMatchObject([{ report: { status: null, error } }]);
    expect(outcomes).toEqual(["ack"]);
  });

  it("uses the configured resolver, and sends nothing to a name with a private address", async () => {
    const names: (string | null)[] = [];
    const origin = await serverOfTest((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://resolver");
      names.push(searchParams.get("name"));
      response.end(JSON.stringify({ Status: 0, Answer: [{ type: 1, data: "10.0.0.1" }] }));
    });
    const owner = session(async () => order("https://hooks.example.com/"));
    const settings = { DNS_OVER_HTTPS_URL: `${origin}/dns-query` };
    await consume(batch(message("d1")).queued, env(owner, settings));

    expect(new Set(names)).toEqual(new Set(["hooks.example.com"]));
    const error = "The name hooks.example.com resolves to an address that is not public.";
    expect(owner.reports).toMatchObject([{ report: { status: null, error } }]);
  });

  it("signs with the sealed secret of the trigger", async () => {
    const secret = "a client's own secret";
    const received: { body: string; headers: Record<string, string> }[] = [];
    const origin = await serverOfTest(async (request, response) => {
      const headers = request.headers as Record<string, string>;
      received.push({ body: await readText(request), headers });
      response.end();
    });
    const body = triggerBody.parse({ prompt: "Go.", callbackSecret: secret });
    const callback = await callbackOf(body, [], parseSettings({ ENCRYPTION_KEY }));
    const sealedSecret = callback?.sealedSecret ?? null;
    const signed = { ...order(origin), sealedSecret };
    await consume(batch(message("d1")).queued, env(session(async () => signed)));

    const [delivery] = received;
    const verifier = new Webhook(secret, { format: "raw" });
    expect(verifier.verify(delivery?.body ?? "", delivery?.headers ?? {})).toEqual({});
  });

  it("acknowledges an attempt that its session no longer wants, and sends nothing", async () => {
    const owner = session(async () => null);
    const { outcomes, queued } = batch(message("d1"));
    await consume(queued, env(owner));

    expect(owner.reports).toEqual([]);
    expect(outcomes).toEqual(["ack"]);
  });

  it("acknowledges and logs an unreadable message", async () => {
    const owner = session(() => Promise.reject(new Error("must not be asked")));
    const { outcomes, queued } = batch({ v: 2 }, "text", null);
    await consume(queued, env(owner));

    expect(outcomes).toEqual(["ack", "ack", "ack"]);
    const line = {
      level: "error",
      event: "queue message not readable",
      queue: "staging-callbacks",
    };
    expect(lines(console.error)).toEqual(
      ["m0", "m1", "m2"].map((messageId) => ({ ...line, messageId })),
    );
  });

  it("retries only the message whose session is unreachable", async () => {
    const owner = session(async (deliveryId) => {
      if (deliveryId === "lost") throw new Error("the object is overloaded");
      return null;
    });
    const lost = message("lost");
    const { outcomes, queued } = batch(message("d1"), lost, message("d3"));
    await consume(queued, env(owner));

    expect(outcomes).toEqual(["ack", "retry 20", "ack"]);
    const { executionId, attempt } = lost;
    expect(lines(console.error)).toMatchObject([
      { event: "callback owner not reached", messageId: "m1", executionId, attempt },
    ]);
  });

  it("leaves an attempt whose report is lost to the session, which repeats it", async () => {
    const origin = await serverOfTest((_, response) => response.end());
    const owner = {
      ...session(async () => order(origin)),
      endDelivery: () => Promise.reject(new Error("the object is overloaded")),
    };
    const sent = message("d1");
    const { outcomes, queued } = batch(sent);
    await consume(queued, env(owner));

    expect(outcomes).toEqual(["ack"]);
    const { executionId, attempt } = sent;
    const error = { level: "error", event: "callback not reported", executionId, attempt };
    expect(lines(console.error)).toMatchObject([error]);
  });

  it("acknowledges messages before their receivers answer", async () => {
    const arrived: (() => void)[] = [];
    const all = Promise.withResolvers<void>();
    const origin = await serverOfTest((_, response) => {
      arrived.push(() => response.end());
      if (arrived.length === 2) all.resolve();
    });
    const owner = session(async () => order(origin));
    const { outcomes, queued } = batch(message("a"), message("b"));
    const { underWay, waitUntil } = context();
    await handleQueue(queued, env(owner), { waitUntil });
    await all.promise;

    expect(outcomes).toEqual(["ack", "ack"]);
    expect(owner.reports).toEqual([]);
    for (const answer of arrived) answer();
    await Promise.all(underWay);
    expect(owner.reports).toHaveLength(2);
  });

  it("reserves slots for other accounts beside one whose receivers never answer", async () => {
    const hanging: (() => void)[] = [];
    const origin = await serverOfTest((request, response) => {
      if (request.url === "/slow") hanging.push(() => response.end());
      else response.end();
    });
    const slow = session(async () => order(`${origin}/slow`));
    const quick = session(async () => order(origin));
    const { underWay, waitUntil } = context();
    const many = batch(...Array.from({ length: 100 }, (_, n) => message(`s${n}`, "acc_slow")));
    await handleQueue(many.queued, env(slow), { waitUntil });
    const { outcomes, queued } = batch(message("q", "acc_quick"));
    await consume(queued, env(quick));

    expect(outcomes).toEqual(["ack"]);
    expect(quick.reports).toHaveLength(1);
    const later = many.outcomes.filter((outcome) => outcome === "retry 15");
    expect(later).toHaveLength(36);
    await expect.poll(() => hanging.length).toBe(100 - later.length);
    for (const answer of hanging) answer();
    await Promise.all(underWay);
    const again = batch(message("again", "acc_slow"));
    await consume(again.queued, env(quick));
    expect(again.outcomes).toEqual(["ack"]);
  });
});

it("dead letters of the callbacks queue are acknowledged and logged with their attempts", async () => {
  const dead = message("d1");
  const owner = session(() => Promise.reject(new Error("must not be asked")));
  const { outcomes, queued } = batch(dead);
  await consume({ ...queued, queue: "staging-callbacks-dead" }, env(owner));

  expect(outcomes).toEqual(["ack"]);
  const { executionId, attempt } = dead;
  const line = { level: "warn", event: "callback message dead-lettered" };
  expect(lines(console.warn)).toEqual([{ ...line, messageId: "m0", executionId, attempt }]);
});
