import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it, vi } from "vitest";
import type { DeliveryOrder } from "../../../src/contract/callbacks.ts";
import { type DeliveryDeps, deliver } from "../../../src/deliveries/deliver.ts";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import { readText } from "../../support/server.ts";
import { serverOfTest } from "../../support/server-of-test.ts";

const SECRET = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0IQ==";

afterEach(() => void vi.useRealTimers());

const order = (url: string, change: Partial<DeliveryOrder> = {}): DeliveryOrder => ({
  webhookId: "msg_1",
  url,
  sealedSecret: null,
  body: '{"type":"execution.completed"}',
  serviceHosts: ["127.0.0.1:1"],
  ...change,
});

const deps = (change: Partial<DeliveryDeps> = {}): DeliveryDeps => ({
  fetch: createGuardedFetch({
    policy: { allowLoopback: true, ownHosts: ["127.0.0.1:1"], schemes: ["https"] },
    dnsOverHttpsUrl: null,
  }),
  openSecret: async (sealed) => sealed.replace("sealed:", ""),
  now: Date.now,
  ...change,
});

it("posts the body as JSON, signed so that the stock verifier accepts it", async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  const url = await serverOfTest(async (request, response) => {
    received.push({ request, body: await readText(request) });
    response.writeHead(204).end();
  });
  const report = await deliver(order(url, { sealedSecret: `sealed:${SECRET}` }), deps());

  expect(report).toMatchObject({ status: 204, error: null, retryAfterMs: null });
  const [delivery] = received;
  expect(delivery?.request.method).toBe("POST");
  expect(delivery?.request.headers["content-type"]).toBe("application/json");
  const headers = delivery?.request.headers as Record<string, string>;
  expect(new Webhook(SECRET).verify(delivery?.body ?? "", headers)).toEqual({
    type: "execution.completed",
  });
});

it("sends the id and the time of the attempt without a secret, and no signature", async () => {
  const sent: IncomingMessage["headers"][] = [];
  const url = await serverOfTest((request, response) => {
    sent.push(request.headers);
    response.end();
  });
  const at = Date.parse("2026-11-21T10:00:00.999Z");
  const report = await deliver(order(url), deps({ now: () => at }));

  expect(report).toMatchObject({ status: 200 });
  expect(sent[0]).toMatchObject({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at / 1_000)),
  });
  expect(sent[0]).not.toHaveProperty("webhook-signature");
});

it("does not follow a redirect", async () => {
  const paths: (string | undefined)[] = [];
  const url = await serverOfTest((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  const report = await deliver(order(`${url}/hook`), deps());

  expect(report).toMatchObject({
    status: 307,
    error: "It answered 307; redirects are not followed.",
  });
  expect(paths).toEqual(["/hook"]);
});

it.each([
  [199, "It answered 199."],
  [200, null],
  [299, null],
  [300, "It answered 300; redirects are not followed."],
  [400, "It answered 400."],
])(
  "treats only 2xx as delivered, and reports how long to wait: %i reports %j",
  async (status, error) => {
    const url = "https://example.com/";
    const headers = new Headers({ "retry-after": "120" });
    const answer = { url, status, headers, bytes: new Uint8Array(), cut: false };
    const report = await deliver(order(url), deps({ fetch: async () => answer }));
    expect(report).toMatchObject({ status, error, retryAfterMs: 120_000 });
  },
);

it("gives up after 15 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const url = await serverOfTest(() => vi.advanceTimersByTime(15_000));
  const report = await deliver(order(url), deps());

  expect(report).toMatchObject({ status: null, retryAfterMs: null });
  expect(report.error).toMatch(/did not answer/);
});

it("reports a broken connection", async () => {
  const url = await serverOfTest((request) => request.socket.destroy());
  const report = await deliver(order(url), deps());

  expect(report.status).toBeNull();
  expect(report.error).toMatch(/could not be reached, or closed the connection/);
});

it.each([
  ["cannot be opened", async () => null],
  ["cannot even be tried", () => Promise.reject(new Error("a bad key: hush"))],
])("sends nothing unsigned when the secret %s", async (_, openSecret) => {
  let requests = 0;
  const url = await serverOfTest((_, response) => {
    requests += 1;
    response.end();
  });
  const report = await deliver(order(url, { sealedSecret: "sealed:hush" }), deps({ openSecret }));

  expect(report).toMatchObject({
    status: null,
    error: "The secret that signs the callback cannot be read.",
  });
  expect(requests).toBe(0);
});

it("does not quote an unexpected error", async () => {
  const fetch = async () => {
    throw new Error("socket 10.2.3.4 said no");
  };
  const report = await deliver(order("https://example.com/"), deps({ fetch }));
  expect(report.error).toBe("The attempt could not be made.");
});
