import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpointRecord } from "../../../../src/contract/inbound/endpoint.ts";
import { expectProblem, newAccount, newKey, ORIGIN, send } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  newWorkflow,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  WEBHOOKS,
} from "../../../support/worker/endpoints.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

const remove = (endpointId: string, token = apiKey) =>
  send(`${WEBHOOKS}/${endpointId}`, { method: "DELETE", token });

const token = { token: { secret: "a-token-of-the-tests-9qX4" } };
const somePath = () => `acme/${crypto.randomUUID()}`;

describe("making an endpoint", () => {
  it("needs no more than a name", async () => {
    const made = await newEndpoint(apiKey);
    const { endpointId, createdAt } = made;
    expect(endpointId).toMatch(/^ep_[0-9a-f]{40}$/);
    expect(made).toEqual({
      endpointId,
      name: "shop orders",
      url: `${ORIGIN}/hooks/${endpointId}`,
      path: null,
      workflowId: null,
      enabled: true,
      methods: ["POST"],
      auth: {},
      replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null },
      eventId: null,
      onDuplicate: "skip",
      validation: { required: [], types: {}, schema: null, maxBytes: 1_048_576 },
      mapping: { auto: true, fields: [] },
      retentionDays: 30,
      requestsPerMinute: 6_000,
      queuedCount: 0,
      createdAt,
      updatedAt: createdAt,
    });
    expect(await readEndpoint(apiKey, endpointId)).toEqual(made);
  });

  it("says where it is", async () => {
    const response = await postEndpoint(apiKey);
    const { endpointId } = z.object({ endpointId: z.string() }).parse(await response.json());
    expect(response.headers.get("Location")).toBe(`${WEBHOOKS}/${endpointId}`);
  });

  it("takes the example of the service contract as it is written", async () => {
    const inputs = ["orderId", "domain", "total", "weight", "placedAt"];
    const workflowId = await newWorkflow(apiKey, inputs);
    const made = await newEndpoint(apiKey, { ...EXAMPLE, workflowId });
    expect(made).toMatchObject({
      name: "shop orders",
      url: `${ORIGIN}/hooks/acme/orders`,
      workflowId,
      auth: {
        token: { header: "X-Webhook-Token", secret: { set: true, last4: "" } },
        hmac: { preset: "github", secret: { set: true, last4: "" } },
        ipAllowlist: EXAMPLE.auth.ipAllowlist,
        headers: [{ name: "X-Env", value: { set: true, last4: "" } }, { name: "X-Source" }],
      },
      replayProtection: EXAMPLE.replayProtection,
      validation: EXAMPLE.validation,
    });
    expect(made.mapping.fields).toHaveLength(5);
    expect(made).not.toHaveProperty("secrets");
  });

  it("takes an example that names inputs which a workflow does not have", async () => {
    const workflowId = await newWorkflow(apiKey);
    await newEndpoint(apiKey, { ...EXAMPLE, path: somePath(), workflowId });
  });
});

const EXAMPLE = {
  name: "shop orders",
  path: "acme/orders",
  methods: ["POST"],
  auth: {
    token: { header: "X-Webhook-Token", secret: "..." },
    hmac: { preset: "github", secret: "..." },
    ipAllowlist: ["203.0.113.0/24", "2001:db8::/32"],
    headers: [{ name: "X-Env", value: "prod" }, { name: "X-Source" }],
  },
  replayProtection: {
    enabled: true,
    toleranceSeconds: 300,
    timestamp: { in: "body", path: "sent_at" },
  },
  eventId: { in: "header", path: "X-Event-Id" },
  onDuplicate: "skip",
  validation: {
    required: ["order.id"],
    types: { "order.total": "number" },
    schema: { type: "object" },
    maxBytes: 1_048_576,
  },
  mapping: {
    auto: true,
    fields: [
      { to: "orderId", from: "order.id", transforms: [{ type: "string" }] },
      {
        to: "domain",
        from: "customer.email",
        transforms: [{ type: "domain", level: "registrable" }],
      },
      {
        to: "total",
        from: "order.cents",
        transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
      },
      { to: "weight", from: "order.lb", transforms: [{ type: "unit", from: "lb", to: "kg" }] },
      {
        to: "placedAt",
        from: "order.placed",
        transforms: [{ type: "timestamp", from: "epoch_seconds", to: "iso" }],
        default: "2020-01-01T00:00:00.000Z",
      },
    ],
  },
  retentionDays: 30,
};

