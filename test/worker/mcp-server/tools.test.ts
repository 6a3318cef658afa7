import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ERAS } from "../../support/mcp/connect.ts";
import { newAccount, resultOf, send, trigger } from "../../support/worker/client.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf, type ScriptedStep } from "../../support/worker/scripted.ts";
import { newEndpoint, newWorkflow } from "../../support/worker/webhooks.ts";

/** What trigger_agent is told for an agent that does this, step by step. */
const agent = (...steps: [ScriptedStep, ...ScriptedStep[]]) => ({
  prompt: promptOf(...steps),
  model: "openai/scripted",
});

const done: ScriptedStep = { finish: { summary: "All done." } };

/** An agent that stops for a payment at `site` until somebody says yes. */
function payer(site: string) {
  const input = { method: "POST", url: site, body: { amount: 5 } };
  const pay = { calls: [{ tool: "http_request", input, id: "pay" }] };
  return { ...agent(pay, done), approvals: ["http_request"] };
}

describe.each(ERAS)("an agent that speaks the %s protocol", (era) => {
  it("lists the tools with their inputs, outputs and effects", async () => {
    const { client } = await connectMcp((await newAccount()).apiKey, era);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(description?.length, name).toBeGreaterThan(50);
      expect(description, name).toMatch(/credits/);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      const reads = /^(get|list|search)_/.test(name);
      expect(annotations?.readOnlyHint ?? false, name).toBe(reads);
    }
    expect(client.getInstructions()).toContain("trigger_agent");
  });

  it("starts an execution, polls its status, and reads its result", async () => {
    const { apiKey } = await newAccount({ credits: 100 });
    const mcp = await connectMcp(apiKey, era);
    const started = await mcp.ask("trigger_agent", { ...agent(done), maxCredits: 10 });
    expect(started).toMatchObject({ availableCredits: 90 });
    const { executionId } = started;
    const completed = { executionId, status: "completed" };
    expect(await mcp.ask("get_status", { executionId, waitSeconds: 25 })).toMatchObject(completed);
    expect(await mcp.ask("get_result", { executionId })).toMatchObject({
      executionId,
      presentedResult: { summary: "All done." },
    });
    expect(await mcp.ask("list_executions", { status: ["completed"] })).toMatchObject({
      executions: [{ executionId, summary: "All done." }],
      nextCursor: null,
    });
  });
});

it("an agent lists open decisions, and answers them", async () => {
  const mcp = await connectMcp((await newAccount()).apiKey);
  const site = mailbox();
  const { executionId } = await mcp.ask("trigger_agent", { ...payer(site.url), waitSeconds: 25 });
  const { decisions } = await mcp.ask("list_decisions");
  expect(decisions).toMatchObject([{ executionId, tool: "http_request", state: "open" }]);
  const [{ decisionId }] = decisions as [{ decisionId: string }];
  const answered = await mcp.ask("answer_decision", { decisionId, decision: "approve" });
  expect(answered).toMatchObject({ state: "answered", via: "mcp" });
  expect(await site.letters(1)).toHaveLength(1);
});

