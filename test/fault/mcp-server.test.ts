import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { connectTo, ERAS } from "../support/mcp/connect.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { startTestRuntime, type TestRuntime } from "../support/runtime.ts";
import { Webhooks } from "../support/webhooks.ts";

/** A task that the embedded model does, and what comes out. */
const TASK = "Run ```return 2 + 3;```";
const RESULT = {
  status: "completed",
  result: { outputs: [{ nodeType: "CODE_RESULT", value: 5 }] },
};

let model: ModelServer;
let ours: TestRuntime;
let theirs: TestRuntime;
let client: Client;

beforeAll(async () => {
  model = await startModelServer();
  const variables = { OPENAI_BASE_URL: model.baseUrl };
  ours = await startTestRuntime({ variables });
  theirs = await startTestRuntime();
  client = await createAccount(ours);
});

afterAll(async () => {
  await Promise.all([ours?.close(), theirs?.close(), model?.close()]);
});

describe.each(ERAS)("over the network, by the %s protocol", (era) => {
  it("an agent is started, listed and stopped", async () => {
    const mcp = await connectTo({ ...client, url: ours.url, era, fetch });
    const begun = await mcp.ask("trigger_agent", { prompt: TASK, waitSeconds: 25 });
    expect(begun).toMatchObject(RESULT);
    const { executionId } = begun;
    expect(await mcp.ask("list_executions", { limit: 1 })).toMatchObject({
      executions: [{ executionId, status: "completed" }],
    });
    expect(await mcp.ask("stop_agent", { executionId })).toMatchObject({ status: "completed" });
    expect(await mcp.refused("send_message", { executionId, message: "More." })).toMatchObject({
      code: "execution_not_active",
    });
  });
});

describe("an agent of this service", () => {
  it("has another Prompthook as a tool", async () => {
    const other = await createAccount(theirs);
    const headers = { Authorization: `Bearer ${other.apiKey}` };
    const url = `${theirs.url}/mcp`;
    await new Webhooks(ours, client.apiKey).call("POST", "/mcp-servers", {
      name: "other",
      url,
      headers,
    });
    const delegates = call("mcp__other__trigger_agent", { prompt: TASK, waitSeconds: 25 });
    model.script("boss", byStep(callsTools(delegates), finishes("Delegated.")));
    const executionId = await client.trigger({ prompt: "Delegate.", model: "openai/boss" });
    expect(await client.ended(executionId)).toMatchObject({ status: "completed" });
    expect((await client.result(executionId)).effects).toMatchObject([
      { tool: "mcp__other__trigger_agent", state: "confirmed" },
    ]);
    expect(await other.list()).toMatchObject([{ status: "completed", promptPreview: TASK }]);
  });

  it("does not have itself as one", async () => {
    const registers = new Webhooks(ours, client.apiKey).call("POST", "/mcp-servers", {
      name: "self",
      url: `${ours.url}/mcp`,
    });
    await expect(registers).rejects.toThrow(/service itself/);
  });
});
