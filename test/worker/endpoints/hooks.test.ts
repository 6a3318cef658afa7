import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { loadEndpoint } from "../../../src/records/endpoints.ts";
import { CERTIFICATE, NOTIFICATION, SIGNATURES } from "../../support/sns.ts";
import { env, expectProblem, send } from "../../support/worker/client.ts";
import { entryOf, expectRefused, takenIn } from "../../support/worker/hooks.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

const TOKEN = "a-token-of-tests";
const webKey = z.object({ x: z.string() });

describe("a webhook is accepted", () => {
  it("and started if a workflow is attached", async () => {
    const endpoint = await newEndpoint({}, []);
    const answer = await endpoint.hook({ id: "evt_1", total: 7 });
    const { executionId } = await takenIn(answer.clone());
    expect(executionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await entryOf(endpoint, answer)).toMatchObject({
      method: "POST",
      path: `/hooks/${endpoint.endpointId}`,
      body: '{"id":"evt_1","total":7}',
      httpStatus: 202,
      errors: [],
      eventId: "evt_1",
      executionId,
    });
  });

  it("each time for events of one object that share an id", async () => {
    const endpoint = await newEndpoint({}, []);
    const paid = await takenIn(await endpoint.hook({ id: 1007, status: "paid", type: "order" }));
    const sent = await takenIn(await endpoint.hook({ id: 1007, status: "sent" }));
    expect(sent).toMatchObject({ status: "accepted", duplicate: false });
    expect(sent.executionId).not.toBe(paid.executionId);
    const again = await endpoint.hook({ id: 1007, status: "paid", type: "order" });
    expect(await takenIn(again.clone(), 200)).toMatchObject({ status: "duplicate" });
    expect(await entryOf(endpoint, again)).toMatchObject({
      eventId: "1007",
      eventIdSource: { rule: "body_and_hash", in: "body", path: "id" },
      eventType: "order",
      duplicateOf: paid.requestId,
      executionId: paid.executionId,
    });
  });

  it("without its secrets in the log, even in inputs or errors", async () => {
    const endpoint = await newEndpoint({ auth: { token: { secret: TOKEN } } }, [
      { name: "note", type: "object" },
      { name: "total", type: "number", required: true },
    ]);
    const send = (payload: unknown) =>
      endpoint.hook(payload, { headers: { "X-Webhook-Token": TOKEN } });
    const taken = await send({ note: { [TOKEN]: [`${TOKEN}!`, 1, null] }, total: 1 });
    await takenIn(taken.clone());
    const entry = await entryOf(endpoint, taken);
    expect(entry.mappedInputs).toEqual({ note: { [TOKEN]: ["[redacted]!", 1, null] }, total: 1 });
    const refused = await send({ note: {}, total: TOKEN });
    const { entry: other } = await expectRefused(endpoint, refused, 422, "mapping_failed");
    expect(other.errors[0]?.message).toContain("[redacted]");
    expect(JSON.stringify(other)).not.toContain(TOKEN);
  });
});