describe("trigger_agent", () => {
  it("returns the result once it is available, and counts its wait as one request", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 4 });
    const mcp = await connectMcp(apiKey);
    const note = { label: "Note", type: "text", value: "at work" };
    const steps = agent({ calls: [{ tool: "emit_output", input: note }] }, done);
    expect(await mcp.ask("trigger_agent", { ...steps, waitSeconds: 25 })).toMatchObject({
      status: "completed",
      result: { presentedResult: { summary: "All done." }, outputs: [{ value: "at work" }] },
      next: expect.stringContaining("ended"),
    });
  });

  it("returns after the wait while the agent continues until it is stopped", async () => {
    const mcp = await connectMcp((await newAccount()).apiKey);
    const begun = Date.now();
    const started = await mcp.ask("trigger_agent", { prompt: "Hang.", waitSeconds: 1 });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
    const next = expect.stringContaining("get_status");
    expect(started).toMatchObject({ status: "active", next });
    const { executionId } = started;
    expect(await mcp.ask("get_status", { executionId })).toMatchObject({ status: "active" });
    const stopped = { executionId, status: "stopped", statusDetail: "user_request" };
    expect(await mcp.ask("stop_agent", { executionId, reason: "Enough." })).toMatchObject(stopped);
    expect(await mcp.ask("stop_agent", { executionId })).toMatchObject(stopped);
  });

  it("starts one agent for one idempotency key, as an argument or as metadata", async () => {
    const mcp = await connectMcp((await newAccount()).apiKey);
    const key = "key-1";
    const first = await mcp.ask("trigger_agent", { prompt: "Hang.", idempotencyKey: key });
    const again = await mcp.ask("trigger_agent", { prompt: "Hang.", idempotencyKey: key });
    const meta = { "prompthook/idempotencyKey": key };
    const beside = await mcp.ask("trigger_agent", { prompt: "Hang." }, meta);
    expect([again.executionId, beside.executionId]).toEqual([first.executionId, first.executionId]);
    const other = await mcp.refused("trigger_agent", { prompt: "Else.", idempotencyKey: key });
    expect(other).toMatchObject({ code: "idempotency_key_reused", status: 422 });
    expect((await mcp.ask("trigger_agent", { prompt: "Hang." })).executionId).not.toBe(
      first.executionId,
    );
  });
});

describe("get_status", () => {
  it("does not report an earlier wait of the agent as new", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const mcp = await connectMcp((await newAccount()).apiKey);
    const question = { calls: [{ tool: "ask_user", input: { question: "Which?" }, id: "ask" }] };
    const { executionId } = await mcp.ask("trigger_agent", {
      ...agent(question, { gate: gate.name, ...done }),
      interactive: true,
      waitSeconds: 25,
    });
    await mcp.ask("send_message", { executionId, message: "This one." });
    await gate.letters(1);
    const begun = Date.now();
    const status = await mcp.ask("get_status", { executionId, waitSeconds: 1 });
    expect(status).toMatchObject({ status: "active" });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
  });
});

describe("get_result", () => {
  it("omits what is too long, and returns it on request", async () => {
    const { apiKey } = await newAccount();
    const mcp = await connectMcp(apiKey);
    const input = { label: "Long", type: "text", value: "x".repeat(25_000) };
    // The step is repeated until the limit ends it.
    const prompt = promptOf({ calls: [{ tool: "emit_output", input }] });
    const executionId = await trigger(apiKey, { prompt, model: "openai/scripted", maxSteps: 2 });
    await mcp.ask("get_status", { executionId, waitSeconds: 25 });
    const [first, second] = (await resultOf(apiKey, executionId)).outputs;
    const { outputs } = await mcp.ask("get_result", { executionId });
    expect(outputs).toEqual([first, { ...second, value: undefined, omittedCharacters: 25_002 }]);
    const whole = await mcp.ask("get_result", { executionId, outputId: second?.outputId });
    expect(whole.outputs).toEqual([second]);
    expect(await mcp.refused("get_result", { executionId, outputId: "out_9" })).toMatchObject({
      code: "invalid_request",
      errors: [{ path: "outputId", message: "must be the id of an output" }],
    });
  });

  it("returns the partial result on request", async () => {
    const mcp = await connectMcp((await newAccount()).apiKey);
    const { executionId } = await mcp.ask("trigger_agent", { prompt: "Hang." });
    expect(await mcp.refused("get_result", { executionId })).toMatchObject({
      code: "result_not_ready",
      retryAfterSeconds: 2,
    });
    expect(await mcp.ask("get_result", { executionId, partial: true })).toMatchObject({
      status: "active",
      outputs: [],
    });
  });
});

it("a workflow is found, and run with its inputs", async () => {
  const { apiKey } = await newAccount();
  const mcp = await connectMcp(apiKey);
  const workflowId = await newWorkflow(apiKey, [{ name: "order", required: true }]);
  expect(await mcp.ask("list_workflows")).toMatchObject({ workflows: [{ workflowId }] });
  expect(await mcp.refused("run_workflow", { workflowId })).toMatchObject({
    code: "invalid_request",
    errors: [{ path: "inputs.order" }],
  });
  const { executionId } = await mcp.ask("run_workflow", { workflowId, inputs: { order: "7" } });
  const executions = [{ executionId, origin: "workflow" }];
  expect(await mcp.ask("list_executions", { workflowId })).toMatchObject({ executions });
});

