import { describe, expect, it } from "vitest";
import * as z from "zod";
import { endpointRecord, endpointRevision } from "../../../../src/contract/webhooks/endpoint.ts";
import {
  env,
  expectProblem,
  faultsOf,
  newAccount,
  ORIGIN,
} from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  removeEndpoint,
  saved,
  somePath,
  tokenAuth,
} from "../../../support/worker/endpoints.ts";
import { newWorkflow, WEBHOOKS } from "../../../support/worker/webhooks.ts";

const { apiKey, get, post, remove } = await newAccount();

it("a new endpoint needs only a name, and has an address", async () => {
  const response = await postEndpoint(apiKey);
  const made = await saved(response, 201);
  const { endpointId, createdAt } = made;
  expect(response.headers.get("Location")).toBe(`${WEBHOOKS}/${endpointId}`);
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

it("an endpoint is deleted once, and can no longer be managed", async () => {
  const { endpointId } = await newEndpoint(apiKey);
  const response = await removeEndpoint(apiKey, endpointId);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
  const path = `${WEBHOOKS}/${endpointId}`;
  for (const later of [
    await removeEndpoint(apiKey, endpointId),
    await get(path),
    await patchEndpoint(apiKey, endpointId, { name: "x" }),
    await post(`${path}/rotate-secret`),
  ]) {
    await expectProblem(later, 404, "not_found");
  }
});

it("the list shows each endpoint like its own page", async () => {
  const account = await newAccount();
  const { endpointId } = await newEndpoint(account.apiKey, { auth: tokenAuth });
  const list = await (await account.get(WEBHOOKS)).json();
  const { endpoints } = z.object({ endpoints: z.array(endpointRecord) }).parse(list);
  expect(endpoints).toEqual([await readEndpoint(account.apiKey, endpointId)]);
});

describe("a custom path", () => {
  const isRefused = async (response: Response) => {
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
  };
  const withPath = (auth: object, path = somePath()) => newEndpoint(apiKey, { path, auth });

  it("needs authentication, which no change can remove", async () => {
    const nobody = [{}, { headers: [{ name: "X-Source" }] }];
    await isRefused(await postEndpoint(apiKey, { path: somePath() }));
    for (const auth of nobody)
      await isRefused(await postEndpoint(apiKey, { path: somePath(), auth }));
    const { endpointId } = await withPath(tokenAuth);
    for (const auth of [...nobody, null])
      await isRefused(await patchEndpoint(apiKey, endpointId, { auth }));
    await changedEndpoint(apiKey, endpointId, { auth: {}, path: null });
    await isRefused(await patchEndpoint(apiKey, endpointId, { path: somePath() }));
  });

  it.each([
    tokenAuth,
    { hmac: { preset: "github" } },
    { ipAllowlist: ["203.0.113.7"] },
    { headers: [{ name: "X-Env", value: "prod" }] },
  ])("is accepted with %j, also with a leading slash", async (auth) => {
    const path = somePath();
    const shown = { path, url: `${ORIGIN}/hooks/${path}` };
    expect(await withPath(auth, `/${path}`)).toMatchObject(shown);
  });

  it("is unique: of two concurrent requests for it, one succeeds", async () => {
    const path = somePath();
    const { apiKey: other } = await newAccount();
    const responses = await Promise.all(
      [apiKey, other].map((key) => postEndpoint(key, { path, auth: tokenAuth })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = responses.find(({ status }) => status === 409) ?? Response.error();
    const { endpointId } = await newEndpoint(other, { auth: tokenAuth });
    for (const refused of [lost, await patchEndpoint(other, endpointId, { path })]) {
      const problem = await expectProblem(refused, 409, "conflict");
      expect(problem.errors).toMatchObject([{ path: "path" }]);
    }
    expect((await readEndpoint(other, endpointId)).path).toBeNull();
  });
});

describe("changing an endpoint", () => {
  it("replaces only the named fields", async () => {
    const before = await newEndpoint(apiKey, {
      validation: { required: ["id"], types: { id: "string" } },
      retentionDays: 7,
      auth: tokenAuth,
    });
    const after = await changedEndpoint(apiKey, before.endpointId, {
      name: "other",
      validation: { required: ["order.id"] },
    });
    expect(after).toEqual({
      ...before,
      name: "other",
      validation: { required: ["order.id"], types: {}, schema: null, maxBytes: 1_048_576 },
      revision: 2,
      updatedAt: after.updatedAt,
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await readEndpoint(apiKey, before.endpointId)).toEqual(after);
  });

  it("resets a field by null", async () => {
    const standard = await newEndpoint(apiKey);
    const settings = {
      path: somePath(),
      workflowId: await newWorkflow(apiKey),
      methods: ["GET", "POST"],
      auth: tokenAuth,
      replayProtection: { enabled: false },
      eventId: { in: "body", path: "id" },
      onDuplicate: "run",
      validation: { required: ["id"] },
      mapping: { auto: false },
      retentionDays: 7,
      requestsPerMinute: 9,
    };
    const { endpointId } = await newEndpoint(apiKey, settings);
    const fields = Object.keys(settings);
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    const after = await changedEndpoint(apiKey, endpointId, nulls);
    for (const field of fields)
      expect(Reflect.get(after, field), field).toEqual(Reflect.get(standard, field));
  });

  it("keeps each of many concurrent changes", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    const bodies = [{ name: "x" }, { retentionDays: 3 }, { enabled: false }];
    const responses = await Promise.all(
      bodies.map((body) => patchEndpoint(apiKey, endpointId, body)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const after = await readEndpoint(apiKey, endpointId);
    expect(after).toMatchObject({ name: "x", retentionDays: 3, enabled: false });
  });

  it("names the invalid setting", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    const pattern = { properties: { a: { type: "string", pattern: "^(a+)+\\1$" } } };
    const workflowId = await newWorkflow(apiKey);
    const routed = (change: object) => ({
      routing: { routes: [{ name: "all", workflowId, ...change }] },
    });
    for (const [body, path] of [
      [{}, ""],
      [{ eventId: { in: "body", path: "a..b" } }, "eventId.path"],
      [
        { replayProtection: { timestamp: { in: "body", path: "a[" } } },
        "replayProtection.timestamp.path",
      ],
      [{ mapping: { fields: [{ to: "a", from: "b..c" }] } }, "mapping.fields[0].from"],
      [{ validation: { schema: pattern } }, "validation.schema.properties.a.pattern"],
      [{ auth: { ipAllowlist: ["010.0.0.1"] } }, "auth.ipAllowlist[0]"],
      [routed({ key: { path: "a..b" } }), "routing.routes[0].key.path"],
      [routed({ key: { template: "none" } }), "routing.routes[0].key.template"],
      [routed({ onEvent: "message" }), "routing.routes[0].onEvent"],
      [routed({ key: { path: "a" }, quietSeconds: 5 }), "routing.routes[0].quietSeconds"],
      [routed({ when: { jsonata: "(" } }), "routing.routes[0].when.jsonata"],
    ] as const) {
      expect(await faultsOf(await patchEndpoint(apiKey, endpointId, body))).toEqual([path]);
    }
  });
});

describe("the revisions of an endpoint", () => {
  const revisionPage = z.strictObject({
    revisions: z.array(endpointRevision),
    nextCursor: z.string().nullable(),
  });
  const revisionsOf = async (endpointId: string, query = "") =>
    revisionPage.parse(await (await get(`${WEBHOOKS}/${endpointId}/revisions${query}`)).json());
  const restore = (endpointId: string, revision: number) =>
    post(`${WEBHOOKS}/${endpointId}/revisions/${revision}/restore`);
  const rows = async (endpointId: string) => {
    const query = env.DB.prepare("SELECT revision, content FROM revisions WHERE resource_id = ?");
    return (await query.bind(endpointId).all()).results;
  };

  it("grow by one with each change, and are read and restored without secrets", async () => {
    const workflowId = await newWorkflow(apiKey);
    const auth = { ...tokenAuth, headers: [{ name: "X-Env", value: "prod-value" }] };
    const created = await newEndpoint(apiKey, { workflowId, auth, retentionDays: 7 });
    const { endpointId } = created;
    await changedEndpoint(apiKey, endpointId, { name: created.name });
    await changedEndpoint(apiKey, endpointId, { retentionDays: 8, auth: { hmac: {} } });
    await remove(`/api/v1/workflows/${workflowId}`);

    const { revisions, nextCursor } = await revisionsOf(endpointId, "?limit=2");
    expect(revisions.map(({ revision, content }) => [revision, content.workflowId])).toEqual([
      [3, null],
      [2, workflowId],
    ]);
    const rest = await revisionsOf(endpointId, `?cursor=${nextCursor}`);
    const { endpointId: _, url, queuedCount, revision, createdAt, updatedAt, ...shown } = created;
    const { externalId, managedBy, ...content } = shown;
    expect(rest).toEqual({
      revisions: [
        { revision: 1, createdAt, by: expect.objectContaining({ kind: "key" }), content },
      ],
      nextCursor: null,
    });

    await changedEndpoint(apiKey, endpointId, { workflowId: await newWorkflow(apiKey) });
    // Its workflow is deleted.
    await expectProblem(await restore(endpointId, 2), 400, "invalid_request");
    const unset = await saved(await restore(endpointId, 3), 200);
    expect(unset).toMatchObject({ revision: 5, workflowId: null, retentionDays: 8 });
    await expectProblem(await restore(endpointId, 6), 404, "not_found");
    await expectProblem(await restore(endpointId, 0), 404, "not_found");
    const stored = await rows(endpointId);
    expect(stored).toHaveLength(4);
    for (const { content: text } of stored) expect(String(text)).not.toMatch(/"sealed":"[^"]/);
  });

  it("keep the current secrets at a restore, and generate missing ones", async () => {
    const { endpointId } = await newEndpoint(apiKey, { auth: tokenAuth });
    const other = { auth: { token: { secret: "another-token-9xYz" } } };
    await changedEndpoint(apiKey, endpointId, other);
    const kept = await saved(await restore(endpointId, 1), 200);
    expect(kept.auth.token?.secret.last4).toBe("9xYz");
    expect(kept.secrets).toBeUndefined();
    await changedEndpoint(apiKey, endpointId, { auth: null });
    const made = await saved(await restore(endpointId, 1), 200);
    expect(made.secrets?.token).toMatch(/.{20}/);
    const headers = [{ name: "X-Env", value: "prod-value" }, { name: "X-Shop" }];
    const { revision } = await changedEndpoint(apiKey, endpointId, { auth: { headers } });
    await changedEndpoint(apiKey, endpointId, { name: "renamed" });
    expect((await saved(await restore(endpointId, revision), 200)).auth.headers).toMatchObject([
      { value: { set: true } },
      { name: "X-Shop" },
    ]);
    await changedEndpoint(apiKey, endpointId, { auth: null });
    const lost = await expectProblem(await restore(endpointId, revision), 400, "invalid_request");
    expect(lost.detail).toContain("X-Env");
  });

  it("are limited to the newest fifty", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    for (const query of [
      "UPDATE endpoints SET settings = json_set(settings, '$.revision', 60) WHERE endpoint_id = ?",
      "INSERT INTO revisions SELECT account_id, endpoint_id, value, settings FROM endpoints, json_each('[10,11]') WHERE endpoint_id = ?",
    ]) {
      await env.DB.prepare(query).bind(endpointId).run();
    }
    await changedEndpoint(apiKey, endpointId, { name: "another" });
    expect((await rows(endpointId)).map(({ revision }) => revision)).toEqual([11, 60]);
    const problem = await expectProblem(await restore(endpointId, 10), 410, "gone");
    expect(problem.detail).toContain("Revision 10");
  });
});

it("the workflow of an endpoint belongs to its account, and is attached, replaced and detached", async () => {
  const foreign = await newWorkflow((await newAccount()).apiKey);
  for (const workflowId of [foreign, `wf_${"0".repeat(20)}`]) {
    const response = await postEndpoint(apiKey, { workflowId });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "workflowId", rule: "workflow" }]);
  }
  const { endpointId } = await newEndpoint(apiKey);
  for (const workflowId of [await newWorkflow(apiKey), await newWorkflow(apiKey), null]) {
    const changed = await changedEndpoint(apiKey, endpointId, { workflowId });
    expect(changed).toMatchObject({ workflowId });
  }
});
