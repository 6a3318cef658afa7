import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../support/client.ts";
import type { BoxState } from "../support/mcp/server.ts";
import { startMcpServers } from "../support/mcp/server.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import type { TestServer } from "../support/server.ts";
import { startTestService, type TestService } from "../support/service.ts";

let model: ModelServer;
let servers: TestServer;
let service: TestService;

beforeAll(async () => {
  [model, servers] = await Promise.all([startModelServer(), startMcpServers()]);
  service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
});

afterAll(() => Promise.all([service?.close(), model?.close(), servers?.close()]));

test("a remote tool that was at work when the service was killed is called once", async () => {
  const box = randomUUID();
  const seen = async (calls: number): Promise<BoxState> =>
    JSON.parse(await (await fetch(`${servers.origin}/seen/${box}?calls=${calls}`)).text());
  const hold = (on: boolean) => fetch(`${servers.origin}/hold/${box}?on=${on}`, { method: "PUT" });
  model.script(
    "notes",
    byStep(callsTools(call("mcp__crm__add_note", { text: "Called." })), finishes("Noted.")),
  );
  const client = await createAccount(service);
  const registered = await fetch(`${service.url}/api/v1/mcp-servers`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "crm",
      url: `${servers.origin}/mcp/current-json/${box}?token=of-the-account`,
      headers: { Authorization: "Bearer of-the-account" },
    }),
  });
  expect(registered.status).toBe(201);

  await hold(true);
  const executionId = await client.trigger({ prompt: "Note it.", model: "openai/notes" });
  await seen(1);
  await service.kill9();
  await hold(false);
  await service.restart();

  expect(await client.ended(executionId, 90_000)).toMatchObject({ status: "completed" });
  expect((await seen(1)).calls).toMatchObject([{ tool: "add_note" }]);
  expect((await client.result(executionId)).effects).toMatchObject([
    { tool: "mcp__crm__add_note", target: "add_note on crm", state: "uncertain" },
  ]);
});