it("an endpoint is created for a sender, with a secret that verifies its webhooks", async () => {
  const { apiKey } = await newAccount();
  const mcp = await connectMcp(apiKey);
  const workflowId = await newWorkflow(apiKey, []);
  const made = await mcp.ask("create_endpoint", { name: "hub", preset: "github", workflowId });
  const { url, secrets } = z
    .object({ url: z.url(), secrets: z.object({ hmac: z.string() }) })
    .parse(made);
  const body = '{"action":"opened"}';
  const signature = createHmac("sha256", secrets.hmac).update(body).digest("hex");
  const { pathname } = new URL(url);
  const hook = (sent: string) =>
    send(pathname, { method: "POST", body, headers: { "X-Hub-Signature-256": `sha256=${sent}` } });
  expect((await hook(signature)).status).toBe(202);
  expect((await hook("0".repeat(64))).status).toBe(401);
});

it("an endpoint is listed with the workflows of its routes", async () => {
  const endpoint = await newEndpoint();
  const mcp = await connectMcp(endpoint.apiKey);
  const { endpointId } = endpoint;
  const workflowId = await newWorkflow(endpoint.apiKey, []);
  const when = { path: "number", exists: true };
  await endpoint.change({ routing: { routes: [{ name: "pulls", workflowId, when }] } });
  expect(await mcp.ask("list_endpoints")).toMatchObject({
    endpoints: [{ endpointId, workflowId: null, routes: [{ name: "pulls", workflowId }] }],
  });
});

it("a replay of one request and a replay of all that match take no part of each other", async () => {
  const mcp = await connectMcp((await newAccount()).apiKey);
  const endpointId = `ep_${"0".repeat(40)}`;
  const one = { endpointId, requestId: crypto.randomUUID() };
  const query = { status: ["rejected"] };
  for (const mixed of [
    { ...one, dryRun: true },
    { endpointId, query },
    { payload: {}, query },
  ]) {
    expect(await mcp.refused("replay_request", mixed)).toMatchObject({ code: "invalid_request" });
  }
});

it("an agent finds a refused request, reads the reason, applies the fix and replays it", async () => {
  const auth = { hmac: { secret: "a-secret-of-the-tests", prefix: "sha256=" } };
  const endpoint = await newEndpoint({ auth });
  const body = '{"total":7}';
  const signature = createHmac("sha256", "a-secret-of-the-tests").update(body).digest("hex");
  const headers = { "X-Other-Signature": `sha256=${signature}` };
  expect((await endpoint.hook(body, { headers })).status).toBe(401);
  const mcp = await connectMcp(endpoint.apiKey);
  const found = await mcp.ask("search_requests", { status: ["rejected"] });
  const [{ requestId }] = found.requests as [{ requestId: string }];
  const named = { endpointId: endpoint.endpointId, requestId };
  const read = await mcp.ask("get_request", named);
  expect(read).toMatchObject({ httpStatus: 401, isFixable: true });
  expect(await mcp.ask("apply_fix", named)).toMatchObject({ isChanged: true });
  expect((await endpoint.hook(body, { headers })).status).toBe(202);
  const [{ requestId: accepted } = { requestId: "" }] = (await endpoint.log()).requests;
  expect(await mcp.ask("replay_request", { ...named, requestId: accepted })).toMatchObject({
    status: "queued",
  });
  const query = { endpointId: endpoint.endpointId, status: ["rejected"] };
  expect(await mcp.ask("replay_request", { query, dryRun: true })).toMatchObject({ matched: 1 });
  const replay = await mcp.ask("replay_request", { query });
  expect(replay).toMatchObject({ replayId: expect.any(String), status: "running", matched: 1 });
});
