import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpointRevision } from "../../../../src/contract/webhooks/endpoint.ts";
import { env, expectProblem, newAccount, send } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  newWorkflow,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  saved,
  somePath,
  tokenAuth,
  WEBHOOKS,
} from "../../../support/worker/endpoints.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

describe("changing an endpoint", () => {
  it("replaces the fields that are named, and no other", async () => {
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

  it("sets a field back by null", async () => {
    const standard = await newEndpoint(apiKey);
    const { endpointId } = await newEndpoint(apiKey, {
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
    [{ endpointId: "x" }, "endpointId"],
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

describe("the revisions of an endpoint", () => {
  const revisionPage = z.strictObject({
    revisions: z.array(endpointRevision),
    nextCursor: z.string().nullable(),
  });
  const revisionsOf = async (endpointId: string, query = "") => {
    const path = `${WEBHOOKS}/${endpointId}/revisions${query}`;
    return revisionPage.parse(await (await send(path, { token: apiKey })).json());
  };
  const restore = (endpointId: string, revision: number) =>
    send(`${WEBHOOKS}/${endpointId}/revisions/${revision}/restore`, {
      method: "POST",
      token: apiKey,
    });

  it("are one more with each change, and can be looked at and restored without secrets", async () => {
    const workflowId = await newWorkflow(apiKey);
    const auth = { ...tokenAuth, headers: [{ name: "X-Env", value: "prod-value" }] };
    const created = await newEndpoint(apiKey, { workflowId, auth, retentionDays: 7 });
    const { endpointId } = created;
    await changedEndpoint(apiKey, endpointId, { name: created.name });
    await changedEndpoint(apiKey, endpointId, { retentionDays: 8, auth: { hmac: {} } });
    await send(`/api/v1/workflows/${workflowId}`, { method: "DELETE", token: apiKey });

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

    const newWorkflowId = await newWorkflow(apiKey);
    await changedEndpoint(apiKey, endpointId, { workflowId: newWorkflowId });
    // Its workflow is deleted.
    await expectProblem(await restore(endpointId, 2), 400, "invalid_request");
    const unset = await saved(await restore(endpointId, 3), 200);
    expect(unset).toMatchObject({ revision: 5, workflowId: null, retentionDays: 8 });
    await expectProblem(await restore(endpointId, 6), 404, "not_found");
    await expectProblem(await restore(endpointId, 0), 404, "not_found");
    const stored = await env.DB.prepare("SELECT content FROM revisions WHERE resource_id = ?")
      .bind(endpointId)
      .all();
    expect(stored.results).toHaveLength(4);
    for (const { content: text } of stored.results) {
      expect(String(text)).not.toMatch(/"sealed":"[^"]/);
    }
  });

  it("keep today's secrets when one is restored, and generate those that are gone", async () => {
    const { endpointId } = await newEndpoint(apiKey, { auth: tokenAuth });
    await changedEndpoint(apiKey, endpointId, {
      auth: { token: { secret: "another-token-9xYz" } },
    });
    const kept = await saved(await restore(endpointId, 1), 200);
    expect(kept.auth.token?.secret.last4).toBe("9xYz");
    expect(kept.secrets).toBeUndefined();
    await changedEndpoint(apiKey, endpointId, { auth: null });
    const made = await saved(await restore(endpointId, 1), 200);
    expect(made.secrets?.token).toMatch(/.{20}/);
  });

  it("that are no longer kept are gone", async () => {
    const { endpointId } = await newEndpoint(apiKey);
    await env.DB.prepare(
      "UPDATE endpoints SET settings = json_set(settings, '$.revision', 60) WHERE endpoint_id = ?",
    )
      .bind(endpointId)
      .run();
    await env.DB.prepare(
      "INSERT INTO revisions SELECT account_id, endpoint_id, value, settings FROM endpoints, json_each('[10,11]') WHERE endpoint_id = ?",
    )
      .bind(endpointId)
      .run();
    await changedEndpoint(apiKey, endpointId, { name: "another" });
    const left = await env.DB.prepare("SELECT revision FROM revisions WHERE resource_id = ?")
      .bind(endpointId)
      .all();
    expect(left.results).toEqual([{ revision: 11 }, { revision: 60 }]);
    const problem = await expectProblem(await restore(endpointId, 10), 410, "gone");
    expect(problem.detail).toContain("Revision 10");
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
});
