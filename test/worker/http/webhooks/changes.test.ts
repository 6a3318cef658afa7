import { beforeAll, describe, expect, it } from "vitest";
import { expectProblem, newAccount, send } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  newWorkflow,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  somePath,
  tokenAuth,
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
