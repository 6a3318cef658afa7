import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../src/contract/execution.ts";
import { type WorkflowRecord, workflowRecord } from "../../../src/contract/workflow.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  resultOf,
  send,
  untilStatus,
} from "../../support/worker/client.ts";

const WORKFLOWS = "/api/v1/workflows";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

const post = (body: Record<string, unknown>, token = apiKey) =>
  send(WORKFLOWS, {
    method: "POST",
    token,
    body: { name: "greet", prompt: "Say {{greeting}}", inputs: [{ name: "greeting" }], ...body },
  });

async function create(body: Record<string, unknown> = {}): Promise<WorkflowRecord> {
  const response = await post(body);
  expect(response.status).toBe(201);
  return workflowRecord.parse(await response.json());
}

const patch = (id: string, body: Record<string, unknown>, token = apiKey) =>
  send(`${WORKFLOWS}/${id}`, { method: "PATCH", token, body });

const run = (id: string, body?: unknown, headers: Record<string, string> = {}, token = apiKey) =>
  send(`${WORKFLOWS}/${id}/run`, { method: "POST", token, body, headers });

describe("keeping a workflow", () => {
  it("answers with what was given, its defaults, and of the secret only the end", async () => {
    const made = await create({
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: SECRET,
      maxCredits: 9,
      outputSchema: { type: "object" },
    });
    expect(made).toMatchObject({
      workflowId: expect.stringMatching(/^wf_[0-9A-Za-z]{20}$/),
      inputs: [
        { name: "greeting", type: "string", required: false, default: null, description: "" },
      ],
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: { set: true, last4: "LaSw" },
      maxCredits: 9,
    });
    expect(made).not.toHaveProperty("model");
    const read = await send(`${WORKFLOWS}/${made.workflowId}`, { token: apiKey });
    expect(await read.json()).toEqual(made);
    const stored = await env.DB.prepare("SELECT definition FROM workflows").all();
    expect(JSON.stringify(stored.results)).not.toContain(SECRET);
  });

  it.each([
    [{ prompt: "Say {{gretting}}" }, "prompt"],
    [{ prompt: " " }, "prompt"],
    [{ inputs: [{ name: "1st" }] }, "inputs[0].name"],
    [{ inputs: [{ name: "greeting" }, { name: "greeting" }] }, "inputs"],
    [{ inputs: [{ name: "greeting", type: "integer", default: "x" }] }, "inputs[0].default"],
    [{ model: "anthropic" }, "model"],
    [{ model: "nobody/nothing" }, "model"],
    [{ callbackUrl: "https://10.0.0.1/" }, "callbackUrl"],
    [{ outputSchema: { type: "nothing" } }, "outputSchema.type"],
    [{ tools: ["fly"] }, "tools[0]"],
    [{ maxCredit: 5 }, "maxCredit"],
  ])("refuses %j, naming %s", async (body, path) => {
    const { errors } = await expectProblem(await post(body), 400, "invalid_request");
    expect(errors?.map((error) => error.path)).toContain(path);
  });

  it("lists the others when one cannot be read", async () => {
    const owner = await newAccount();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const made = await post({ name }, owner.apiKey);
      ids.push(workflowRecord.parse(await made.json()).workflowId);
    }
    await env.DB.prepare("UPDATE workflows SET definition = '{}' WHERE workflow_id = ?")
      .bind(ids[1])
      .run();
    const page = z.object({
      workflows: z.array(workflowRecord),
      nextCursor: z.string().nullable(),
    });
    const seen: string[] = [];
    let query = "";
    for (;;) {
      const response = await send(`${WORKFLOWS}?limit=1${query}`, { token: owner.apiKey });
      expect(response.status).toBe(200);
      const { workflows, nextCursor } = page.parse(await response.json());
      seen.push(...workflows.map(({ name }) => name));
      if (nextCursor === null) break;
      query = `&cursor=${nextCursor}`;
    }
    expect(seen.sort()).toEqual(["a", "c"]);
  });
});