describe("a custom path", () => {
  it.each([
    ["nothing", {}],
    ["only that a header is there", { headers: [{ name: "X-Source" }] }],
    ["nothing at all", null],
  ])("is refused with %s to tell the sender by", async (_, auth) => {
    const body = { path: somePath(), ...(auth !== null && { auth }) };
    const problem = await expectProblem(await postEndpoint(apiKey, body), 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
  });

  it.each([
    token,
    { hmac: { preset: "github" } },
    { ipAllowlist: ["203.0.113.7"] },
    { headers: [{ name: "X-Env", value: "prod" }] },
  ])("is taken with %j", async (auth) => {
    const path = somePath();
    expect(await newEndpoint(apiKey, { path, auth })).toMatchObject({
      path,
      url: `${ORIGIN}/hooks/${path}`,
    });
  });

  it("keeps its auth: a change cannot take the last of it away", async () => {
    const { endpointId } = await newEndpoint(apiKey, { path: somePath(), auth: token });
    for (const body of [{ auth: {} }, { auth: null }, { auth: { headers: [{ name: "X-A" }] } }]) {
      const response = await patchEndpoint(apiKey, endpointId, body);
      const problem = await expectProblem(response, 400, "invalid_request");
      expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
    }
    await changedEndpoint(apiKey, endpointId, { auth: {}, path: null });
    const response = await patchEndpoint(apiKey, endpointId, { path: somePath() });
    await expectProblem(response, 400, "invalid_request");
  });

  it("is unique in the whole deployment, for one of two that come at once", async () => {
    const path = somePath();
    const { apiKey: other } = await newAccount();
    const responses = await Promise.all(
      [apiKey, other].map((key) => postEndpoint(key, { path, auth: token })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = responses.find(({ status }) => status === 409);
    if (lost === undefined) throw new Error("one has lost");
    const problem = await expectProblem(lost, 409, "conflict");
    expect(problem.errors).toMatchObject([{ path: "path" }]);
    const { endpointId } = await newEndpoint(other, { auth: token });
    await expectProblem(await patchEndpoint(other, endpointId, { path }), 409, "conflict");
    expect((await readEndpoint(other, endpointId)).path).toBeNull();
  });

  it("is free again once its endpoint has another, or is deleted", async () => {
    const path = somePath();
    const first = await newEndpoint(apiKey, { path, auth: token });
    await changedEndpoint(apiKey, first.endpointId, { path: null });
    const second = await newEndpoint(apiKey, { path, auth: token });
    expect((await remove(second.endpointId)).status).toBe(204);
    await newEndpoint(apiKey, { path, auth: token });
  });

  it.each([
    `ep_${"0".repeat(40)}`,
    `EP_${"A".repeat(40)}`,
    "/acme",
    "acme/",
    "a//b",
    "a/../b",
    ".git",
    "a b",
    "a%2fb",
    "ä",
    "",
    "a".repeat(201),
  ])("is never %j", async (path) => {
    const response = await postEndpoint(apiKey, { path, auth: token });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("path");
  });
});

describe("changing an endpoint", () => {
  it("replaces the fields that are named, and no other", async () => {
    const before = await newEndpoint(apiKey, {
      validation: { required: ["id"], types: { id: "string" } },
      retentionDays: 7,
      auth: token,
    });
    const after = await changedEndpoint(apiKey, before.endpointId, {
      name: "other",
      validation: { required: ["order.id"] },
    });
    expect(after).toEqual({
      ...before,
      name: "other",
      validation: { required: ["order.id"], types: {}, schema: null, maxBytes: 1_048_576 },
      updatedAt: after.updatedAt,
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await readEndpoint(apiKey, before.endpointId)).toEqual(after);
  });

  it("sets a field back by null", async () => {
    const standard = await newEndpoint(apiKey);
    const { endpointId } = await newEndpoint(apiKey, {
      path: somePath(),
      workflowId: await newWorkflow(apiKey),
      methods: ["GET", "POST"],
      auth: token,
      replayProtection: { enabled: false },
      eventId: { in: "body", path: "id" },
      onDuplicate: "run",
      validation: { required: ["id"] },
      mapping: { auto: false },
      retentionDays: 7,
      requestsPerMinute: 9,
    });
    const fields = [
      "path",
      "workflowId",
      "methods",
      "auth",
      "replayProtection",
      "eventId",
      "onDuplicate",
      "validation",
      "mapping",
      "retentionDays",
      "requestsPerMinute",
    ] as const;
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    const after = await changedEndpoint(apiKey, endpointId, nulls);
    for (const field of fields) expect(after[field], field).toEqual(standard[field]);
  });

  it("keeps every one of many changes that come at once", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    const bodies = [{ name: "x" }, { retentionDays: 3 }, { enabled: false }];
    const responses = await Promise.all(
      bodies.map((body) => patchEndpoint(apiKey, endpointId, body)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const after = await readEndpoint(apiKey, endpointId);
    expect(after).toMatchObject({ name: "x", retentionDays: 3, enabled: false });
  });

  it.each([
    [{}, ""],
    [{ name: null }, "name"],
    [{ methods: [] }, "methods"],
    [{ methods: ["POST", "POST"] }, "methods"],
    [{ methods: ["PUT"] }, "methods[0]"],
    [{ endpointId: "x" }, ""],
    [{ retentionDays: 0 }, "retentionDays"],
    [{ onDuplicate: "drop" }, "onDuplicate"],
    [{ eventId: { in: "header", path: "X Event" } }, "eventId.path"],
    [{ eventId: { in: "body", path: "a..b" } }, "eventId.path"],
    [
      { replayProtection: { timestamp: { in: "body", path: "a[" } } },
      "replayProtection.timestamp.path",
    ],
    [{ validation: { maxBytes: 10_485_761 } }, "validation.maxBytes"],
    [{ mapping: { fields: [{ to: "a", from: "b..c" }] } }, "mapping.fields[0].from"],
  ])("refuses %j", async (body, path) => {
    const { endpointId } = await newEndpoint(apiKey);
    const response = await patchEndpoint(apiKey, endpointId, body);
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe(path);
  });

  it("refuses a schema whose patterns can run away", async () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+\\1$" } } };
    const { endpointId } = await newEndpoint(apiKey);
    const response = await patchEndpoint(apiKey, endpointId, { validation: { schema } });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toMatch(/^validation\.schema/);
  });
});

describe("the workflow of an endpoint", () => {
  it("has to be one of the account", async () => {
    const { apiKey: other } = await newAccount();
    for (const workflowId of [await newWorkflow(other), `wf_${"0".repeat(20)}`]) {
      const response = await postEndpoint(apiKey, { workflowId });
      const problem = await expectProblem(response, 400, "invalid_request");
      expect(problem.errors).toMatchObject([{ path: "workflowId", rule: "workflow" }]);
    }
  });

  it("is attached, exchanged and detached", async () => {
    const [first, second] = [await newWorkflow(apiKey), await newWorkflow(apiKey)];
    const { endpointId } = await newEndpoint(apiKey);
    for (const workflowId of [first, second, null]) {
      expect(await changedEndpoint(apiKey, endpointId, { workflowId })).toMatchObject({
        workflowId,
      });
    }
  });

  it("is gone from its endpoints once it is deleted", async () => {
    const workflowId = await newWorkflow(apiKey);
    const { endpointId } = await newEndpoint(apiKey, { workflowId });
    await send(`/api/v1/workflows/${workflowId}`, { method: "DELETE", token: apiKey });
    expect((await readEndpoint(apiKey, endpointId)).workflowId).toBeNull();
  });
});

describe("deleting an endpoint", () => {
  it("is done once, and ends all management of it", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    const response = await remove(endpointId);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    const path = `${WEBHOOKS}/${endpointId}`;
    await expectProblem(await remove(endpointId), 404, "not_found");
    await expectProblem(await send(path, { token: apiKey }), 404, "not_found");
    const changed = await patchEndpoint(apiKey, endpointId, { name: "x" });
    await expectProblem(changed, 404, "not_found");
    const rotated = await send(`${path}/rotate-secret`, { method: "POST", token: apiKey });
    await expectProblem(rotated, 404, "not_found");
  });
});

const page = z.object({
  endpoints: z.array(endpointRecord),
  nextCursor: z.string().nullable(),
});

describe("the list of endpoints", () => {
  it("goes page by page from the newest to the oldest, each once", async () => {
    const account = await newAccount();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await newEndpoint(account.apiKey)).endpointId);
    await remove(made[2] ?? "", account.apiKey);
    await newEndpoint(apiKey);
    const seen: string[] = [];
    let query = "?limit=2";
    for (;;) {
      const response = await send(WEBHOOKS + query, { token: account.apiKey });
      const { endpoints, nextCursor } = page.parse(await response.json());
      seen.push(...endpoints.map(({ endpointId }) => endpointId));
      // What comes now is newer than every page that follows.
      await newEndpoint(account.apiKey);
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual([4, 3, 1, 0].map((n) => made[n]));
  });

  it("shows each as it is read alone", async () => {
    const account = await newAccount();
    const { endpointId } = await newEndpoint(account.apiKey, { auth: token });
    const response = await send(WEBHOOKS, { token: account.apiKey });
    const { endpoints } = page.parse(await response.json());
    expect(endpoints).toEqual([await readEndpoint(account.apiKey, endpointId)]);
  });

  it.each(["?limit=0", "?cursor=x", "?x=1"])("refuses the query %s", async (query) => {
    await expectProblem(await send(WEBHOOKS + query, { token: apiKey }), 400, "invalid_request");
  });
});

describe("who is not the owner", () => {
  it("finds another account's endpoint no more than one that does not exist", async () => {
    const { endpointId } = await newEndpoint(apiKey, { auth: token });
    const { apiKey: stranger } = await newAccount();
    for (const id of [endpointId, `ep_${"0".repeat(40)}`, "ep_1", endpointId.toUpperCase()]) {
      const path = `${WEBHOOKS}/${id}`;
      for (const asked of [
        send(path, { token: stranger }),
        patchEndpoint(stranger, id, { name: "mine" }),
        remove(id, stranger),
        send(`${path}/rotate-secret`, { method: "POST", token: stranger }),
      ]) {
        await expectProblem(await asked, 404, "not_found");
      }
    }
    expect((await readEndpoint(apiKey, endpointId)).name).toBe("shop orders");
  });

  it("may read with one scope and change with the other", async () => {
    const { endpointId } = await newEndpoint(apiKey, { auth: token });
    const path = `${WEBHOOKS}/${endpointId}`;
    const key = async (scope: string) =>
      (await newKey(apiKey, { name: scope, scopes: [scope] })).apiKey;
    const [reads, writes] = [await key("webhooks:read"), await key("webhooks:write")];
    expect((await send(path, { token: reads })).status).toBe(200);
    expect((await send(WEBHOOKS, { token: reads })).status).toBe(200);
    expect((await patchEndpoint(writes, endpointId, { name: "x" })).status).toBe(200);
    for (const asked of [
      send(path, { token: writes }),
      send(WEBHOOKS, { token: writes }),
      postEndpoint(reads),
      patchEndpoint(reads, endpointId, { name: "y" }),
      remove(endpointId, reads),
      send(`${path}/rotate-secret`, { method: "POST", token: reads }),
    ]) {
      await expectProblem(await asked, 403, "insufficient_scope");
    }
  });
});
