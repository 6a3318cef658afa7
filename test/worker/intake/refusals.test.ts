import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectProblem, newAccount, send } from "../../support/worker/client.ts";
import { entryOf, expectRefused, hookOverTls, takenIn } from "../../support/worker/hooks.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const TOKEN = "a-token-of-tests";
const SECRET = "a-secret-of-tests";

describe("before authentication, a request is refused and logged", () => {
  it("while the endpoint is disabled, as if there were none", async () => {
    const endpoint = await newEndpoint({ enabled: false });
    const refused = await expectRefused(endpoint, await endpoint.hook({}), 404, "not_found");
    const unknown = await send(`/hooks/ep_${"0".repeat(40)}`, { method: "POST", body: {} });
    expect({ ...refused.body, requestId: "" }).toEqual({
      ...(await unknown.json<object>()),
      requestId: "",
    });
    expect(refused.entry.errors).toMatchObject([{ stage: "endpoint", rule: "enabled" }]);
  });

  it("over plain HTTP, or too old a TLS version", async () => {
    const endpoint = await newEndpoint();
    const address = `http://prompthook.example/hooks/${endpoint.endpointId}`;
    const plain = await send(address, { method: "POST", body: {} });
    const { entry } = await expectRefused(endpoint, plain, 403, "https_required");
    expect(entry.errors).toMatchObject([{ stage: "https", rule: "https" }]);
    const old = await hookOverTls(endpoint, "TLSv1.2");
    await expectRefused(endpoint, old, 403, "https_required");
    await takenIn(await hookOverTls(endpoint, "TLSv1.3"));
  });

  it("by another method", async () => {
    const endpoint = await newEndpoint({ methods: ["POST"] });
    for (const method of ["GET", "OPTIONS", "HEAD"]) {
      const answer = await endpoint.hook(undefined, { method });
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
      expect((await answer.text()) === "").toBe(method === "HEAD");
      const entry = await entryOf(endpoint, answer);
      expect(entry).toMatchObject({ method, status: "rejected", httpStatus: 405 });
    }
  });

  it("from another address, despite its headers", async () => {
    const endpoint = await newEndpoint({ auth: { ipAllowlist: ["203.0.113.0/24"] } });
    const from = (ip: string, headers = {}) =>
      endpoint.hook({}, { headers: { "CF-Connecting-IP": ip, ...headers } });
    await takenIn(await from("203.0.113.9"));
    const forged = await from("198.51.100.1", { "X-Forwarded-For": "203.0.113.9" });
    const { body, entry } = await expectRefused(endpoint, forged, 403, "ip_not_allowed");
    expect(entry.sourceIp).toBe("198.51.100.1");
    expect(entry.errors[0]?.message).toContain("198.51.100.1");
    expect(JSON.stringify(body)).not.toContain("198.51.100.1");
  });

  it("if it is too large, even without a declared length", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 1_000 } });
    const chunked = await endpoint.hook(undefined, {
      stream: pieces(200, 10),
      headers: { "Content-Type": "application/json" },
    });
    const { entry } = await expectRefused(endpoint, chunked, 413, "payload_too_large");
    expect(entry).toMatchObject({ bodyTruncated: true, body: expect.stringMatching(/^x{200,}$/) });
  });

  it("without credentials, with no further details", async () => {
    const auth = { token: { secret: TOKEN }, headers: [{ name: "X-Env", value: "prod" }] };
    const endpoint = await newEndpoint({ auth });
    const headers = { "X-Webhook-Token": TOKEN, "X-Env": "prod" };
    await takenIn(await endpoint.hook({}, { headers }));
    const answer = await endpoint.hook({}, { headers: { "X-Webhook-Token": "guess" } });
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="webhook"');
    const { body, entry } = await expectRefused(endpoint, answer, 401, "unauthorized");
    expect(body).not.toHaveProperty("errors");
    expect(JSON.stringify(body)).not.toMatch(/X-Env|token/i);
    expect(entry.errors).toMatchObject([
      { stage: "auth", path: "X-Env", rule: "header" },
      { stage: "auth", path: "X-Webhook-Token", rule: "token" },
    ]);
    expect(entry.headers["x-webhook-token"]).toBe("[redacted]");
  });
});

it("a sender with its token in another header is accepted once the advice is followed", async () => {
  const endpoint = await newEndpoint({ auth: { token: { secret: `WEBHOOK_TOKEN=${TOKEN}` } } });
  const send = (header: string) => endpoint.hook({}, { headers: { [header]: TOKEN } });
  for (const header of ["X-Webhook-Token", "X-Acme-Token"]) {
    const refused = (await send(header)).headers.get("X-Request-Id") ?? "";
    const { advice, diagnosis } = await endpoint.entry(refused);
    expect(diagnosis.join()).not.toContain(TOKEN);
    await endpoint.change({ change: advice?.change });
    await takenIn(await send(header));
  }
});

it("a request with another endpoint's credentials names that endpoint only in the log", async () => {
  const account = await newAccount();
  const sibling = (settings: Record<string, unknown>) => newEndpoint(settings, undefined, account);
  const hmac = { preset: "github", secret: "the secret of the shop's webhooks" };
  const other = await sibling({ name: "shop orders", auth: { hmac } });
  const token = await sibling({ name: "form", auth: { token: { secret: TOKEN } } });
  const endpoint = await sibling({ auth: { hmac: { preset: "github", secret: SECRET } } });
  const body = '{"action":"opened"}';
  const signature = `sha256=${createHmac("sha256", hmac.secret).update(body).digest("hex")}`;
  const answer = await endpoint.hook(body, { headers: { "X-Hub-Signature-256": signature } });
  const entry = await entryOf(endpoint, answer);
  expect(entry.diagnosis[0]).toContain(`your endpoint "shop orders" (${other.endpointId})`);
  expect(entry.advice).toEqual({ causes: ["secret_of_endpoint"], change: null });
  expect(await answer.text()).not.toContain("shop");
  expect(JSON.stringify(entry)).not.toContain(hmac.secret);
  // Neither is another account's endpoint named.
  const stranger = await newEndpoint({ auth: { token: { secret: "another token" } } });
  for (const [at, names] of [
    [stranger, false],
    [token, true],
  ] as const) {
    const sent = await at.hook({}, { headers: { "X-Webhook-Token": hmac.secret } });
    const { diagnosis } = await entryOf(at, sent);
    expect(diagnosis.join().includes("shop orders")).toBe(names);
  }
});

it("a change for a private key is refused if the endpoint has none", async () => {
  const endpoint = await newEndpoint({ auth: { hmac: { secret: SECRET } } });
  const change = { signature: { algorithm: "ed25519", header: "X-Acme-Signature" } };
  const answer = await endpoint.call("", { method: "PATCH", body: { change } });
  await expectProblem(answer, 400, "invalid_request");
});

it("after authentication, the sender and the log get the details", async () => {
  const endpoint = await newEndpoint();
  const answer = await endpoint.hook('{"a":1,"a":2}');
  const { body, entry } = await expectRefused(endpoint, answer, 400, "malformed_json");
  expect(body.errors?.[0]?.message).toContain('"a"');
  expect(entry.errors[0]).toMatchObject({ stage: "parse" });
  expect(entry.body).toBe('{"a":1,"a":2}');
});

/** A body of so many pieces of so many bytes. */
function pieces(length: number, count: number): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) controller.close();
      else controller.enqueue(new TextEncoder().encode("x".repeat(length)));
      left -= 1;
    },
  });
}