describe("changing a workflow", () => {
  it("replaces what is named, and null clears what is optional", async () => {
    const { workflowId } = await create({
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: SECRET,
      maxCredits: 9,
    });
    const changed = await (
      await patch(workflowId, { name: "other", maxCredits: null, callbackUrl: null })
    ).json();
    expect(changed).toMatchObject({ name: "other", prompt: "Say {{greeting}}" });
    expect(changed).not.toHaveProperty("maxCredits");
    expect(changed).not.toHaveProperty("callbackUrl");
    expect(changed).toHaveProperty("callbackSecret");
    const cleared = await (await patch(workflowId, { callbackSecret: null })).json();
    expect(cleared).not.toHaveProperty("callbackSecret");
    await expectProblem(await patch(workflowId, {}), 400, "invalid_request");
    await expectProblem(await patch(workflowId, { inputs: [] }), 400, "invalid_request");
  });

  it("keeps the earlier revisions, which are listed and restored with today's secret", async () => {
    const made = await create({ callbackUrl: "https://a.example/", callbackSecret: SECRET });
    const { workflowId } = made;
    const read = async (path: string, method: "GET" | "POST" = "GET") =>
      await (await send(`${WORKFLOWS}/${workflowId}${path}`, { method, token: apiKey })).json();
    await patch(workflowId, { name: made.name });
    await patch(workflowId, {
      prompt: "Sing.",
      inputs: [],
      callbackSecret: "newest-secret-of-it",
    });
    await run(workflowId);
    const { workflowId: _, revision, createdAt, updatedAt, ...shown } = made;
    const { externalId, managedBy, ...content } = shown;
    const { callbackSecret, ...rest } = content;
    const first = {
      revision,
      createdAt,
      by: { kind: "key", id: expect.stringMatching(/^key_/), name: expect.any(String) },
      content,
    };
    expect(await read("/revisions")).toMatchObject({ revisions: [{ revision: 2 }, first] });
    expect(await read("/revisions/1/restore", "POST")).toMatchObject({
      revision: 3,
      ...rest,
      callbackSecret: { last4: "f-it" },
    });
    await expectProblem(
      await send(`${WORKFLOWS}/${workflowId}/revisions/4/restore`, {
        method: "POST",
        token: apiKey,
      }),
      404,
      "not_found",
    );
    const listed = await send(`${AGENT}/trigger/list?workflowId=${workflowId}`, { token: apiKey });
    expect(await listed.json()).toMatchObject({ executions: [{ workflowId, revision: 2 }] });
  });

  it("loses no change when many come at once", async () => {
    const { workflowId } = await create();
    const changes = [{ maxCredits: 7 }, { maxSteps: 8 }, { timeoutSeconds: 9 }];
    const answers = await Promise.all(changes.map((change) => patch(workflowId, change)));
    const kept = await (await send(`${WORKFLOWS}/${workflowId}`, { token: apiKey })).json();
    for (const [at, change] of changes.entries()) {
      if (answers[at]?.status === 200) expect(kept).toMatchObject(change);
      else expect(answers[at]?.status).toBe(409);
    }
  });

  it("removes it", async () => {
    const { workflowId } = await create();
    const remove = () => send(`${WORKFLOWS}/${workflowId}`, { method: "DELETE", token: apiKey });
    expect((await remove()).status).toBe(204);
    await expectProblem(await remove(), 404, "not_found");
    await expectProblem(await run(workflowId), 404, "not_found");
  });
});

describe("running a workflow", () => {
  const accepted = z.object({ executionId: z.uuid(), status: z.literal("active") });

  it("starts an agent with the values as data, and lists it as the workflow's", async () => {
    const { workflowId } = await create({ model: "builtin/demo" });
    const response = await run(workflowId, { inputs: { greeting: "good morning" } });
    expect(response.status).toBe(202);
    const { executionId } = accepted.parse(await response.json());
    expect(response.headers.get("Location")).toBe(`${AGENT}/trigger/${executionId}/status`);
    await untilStatus(apiKey, executionId, "completed");
    const { presentedResult } = await resultOf(apiKey, executionId);
    expect(presentedResult.summary).toContain("good morning");
    const listed = await send(`${AGENT}/trigger/list?workflowId=${workflowId}`, { token: apiKey });
    const { executions } = z
      .object({ executions: z.array(executionRow) })
      .parse(await listed.json());
    expect(executions).toMatchObject([
      { executionId, origin: "workflow", workflowId, promptPreview: "Say good morning" },
    ]);
  });

  it.each([
    [{ inputs: {} }, "inputs.count"],
    [{ inputs: { count: "3" } }, "inputs.count"],
    [{ inputs: { count: 3.5 } }, "inputs.count"],
    [{ inputs: { count: 3, other: 1 } }, "inputs.other"],
    [{ inputs: [] }, "inputs"],
  ])("refuses %j, naming %s", async (body, path) => {
    const inputs = [{ name: "count", type: "integer", required: true }];
    const { workflowId } = await create({ prompt: "Count to {{count}}", inputs });
    const { errors } = await expectProblem(await run(workflowId, body), 400, "invalid_request");
    expect(errors?.map((error) => error.path)).toContain(path);
  });
});
