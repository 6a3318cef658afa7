import { exports } from "cloudflare:workers";
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
} from "@modelcontextprotocol/ext-tasks/client";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { newAccount, ORIGIN, trigger, untilStatus } from "../../support/worker/client.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf, type ScriptedStep } from "../../support/worker/scripted.ts";

const VERSION = "2026-07-28";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: { form: {} } };

const task = z.looseObject({ taskId: z.string(), status: z.string() });
const rpcAnswer = z.union([
  z.object({ result: z.record(z.string(), z.json()) }),
  z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.json().optional() }) }),
]);

const agent = (...steps: [ScriptedStep, ...ScriptedStep[]]) => ({
  prompt: promptOf(...steps),
  model: "openai/scripted",
});
const done: ScriptedStep = { finish: { summary: "All done." } };
const asks: ScriptedStep = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
const pays = (url: string): ScriptedStep => ({
  calls: [{ tool: "http_request", input: { method: "POST", url, body: { amount: 5 } } }],
});

/** Sends messages of the current protocol as a client with these capabilities does. */
function rpc(apiKey: string, capabilities: object = TASKS) {
  return async (method: string, params: Record<string, unknown>) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const response = await exports.default.fetch(`${ORIGIN}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": method,
        "Mcp-Name": String(params.taskId ?? params.name),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await response.text();
    const data = text.split("\n").find((line) => line.startsWith("data: "));
    return rpcAnswer.parse(JSON.parse(data?.slice("data: ".length) ?? text));
  };
}

type Given = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

function neverAsked(): never {
  throw new Error("agents ask people only");
}

/** The official client of the extension, and what it was asked. */
async function tasksOf(apiKey: string, answers: Given[] = []) {
  const { client } = await connectMcp(apiKey);
  const send = rpc(apiKey);
  const asked: unknown[] = [];
  const session = createTaskSessionFromClient(client, {
    endpointId: "prompthook",
    onInputRequest: createApplicationInputHandler({
      elicitation({ params }) {
        asked.push(params);
        return answers.shift() ?? { action: "cancel" };
      },
      sampling: neverAsked,
      roots: neverAsked,
    }),
    async rawDispatch(request) {
      const { method, params } = z
        .object({ method: z.string(), params: z.record(z.string(), z.unknown()) })
        .parse(request);
      const answer = await send(method, params);
      return "error" in answer
        ? { kind: "error", error: answer.error }
        : { kind: "result", result: answer.result };
    },
    v2RequestFraming: {
      protocolVersion: VERSION,
      clientInfo: { name: "test", version: "1.0.0" },
      clientCapabilities: TASKS,
    },
  });
  onTestFinished(() => session.close());
  return {
    asked,
    send,
    async start(input: Record<string, z.core.util.JSONType>) {
      const execution = await session.callTool("trigger_agent", input);
      expect(execution.kind).toBe("task");
      return { execution, taskId: execution.handle?.taskId ?? "" };
    },
  };
}

describe("a client that supports tasks", () => {
  it("gets a task for an agent, and the agent's result once it has ended", async () => {
    const { start } = await tasksOf((await newAccount()).apiKey);
    const { execution } = await start(agent(done));
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({
      status: "completed",
      result: {
        isError: false,
        structuredContent: {
          status: "completed",
          result: { presentedResult: { summary: "All done." } },
        },
      },
    });
  });

  it("gets a failed execution as a completed task whose result is an error", async () => {
    const { start, send } = await tasksOf((await newAccount()).apiKey);
    const failing = { finish: { summary: "No such page.", status: "failed" } } as const;
    const { execution, taskId } = await start(agent(failing));
    await execution.settle();
    expect(await send("tasks/get", { taskId })).toMatchObject({
      result: {
        resultType: "complete",
        status: "completed",
        result: { isError: true, structuredContent: { status: "failed" } },
      },
    });
  });

  it("answers the agent's question, and ignores a repeated answer", async () => {
    const answers: Given[] = [{ action: "accept", content: { answer: "The blue one." } }];
    const { start, asked, send } = await tasksOf((await newAccount()).apiKey, answers);
    const { execution, taskId } = await start({ ...agent(asks, done), interactive: true });
    await execution.settle();
    expect(asked).toMatchObject([{ mode: "form", message: "Which?" }]);
    const late = { any: { action: "accept", content: { answer: "The red one." } } };
    expect(await send("tasks/update", { taskId, inputResponses: late })).toMatchObject({
      result: { resultType: "complete" },
    });
  });

  it.each<[string, Given, number]>([
    [
      "makes an exact call once a person",
      { action: "accept", content: { decision: "approve" } },
      1,
    ],
    ["makes no call that a person", { action: "decline" }, 0],
  ])("%s answers with %j", async (_, given, calls) => {
    const site = mailbox();
    const { start, asked, send } = await tasksOf((await newAccount()).apiKey, [given]);
    const paying = { ...agent(pays(site.url), done), approvals: ["http_request"] };
    const { execution, taskId } = await start(paying);
    await execution.settle();
    expect(asked).toMatchObject([{ message: expect.stringContaining('"amount": 5') }]);
    expect(await site.letters()).toHaveLength(calls);
    const completed = { result: { status: "completed" } };
    expect(await send("tasks/get", { taskId })).toMatchObject(completed);
  });

  it("leaves a cancelled question open", async () => {
    const { start, send, asked } = await tasksOf((await newAccount()).apiKey);
    const { taskId } = await start({ ...agent(asks, done), interactive: true });
    await expect.poll(() => asked.length).toBe(1);
    const open = { result: { status: "input_required" } };
    expect(await send("tasks/get", { taskId })).toMatchObject(open);
  });

  it("stops the agent by cancelling its task", async () => {
    const { start, send } = await tasksOf((await newAccount()).apiKey);
    const { taskId } = await start({ prompt: "Hang." });
    expect(await send("tasks/cancel", { taskId })).toMatchObject({ result: {} });
    expect(await send("tasks/get", { taskId })).toMatchObject({ result: { status: "cancelled" } });
  });
});

describe("a task", () => {
  it("is not created unless the client declares support in the request", async () => {
    const { apiKey } = await newAccount();
    const send = rpc(apiKey, {});
    const answer = await send("tools/call", { name: "trigger_agent", arguments: agent(done) });
    expect(answer).toMatchObject({ result: { resultType: "complete" } });
    expect(answer).not.toHaveProperty("result.taskId");
    const executionId = await trigger(apiKey, { prompt: "Hang." });
    expect(await send("tasks/get", { taskId: executionId })).toMatchObject({
      error: { code: -32_021, data: { requiredCapabilities: TASKS.extensions && {} } },
    });
  });

  it("that is named by no execution id is refused with the place and the rule", async () => {
    const send = rpc((await newAccount()).apiKey);
    const data = { code: "invalid_request", errors: [{ path: "taskId" }] };
    for (const [params, message] of [
      [{}, "`taskId` is required."],
      [{ taskId: "none" }, "`taskId` must be a UUID."],
    ] as const)
      expect(await send("tasks/get", params)).toMatchObject({
        error: { code: -32_602, message, data },
      });
  });

  it("of another account, or an unknown one, is not found", async () => {
    const executionId = await trigger((await newAccount()).apiKey, { prompt: "Hang." });
    const send = rpc((await newAccount()).apiKey);
    for (const taskId of [executionId, crypto.randomUUID(), "none"]) {
      for (const method of ["tasks/get", "tasks/cancel"]) {
        expect(await send(method, { taskId })).toMatchObject({ error: { code: -32_602 } });
      }
    }
  });

  it("is any execution of the account, with any origin", async () => {
    const { apiKey } = await newAccount();
    const executionId = await trigger(apiKey, agent(done));
    await untilStatus(apiKey, executionId, "completed");
    expect(await rpc(apiKey)("tasks/get", { taskId: executionId })).toMatchObject({
      result: { taskId: executionId, status: "completed", ttlMs: null },
    });
  });

  it("describes its wait if the client cannot ask a person", async () => {
    const { apiKey } = await newAccount();
    const send = rpc(apiKey, { extensions: TASKS.extensions });
    const input = { ...agent(asks, done), interactive: true };
    const started = await send("tools/call", { name: "trigger_agent", arguments: input });
    const { taskId } = z.object({ result: task }).parse(started).result;
    await expect
      .poll(() => send("tasks/get", { taskId }))
      .toMatchObject({
        result: { status: "working", statusMessage: expect.stringContaining("Which?") },
      });
  });
});
