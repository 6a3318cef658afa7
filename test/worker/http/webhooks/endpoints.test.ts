import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpointRecord } from "../../../../src/contract/webhooks/endpoint.ts";
import { expectProblem, newAccount, ORIGIN, send } from "../../../support/worker/client.ts";
import {
  newEndpoint,
  newWorkflow,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  removeEndpoint,
  somePath,
  tokenAuth,
  WEBHOOKS,
} from "../../../support/worker/endpoints.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

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
      routing: null,
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
      split: null,
      source: null,
      response: null,
      queuedCount: 0,
      revision: 1,
      externalId: null,
      limits: null,
      withoutWorkflow: "hold",
      managedBy: null,
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

describe("deleting an endpoint", () => {
  it("is done once, and ends all management of it", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    const response = await removeEndpoint(apiKey, endpointId);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    const path = `${WEBHOOKS}/${endpointId}`;
    await expectProblem(await removeEndpoint(apiKey, endpointId), 404, "not_found");
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
  it("shows each as it is read alone", async () => {
    const account = await newAccount();
    const { endpointId } = await newEndpoint(account.apiKey, { auth: tokenAuth });
    const response = await send(WEBHOOKS, { token: account.apiKey });
    const { endpoints } = page.parse(await response.json());
    expect(endpoints).toEqual([await readEndpoint(account.apiKey, endpointId)]);
  });

  it.each(["?limit=0", "?cursor=x", "?x=1"])("refuses the query %s", async (query) => {
    await expectProblem(await send(WEBHOOKS + query, { token: apiKey }), 400, "invalid_request");
  });
});
