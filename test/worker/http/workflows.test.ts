import { describe, expect, it } from "vitest";
import { SYSTEM } from "../../../src/contract/actor.ts";
import { type WorkflowRecord, workflowRecord } from "../../../src/contract/workflow.ts";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { changeEndpoint, changeWithEndpoints } from "../../../src/http/webhooks/config-updates.ts";
import { insertEndpoint, updateEndpoint } from "../../../src/records/endpoints.ts";
import { deleteWorkflow, insertWorkflow } from "../../../src/records/workflows.ts";
import { configWith, workflowWith } from "../../support/endpoint.ts";
import {
  AGENT,
  allPages,
  callsOf,
  env,
  expectProblem,
  faultsOf,
  newAccount,
  textIn,
  untilStatus,
} from "../../support/worker/client.ts";
import { accepting, requestOf } from "../../support/worker/inboxes.ts";

const WORKFLOWS = "/api/v1/workflows";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const { apiKey, get, post: send, patch: change, remove } = await newAccount();

const GREETING = { name: "greet", prompt: "Say {{greeting}}", inputs: [{ name: "greeting" }] };
const CALLBACK = { callbackUrl: "https://receiver.example/callback", callbackSecret: SECRET };

const post = (body: object, token = apiKey) =>
  callsOf(token).post(WORKFLOWS, { ...GREETING, ...body });

async function create(body: object = {}): Promise<WorkflowRecord> {
  const response = await post(body);
  expect(response.status).toBe(201);
  return workflowRecord.parse(await response.json());
}

const patch = (id: string, body: object) => change(`${WORKFLOWS}/${id}`, body);
const run = (id: string, body?: object) => send(`${WORKFLOWS}/${id}/run`, body);
const json = async (path: string) => (await get(path)).json();

describe("creating a workflow", () => {
  it("returns the given settings, defaults, and only the end of the secret", async () => {
    const notify = [{ email: "ann@acme.example", requireCode: true }];
    const given = { ...CALLBACK, maxCredits: 9, notify, outputSchema: { type: "object" } };
    const made = await create(given);
    expect(made).toMatchObject({
      ...given,
      workflowId: expect.stringMatching(/^wf_[0-9A-Za-z]{20}$/),
      inputs: [
        { name: "greeting", type: "string", required: false, default: null, description: "" },
      ],
      callbackSecret: { set: true, last4: "LaSw" },
    });
    expect(made).not.toHaveProperty("model");
    expect(await json(`${WORKFLOWS}/${made.workflowId}`)).toEqual(made);
    const stored = await env.DB.prepare("SELECT definition FROM workflows").all();
    expect(JSON.stringify(stored.results)).not.toContain(SECRET);
  });

  it.each([
    [{ prompt: "Say {{gretting}}" }, "prompt"],
    [{ inputs: [{ name: "greeting", type: "integer", default: "x" }] }, "inputs[0].default"],
    [{ model: "nobody/nothing" }, "model"],
    [{ callbackUrl: "https://10.0.0.1/" }, "callbackUrl"],
    [{ outputSchema: { type: "nothing" } }, "outputSchema.type"],
  ])("refuses %j, naming %s", async (body, path) => {
    expect(await faultsOf(await post(body))).toContain(path);
  });

  it("lists the others if one is unreadable", async () => {
    const owner = await newAccount();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.push(await textIn(await post({ name }, owner.apiKey), "workflowId"));
    }
    await env.DB.prepare("UPDATE workflows SET definition = '{}' WHERE workflow_id = ?")
      .bind(ids[1])
      .run();
    const path = `${WORKFLOWS}?limit=1`;
    const seen = await allPages(owner.apiKey, path, "workflows", workflowRecord);
    expect(seen.map(({ name }) => name).sort()).toEqual(["a", "c"]);
  });
});

