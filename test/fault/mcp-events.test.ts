import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, inject, test } from "vitest";
import * as z from "zod";
import { createAccount } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { startServer } from "../support/server.ts";
import { startTestService } from "../support/service.ts";
import { untilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";

const theirs = inject("service");
/** A server of events that offers no webhooks. */
const polled = await untilEnd(
  startServer((request, response) => {
    const { method = "", url = "" } = request;
    const asked = Object.assign(request, { method, url });
    void toNodeHandler(createMcpHandler(polledServer))(asked, response);
  }),
);
const model = await untilEnd(startModelServer({ record: false }));
const ours = await untilEnd(startTestService({ OPENAI_BASE_URL: model.baseUrl }));
const client = await createAccount(ours);
const webhooks = new Webhooks(ours, client.apiKey);
const event = (id: number) => ({
  eventId: `order-${id}`,
  timestamp: new Date().toISOString(),
  data: { id },
});
const log = [event(1), event(2)];

/** An MCP server of the official library with one event, read by its position in the log. */
function polledServer(): McpServer {
  const mcp = new McpServer({ name: "orders", version: "1.0.0" });
  const any = { params: z.unknown() };
  mcp.server.setRequestHandler("events/list", any, async () => ({
    events: [{ name: "orders.created", delivery: ["poll"] }],
  }));
  mcp.server.setRequestHandler("events/poll", any, async (given) => {
    const { cursor } = z.looseObject({ cursor: z.string().nullish() }).parse(given);
    const from = Number(cursor ?? 0);
    const events = log.slice(from, from + 1);
    const to = from + events.length;
    return { events, cursor: String(to), hasMore: to < log.length, nextPollMs: 1_000 };
  });
  return mcp;
}

/** Registers a server and has an endpoint with a workflow follow its event. */
async function follow(server: { name: string; url: string; headers?: object }, event: string) {
  const made = await webhooks.call("POST", "/mcp-servers", server);
  const { serverId } = z.object({ serverId: z.string() }).parse(made);
  const workflowId = await webhooks.workflow({
    name: "look",
    prompt: "List rows from {{data}}.",
    inputs: [{ name: "data", type: "object", required: true }],
  });
  const source = { mcpServerId: serverId, event };
  return { ...(await webhooks.endpoint({ name: server.name, workflowId, source })), source };
}

const stateOf = async (endpointId: string) => (await webhooks.read(endpointId)).source?.state;
/** Returns the events that started an agent, without the handshake. */
const succeeded = async (endpointId: string) =>
  (await webhooks.log(endpointId)).filter(
    ({ status, eventId }) => status === "succeeded" && eventId !== null,
  );

test("events of another Prompthook, and of a server without webhooks that is polled, start one agent each across a kill", async () => {
  const other = await createAccount(theirs);
  const senders = new Webhooks(theirs, other.apiKey);
  const sending = await senders.endpoint({ name: "shop", withoutWorkflow: "log" });
  const endpoint = await follow(
    {
      name: "shop",
      url: `${theirs.url}/mcp`,
      headers: { Authorization: `Bearer ${other.apiKey}` },
    },
    `${sending.endpointId}.event`,
  );
  expect(endpoint.source).toMatchObject({ event: `${sending.endpointId}.event` });
  await expect.poll(() => stateOf(endpoint.endpointId)).toBe("active");
  const { endpointId } = await follow(
    { name: "orders", url: `${polled.origin}/mcp` },
    "orders.created",
  );
  await expect.poll(() => succeeded(endpointId)).toHaveLength(2);
  // The kill loses no subscription: it is the other service's, and this one renews it.
  await ours.kill9();
  log.push(event(3));
  await ours.restart();

  await fetch(sending.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Event-Id": "order-7" },
    body: JSON.stringify({ order: { id: 7 } }),
  });
  await expect.poll(() => succeeded(endpoint.endpointId)).toHaveLength(1);
  const [entry] = await succeeded(endpoint.endpointId);
  expect(entry).toMatchObject({
    eventId: "order-7",
    mappedInputs: { data: { order: { id: 7 } } },
  });

  await expect.poll(() => succeeded(endpointId)).toHaveLength(3);
  const events = (await webhooks.log(endpointId)).map(({ eventId }) => eventId);
  expect(events.toReversed()).toEqual(["order-1", "order-2", "order-3"]);

  await webhooks.change(endpoint.endpointId, { source: null });
  expect(await stateOf(endpoint.endpointId)).toBeUndefined();
});

test("an agent has another Prompthook as a tool", async () => {
  const other = await createAccount(theirs);
  await webhooks.call("POST", "/mcp-servers", {
    name: "other",
    url: `${theirs.url}/mcp`,
    headers: { Authorization: `Bearer ${other.apiKey}` },
  });
  const task = "Run ```return 2 + 3;```";
  const delegates = call("mcp__other__trigger_agent", { prompt: task, waitSeconds: 25 });
  model.script("boss", byStep(callsTools(delegates), finishes("Delegated.")));
  const executionId = await client.trigger({ prompt: "Delegate.", model: "openai/boss" });
  expect(await client.ended(executionId)).toMatchObject({ status: "completed" });
  expect((await client.result(executionId)).effects).toMatchObject([
    { tool: "mcp__other__trigger_agent", state: "confirmed" },
  ]);
  expect(await other.list()).toMatchObject([{ status: "completed", promptPreview: task }]);
});

test("a source names a server of the account, and excludes the endpoint's own authentication", async () => {
  const source = { mcpServerId: "mcp_0000000000000000", event: "a.b" };
  await expect(webhooks.endpoint({ name: "none", source })).rejects.toThrow(
    /MCP server of this account/,
  );
  const made = await webhooks.call("POST", "/mcp-servers", {
    name: "any",
    url: `${polled.origin}/mcp`,
  });
  const { serverId } = z.object({ serverId: z.string() }).parse(made);
  const auth = { token: {} };
  const known = { ...source, mcpServerId: serverId };
  await expect(webhooks.endpoint({ name: "two", auth, source: known })).rejects.toThrow(
    /preset mcp/,
  );
});
