import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveryReport } from "../../../src/contract/callbacks.ts";
import type { DestinationOrder } from "../../../src/contract/destinations.ts";
import { handleQueue } from "../../../src/queues.ts";
import { readText } from "../../support/server.ts";
import { serverOfTest } from "../../support/server-of-test.ts";

const ORIGIN = "https://prompthook.example";
const address = { destinationId: "dst_1", messageId: "del_1" };

function orderTo(to: Partial<DestinationOrder["to"]>): DestinationOrder {
  return {
    kind: "destination",
    accountId: "acc_1",
    webhookId: "msg_1",
    message: { key: "1", type: "credits.low", at: 0, page: "/dashboard/usage", data: { n: 1 } },
    to: {
      destinationId: "dst_1",
      format: "standard",
      url: null,
      email: null,
      payload: "thin",
      content: false,
      sealedSecret: null,
      sealedHeaders: null,
      origin: ORIGIN,
      ...to,
    },
  };
}

/** Delivers an order of an account through the queue, and returns what was reported. */
async function deliver(order: DestinationOrder, bindings: object = {}): Promise<DeliveryReport[]> {
  const reports: DeliveryReport[] = [];
  const account = {
    beginDelivery: async () => order,
    endDelivery: async (...[, , , report]: [unknown, unknown, unknown, DeliveryReport]) =>
      void reports.push(report),
  };
  const ACCOUNT = { getByName: () => account };
  const env = { ALLOW_LOOPBACK: "true", ACCOUNT, ...bindings } as unknown as CloudflareEnv;
  const body = { v: 1, accountId: "acc_1", ...address, deliveryId: "del_1", attempt: 1 };
  const message = { id: "m1", timestamp: new Date(), attempts: 1, body, ack() {}, retry() {} };
  const underWay: Promise<unknown>[] = [];
  const batch = { queue: "callbacks", messages: [message] } as unknown as MessageBatch;
  await handleQueue(batch, env, { waitUntil: (work) => void underWay.push(work) });
  await Promise.all(underWay);
  return reports;
}

beforeEach(() => {
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describe("a message to a destination", () => {
  it("is an e-mail in the outbox of a local start", async () => {
    const mails: string[] = [];
    const OUTBOX = {
      async fetch(_: string, init: RequestInit) {
        mails.push(String(init.body));
        return new Response();
      },
    };
    const reports = await deliver(orderTo({ format: "email", email: "ann@acme.example" }), {
      OUTBOX,
    });
    expect(reports).toMatchObject([{ status: null, error: null }]);
    const [mail = ""] = mails;
    expect(mail).toContain("To: ann@acme.example");
    expect(mail).toContain("Subject: Credits are low");
    expect(mail).toContain(`${ORIGIN}/dashboard/usage`);
  });

  it("is not sent by a service without e-mail", async () => {
    const reports = await deliver(orderTo({ format: "email", email: "ann@acme.example" }));
    expect(reports).toMatchObject([{ error: "This service has no e-mail set up." }]);
  });

  it("is never sent to a private address, even if that was allowed at its creation", async () => {
    const reports = await deliver(orderTo({ url: "https://192.168.0.7/" }));
    expect(reports).toMatchObject([{ status: null, error: expect.stringContaining("is private") }]);
  });

  it("is not sent if its secret or headers are unreadable", async () => {
    let isReached = false;
    const url = await serverOfTest((_, response) => {
      isReached = true;
      response.end();
    });
    const sealed = "sealed with a key that is gone";
    const reports = [
      ...(await deliver(orderTo({ url, sealedSecret: sealed }))),
      ...(await deliver(orderTo({ url, sealedHeaders: sealed }))),
    ];
    expect(reports.every(({ error }) => error?.includes("cannot be read"))).toBe(true);
    expect(isReached).toBe(false);
  });

  it("of CloudEvents has the media type of its structured mode", async () => {
    const received: { type: string | undefined; body: string }[] = [];
    const url = await serverOfTest(async (request, response) => {
      received.push({ type: request.headers["content-type"], body: await readText(request) });
      response.end();
    });
    await deliver(orderTo({ format: "cloudevents", url }));
    const [{ type, body } = { type: "", body: "" }] = received;
    expect(type).toBe("application/cloudevents+json");
    expect(JSON.parse(body)).toEqual({
      specversion: "1.0",
      id: "msg_1",
      source: ORIGIN,
      type: "credits.low",
      time: new Date(0).toISOString(),
      datacontenttype: "application/json",
      data: { n: 1, url: `${ORIGIN}/dashboard/usage` },
    });
  });
});