describe("changing a workflow", () => {
  it("replaces named fields, and null clears optional ones", async () => {
    const { workflowId } = await create({ ...CALLBACK, maxCredits: 9 });
    const body = { name: "other", maxCredits: null, callbackUrl: null };
    const changed = await (await patch(workflowId, body)).json();
    expect(changed).toMatchObject({ name: "other", prompt: GREETING.prompt });
    expect(changed).not.toHaveProperty("maxCredits");
    expect(changed).not.toHaveProperty("callbackUrl");
    expect(changed).toHaveProperty("callbackSecret");
    const cleared = await (await patch(workflowId, { callbackSecret: null })).json();
    expect(cleared).not.toHaveProperty("callbackSecret");
    expect(await faultsOf(await patch(workflowId, {}))).toEqual([""]);
    for (const inputs of [[], null])
      expect(await faultsOf(await patch(workflowId, { inputs }))).toEqual(["prompt"]);
    const bare = await (await patch(workflowId, { prompt: "Sing.", inputs: null })).json();
    expect(bare).toMatchObject({ prompt: "Sing.", inputs: [] });
  });

  it("keeps earlier revisions, which are listed and restored with the current secret", async () => {
    const made = await create(CALLBACK);
    const { workflowId, revision, createdAt, updatedAt, externalId, managedBy, ...content } = made;
    const { callbackSecret, ...rest } = content;
    await patch(workflowId, { name: made.name });
    const newest = { prompt: "Sing.", inputs: [], callbackSecret: "newest-secret-of-it" };
    await patch(workflowId, newest);
    await run(workflowId);
    const by = { kind: "key", id: expect.stringMatching(/^key_/), name: expect.any(String) };
    const first = { revision, createdAt, by, content };
    const path = `${WORKFLOWS}/${workflowId}/revisions`;
    expect(await json(path)).toMatchObject({ revisions: [{ revision: 2 }, first] });
    expect(await (await send(`${path}/1/restore`)).json()).toMatchObject({
      revision: 3,
      ...rest,
      callbackSecret: { last4: "f-it" },
    });
    await expectProblem(await send(`${path}/4/restore`), 404, "not_found");
    const listed = await json(`${AGENT}/trigger/list?workflowId=${workflowId}`);
    expect(listed).toMatchObject({ executions: [{ workflowId, revision: 2 }] });
  });

  it("loses none of many concurrent changes", async () => {
    const { workflowId } = await create();
    const changes = [{ maxCredits: 7 }, { maxSteps: 8 }, { timeoutSeconds: 9 }];
    const answers = await Promise.all(changes.map((body) => patch(workflowId, body)));
    const kept = await json(`${WORKFLOWS}/${workflowId}`);
    for (const [at, body] of changes.entries()) {
      if (answers[at]?.status === 200) expect(kept).toMatchObject(body);
      else expect(answers[at]?.status).toBe(409);
    }
  });
});

describe("deleting a workflow", () => {
  it("succeeds once, and nothing runs it any more", async () => {
    const { workflowId } = await create();
    expect((await remove(`${WORKFLOWS}/${workflowId}`)).status).toBe(204);
    await expectProblem(await remove(`${WORKFLOWS}/${workflowId}`), 404, "not_found");
    await expectProblem(await run(workflowId), 404, "not_found");
  });

  it("reaches an endpoint that attaches it concurrently", async () => {
    const accountId = `acc_${crypto.randomUUID()}`;
    const workflow = workflowWith();
    const { workflowId } = workflow;
    const stored = { definition: workflow, createdAt: 1, updatedAt: 1 };
    await insertWorkflow(env.DB, accountId, stored, 100);
    const config = configWith({ accountId, workflow: null });
    const { endpointId } = config;
    await changeEndpoint(env, endpointId, () => insertEndpoint(env.DB, config, 100));

    const deleted = await changeWithEndpoints(env, accountId, workflowId, async () => {
      const attached = { ...config, workflow, updatedAt: 2 };
      await changeEndpoint(env, endpointId, () => updateEndpoint(env.DB, attached));
      return deleteWorkflow(env.DB, accountId, workflowId, { now: 3, by: SYSTEM.by });
    });

    expect(deleted).toBe(true);
    const arrival = { configVersion: 2, request: requestOf(), decision: accepting() };
    const receipt = await inboxStub(env, endpointId).accept(arrival);
    expect(receipt).toMatchObject({ kind: "outdated", config: { version: 3, workflow: null } });
  });
});

describe("running a workflow", () => {
  it("averages scores by revision and model; a second one by a caller replaces the first", async () => {
    const { workflowId } = await create({ model: "openai/finishes" });
    const ran = async () => {
      const executionId = await textIn(await run(workflowId), "executionId");
      await untilStatus(apiKey, executionId, "completed");
      return executionId;
    };
    const [first, second] = [await ran(), await ran()];
    const score = (id: string, value: unknown) =>
      send(`${AGENT}/trigger/${id}/scores`, { name: "helpful", value, comment: "So it is." });
    expect((await score(first, true)).status).toBe(201);
    await score(second, true);
    await score(second, false);
    const average = { name: "helpful", revision: 1, model: "openai/finishes", average: 0.5 };
    expect(await json(`${WORKFLOWS}/${workflowId}`)).toMatchObject({
      scores: [{ ...average, count: 2 }],
    });
    expect(await json(`${AGENT}/trigger/${second}/scores`)).toMatchObject({
      scores: [{ name: "helpful", value: false, comment: "So it is." }],
    });
    await expectProblem(await score(crypto.randomUUID(), true), 404, "not_found");
    await expectProblem(await score(first, "good"), 400, "invalid_request");
  });
});