describe("a sender of another kind", () => {
  it("signs with a private key", async () => {
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new TypeError("Ed25519 has pairs of keys");
    const { x } = webKey.parse(await crypto.subtle.exportKey("jwk", pair.publicKey));
    const publicKey = `${x.replaceAll("-", "+").replaceAll("_", "/")}=`;
    const signature = { algorithm: "ed25519", publicKey, encoding: "base64" };
    const endpoint = await newEndpoint({ auth: { signature } });
    const body = '{"id":"evt_1"}';
    const signed = await crypto.subtle.sign(
      "Ed25519",
      pair.privateKey,
      new TextEncoder().encode(body),
    );
    const headers = { "x-webhook-signature": btoa(String.fromCharCode(...new Uint8Array(signed))) };
    await takenIn(await endpoint.hook({ id: "evt_1" }, { headers }));
    const forged = await endpoint.hook({ id: "evt_2" }, { headers });
    await expectRefused(endpoint, forged, 401, "unauthorized");
  });

  it.each(Object.entries(SIGNATURES))("signs as Amazon SNS, version %s", async (version, text) => {
    const signature = {
      preset: "aws-sns",
      publicKey: CERTIFICATE,
      audience: NOTIFICATION.TopicArn,
    };
    const replayProtection = { enabled: false };
    const endpoint = await newEndpoint({ auth: { signature }, replayProtection });
    const event = { ...NOTIFICATION, SignatureVersion: version, Signature: text };
    const answer = await endpoint.hook(event);
    await takenIn(answer.clone());
    expect(await entryOf(endpoint, answer)).toMatchObject({ eventId: NOTIFICATION.MessageId });
    const forged = await endpoint.hook({ ...event, Message: "another message" });
    await expectRefused(endpoint, forged, 401, "unauthorized");
  });

  it("chooses the secret in its handshake, once", async () => {
    const endpoint = await newEndpoint({ auth: { hmac: { preset: "asana" } } });
    const secret = "b537207f20cbfa02357cf448134da559";
    const shake = (given: string) => endpoint.hook({}, { headers: { "x-hook-secret": given } });
    const answer = await shake(secret);
    expect([answer.status, answer.headers.get("x-hook-secret")]).toEqual([200, secret]);
    expect((await shake(`${secret}0`)).status).toBe(401);
    const event = { events: [{ action: "changed" }] };
    const headers = {
      "x-hook-signature": createHmac("sha256", secret).update(JSON.stringify(event)).digest("hex"),
    };
    const taken = await endpoint.hook(event, { headers });
    await takenIn(taken.clone());
    expect(await entryOf(endpoint, taken)).toMatchObject({ eventType: "changed" });
  });
});

const post = (path: string) =>
  send(path, { method: "POST", body: {}, headers: { "X-Webhook-Token": TOKEN } });

const unique = () => crypto.randomUUID().slice(0, 8);

describe("a custom path", () => {
  it("resolves to its endpoint, as does the endpoint's id", async () => {
    const path = `acme-${unique()}/Orders_v1.0~a`;
    const auth = { token: { secret: TOKEN } };
    const endpoint = await newEndpoint({ path, auth });
    await takenIn(await post(`/hooks/${path}`));
    await takenIn(await post(`/hooks/${endpoint.endpointId}`));
    // RFC 3986 section 2.3: escaped or not, these characters are the same.
    await takenIn(await post(`/hooks/${path.replace("~", "%7E").replace("_", "%5f")}`));
    await takenIn(await post(`/hooks/x/../${path}?a=1`));
  });

  it("has one spelling", async () => {
    const root = `acme-${unique()}`;
    const auth = { token: { secret: TOKEN } };
    const endpoint = await newEndpoint({ path: `${root}/Orders`, auth });
    const others = ["/orders", "/Orders/", "//Orders", "%2FOrders", "/Orders%00", "/Orders/x", ""];
    for (const other of others) {
      await expectProblem(await post(`/hooks/${root}${other}`), 404, "not_found");
    }
    expect((await endpoint.log()).requests).toEqual([]);
  });
});

it("an unknown address answers 404", async () => {
  const { endpointId } = await newEndpoint();
  const ids = [endpointId.toUpperCase(), `${endpointId}0`, `${endpointId}/`, "ep_short"];
  for (const address of ["", "__proto__", "%", "a".repeat(5_000), ...ids]) {
    await expectProblem(await post(`/hooks/${address}`), 404, "not_found");
  }
});

it("a deleted endpoint answers 410 by its id and its path, until another endpoint has the path", async () => {
  const path = `acme-${unique()}`;
  const auth = { token: { secret: TOKEN } };
  const { endpointId, call } = await newEndpoint({ path, auth });
  await takenIn(await post(`/hooks/${path}`));
  expect((await call("", { method: "DELETE" })).status).toBe(204);
  await expectProblem(await post(`/hooks/${endpointId}`), 410, "gone");
  await expectProblem(await send(`/hooks/${endpointId}`, { method: "PUT" }), 410, "gone");
  await expectProblem(await post(`/hooks/${path}`), 410, "gone");
  await newEndpoint({ path, auth });
  await takenIn(await post(`/hooks/${path}`));
});

let changes = 0;

/** Tells the inbox alone of a change, as if another isolate had served it. */
async function changeElsewhere(
  { accountId, endpointId }: TestEndpoint,
  change: (config: EndpointConfig) => Partial<EndpointConfig>,
): Promise<void> {
  const config = await loadEndpoint(env.DB, accountId, endpointId);
  if (config === null) throw new Error("there is no such endpoint");
  changes += 1;
  const version = config.version + changes;
  await inboxStub(env, endpointId).configure({ ...config, ...change(config), version });
}

describe("a change that this isolate has not seen", () => {
  it("applies to the very next request", async () => {
    const endpoint = await newEndpoint({ methods: ["GET"] });
    const refused = await endpoint.hook({});
    await expectRefused(endpoint, refused, 405, "method_not_allowed");
    await changeElsewhere(endpoint, () => ({ methods: ["POST"] }));
    await takenIn(await endpoint.hook({}));
    await changeElsewhere(endpoint, () => ({ enabled: false }));
    await expectRefused(endpoint, await endpoint.hook({}), 404, "not_found");
  });

  it("refuses at once if the endpoint is deleted, and logs nothing", async () => {
    const endpoint = await newEndpoint();
    await takenIn(await endpoint.hook({}));
    await changeElsewhere(endpoint, () => ({ deleted: true }));
    await expectProblem(await endpoint.hook({}), 410, "gone");
    expect((await endpoint.log()).requests.length).toBe(1);
  });

  it("does not answer 410 for the path of a deleted endpoint, which another may have", async () => {
    const path = `acme-${crypto.randomUUID()}`;
    const auth = { headers: [{ name: "X-Env", value: "prod" }] };
    const endpoint = await newEndpoint({ path, auth });
    const hook = () =>
      send(`/hooks/${path}`, { method: "POST", body: {}, headers: { "X-Env": "prod" } });
    await takenIn(await hook());
    await changeElsewhere(endpoint, () => ({ deleted: true }));
    await expectProblem(await hook(), 503, "unavailable");
  });

  it("does not accept a body that was cut by an earlier, lower limit", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 10 } });
    await expectRefused(endpoint, await endpoint.hook("x".repeat(99)), 413, "payload_too_large");
    await changeElsewhere(endpoint, ({ validation }) => ({
      validation: { ...validation, maxBytes: 1_000 },
    }));
    const body = { text: "x".repeat(100) };
    await expectRefused(endpoint, await endpoint.hook(body), 413, "payload_too_large");
    await takenIn(await endpoint.hook(body));
  });
});

const BY_SENDER = { headers: { "X-Webhook-Token": TOKEN } };

it("an endpoint's own response is sent for accepted requests and duplicates, not for refused ones or replays", async () => {
  const auth = { token: { secret: TOKEN } };
  const endpoint = await newEndpoint({ auth, response: { status: 200, body: "" } });
  await expectProblem(await endpoint.hook({}), 401, "unauthorized");
  for (const status of ["queued", "duplicate"]) {
    const answer = await endpoint.hook({ event_id: "evt_1" }, BY_SENDER);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
    expect(answer.headers.has("Content-Type")).toBe(false);
    expect(await entryOf(endpoint, answer)).toMatchObject({ status, httpStatus: 200 });
  }
  const { requestId = "" } = (await endpoint.log("?status=queued")).requests[0] ?? {};
  const replay = await endpoint.call(`/requests/${requestId}/replay`, { method: "POST" });
  expect(replay.status).toBe(202);
  const [replayed] = (await endpoint.log()).requests;
  expect(replayed).toMatchObject({ replayOf: requestId, httpStatus: 202 });
});

it("an endpoint's own response is shown, tried, changed and removed", async () => {
  const endpoint = await newEndpoint();
  const response = { status: 201, headers: { "X-Shop": "north" }, body: "done" };
  await endpoint.change({ response });
  expect(await (await endpoint.call("")).json()).toMatchObject({ response });
  const tried = await endpoint.call("/test", { method: "POST", body: { payload: {} } });
  expect(await tried.json()).toMatchObject({ accepted: true, httpStatus: 201 });
  expect((await endpoint.hook({})).headers.get("X-Shop")).toBe("north");
  await endpoint.change({ response: null });
  expect((await endpoint.hook({})).status).toBe(202);
});
