import { vi } from "vitest";
import type { Prompthook } from "../../../src/client/prompthook.ts";
import { call, callsTools, fails, finishes } from "../model-server/behaviour.ts";
import { hookAnswer } from "../webhooks.ts";
import { linkInOutbox, MEMBER, OTHER_MEMBER } from "./outbox.ts";
import type { RunRoom } from "./run-room.ts";

const PATIENCE = { timeout: 30_000 };

/** A full account's own model, and pages outside: one that never answers, and prices of a shop. */
interface Outside {
  model: RunRoom["model"];
  url: string;
  slow: string;
  prices: string;
}

/** Fills an account with something for every page, and returns what the parameters of `PAGES` stand for. */
export async function fillAccount(api: Prompthook, outside: Outside) {
  const settings = await fillSettings(api);
  const { workflowId } = await api.workflows.create({
    name: "Look at an order",
    prompt: "Look at {{orderId}}.",
    inputs: [
      { name: "orderId", type: "integer" },
      { name: "total", type: "number", default: 12.5 },
      { name: "page", description: "The page to open" },
    ],
    model: outside.model(fails(400, "There is no such model.")),
    maxCredits: 20,
    approvals: ["send_email"],
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: "the callback secret of ours",
    outputSchema: { type: "object", properties: { headings: { type: "array" } } },
  });
  const { executionId: failed } = await api.workflows.run(workflowId, { orderId: 7 });
  await api.executions.wait(failed);
  await api.workflows.update(workflowId, { prompt: "Look at {{orderId}} once more." });
  const berlin = { cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
  const { scheduleId } = await api.schedules.create({ workflowId, ...berlin });
  await api.schedules.create({ workflowId, everySeconds: 3_600, enabled: false });
  const endpoints = await fillEndpoints(api, workflowId, outside);
  const executions = await fillExecutions(api, { ...outside, endpointId: endpoints.routed });
  const { rehearsalId } = await api.workflows.rehearse(workflowId, { last: 1 });
  const { retryId } = await api.retries.create({ query: { status: ["failed"] }, from: "failure" });
  const query = { status: ["rejected" as const], endpointId: endpoints.strict };
  const { replayId } = await api.replays.create({ query });
  return {
    ...settings,
    ...endpoints,
    ...executions,
    workflow: workflowId,
    schedule: scheduleId,
    rehearsal: rehearsalId,
    retry: retryId,
    replay: replayId,
  };
}

async function fillSettings(api: Prompthook) {
  const prices = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 };
  await api.modelProviders.create({
    name: "acme",
    kind: "openai-compatible",
    baseUrl: "https://models.acme.example/v1",
    apiKey: "sk-acme-0123456789",
    models: [{ name: "large", contextWindow: 128_000, ...prices }],
  });
  await api.connections.create({
    name: "github",
    hosts: ["api.github.com", "*.githubusercontent.com"],
    header: "Authorization",
    value: "Bearer ghp_0123456789abcdef",
  });
  await api.mcpServers.create({ name: "crm", url: "https://crm.example/mcp" });
  const { keyId } = await api.keys.create({ name: "ci", expiresAt: "2099-03-01T00:00:00Z" });
  await api.members.create({ email: MEMBER, role: "admin", name: "Ada Lovelace" });
  await api.members.create({ email: OTHER_MEMBER, role: "viewer" });
  const { destinationId } = await api.destinations.create({
    name: "Ops channel",
    format: "slack",
    url: "https://chat.example/hook",
    events: ["execution.failed", "decision.requested", "endpoint.failing"],
  });
  return { key: keyId, destination: destinationId };
}

/** Creates an endpoint that asks for much and has refused, one with routes and a case, and one that holds. */
async function fillEndpoints(api: Prompthook, workflowId: string, { model, prices }: Outside) {
  const strict = await api.webhooks.create({
    name: "shop orders",
    workflowId,
    auth: {
      hmac: { preset: "github" },
      token: {},
      headers: [{ name: "X-Env", value: "the production of ours" }, { name: "X-Source" }],
      ipAllowlist: ["127.0.0.1", "2001:db8::/32"],
    },
    validation: { required: ["order.id"], types: { "order.total": "number" } },
    mapping: {
      fields: [
        { to: "orderId", from: "order.id", transforms: [{ type: "integer" }] },
        {
          to: "total",
          from: "order.cents",
          transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
        },
      ],
    },
  });
  await api.webhooks.rotateSecret(strict.endpointId, { target: "hmac" });
  await post(strict.url, { order: { id: 7 } });
  const pulls = await api.workflows.create({
    name: "Look after a pull request",
    prompt: "Hello.",
    model: model(finishes("Looked after.")),
  });
  const when = {
    all: [{ path: "action", exists: true }, { not: { path: "draft", equals: true } }],
  };
  const key = { template: "{{body.repo}}#{{body.number}}" };
  const route = { workflowId: pulls.workflowId, when, key, onEvent: "message" as const };
  const releases = { workflowId, when: { path: "release.tag", matches: "^v" } };
  const routed = await api.webhooks.create({
    name: "GitHub",
    routing: {
      routes: [
        { name: "pull requests", ...route },
        { name: "releases", ...releases },
      ],
    },
  });
  const event = { repo: "acme/shop", number: 7 };
  const first = hookAnswer.parse(await post(routed.url, { ...event, action: "opened" }));
  await api.executions.wait(first.executionId ?? "");
  const { requestId } = hookAnswer.parse(await post(routed.url, { ...event, action: "closed" }));
  const held = await api.webhooks.create({ name: "open", workflowId: null });
  for (const id of ["evt_1", "evt_2"]) await post(held.url, { id, page: prices, order: { id: 7 } });
  const { requests } = await api.webhooks.requests(strict.endpointId);
  const refused = { endpointId: strict.endpointId, requestId: requests[0]?.requestId ?? "" };
  const { url: sharedUrl } = await api.shares.create(refused);
  return {
    sharedRequest: last(sharedUrl),
    strict: strict.endpointId,
    routed: routed.endpointId,
    held: held.endpointId,
    request: requestId,
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** Starts executions that end in each way, and some that wait. */
async function fillExecutions(
  api: Prompthook,
  { model, url, slow, prices, endpointId }: Outside & { endpointId: string },
) {
  const trigger = async (...[body]: Parameters<typeof api.executions.trigger>) =>
    (await api.executions.trigger(body)).executionId;
  const table = {
    columns: ["name", "price", "story"],
    rows: Array.from({ length: 120 }, (_, at) => [`Tea ${at}`, at, "A long story ".repeat(4)]),
  };
  const completed = await trigger({
    prompt: "Read the price list of the tea shop,\nthen tell me which tea is the dearest.",
    model: model(
      callsTools(call("browse", { url: prices }, "look")),
      callsTools(
        call("emit_output", { label: "A poem", type: "text", value: "Roses\n  are red" }),
        call("emit_output", { label: "Prices", type: "table", value: table, sources: ["look"] }),
        call("emit_output", { label: "The shop", type: "json", value: { open: [9, 18] } }),
        call("emit_output", { label: "The page", type: "link", url: prices }),
        call("emit_output", { label: "A list", type: "file", value: "a,b\n", filename: "a.csv" }),
      ),
      finishes("Found 120 teas.\n\nThe dearest costs 119.", { teas: 120, dearest: { price: 119 } }),
    ),
    inputs: { shop: "Harbour Lane Tea", since: 2019 },
    metadata: { order: "1007", team: "purchasing" },
    callbackUrl: `${prices}/none`,
    callbackSecret: "a secret of mine",
  });
  const order = { method: "POST", url: slow, body: { tea: "Fog Bell" } };
  // Stopped while it acts outside, so that nobody knows whether it happened.
  const stopped = await trigger({
    prompt: "Order some tea.",
    model: model(callsTools(call("http_request", order))),
  });
  const question = await trigger({
    prompt: "Ask me.",
    model: model(callsTools(call("ask_user", { question: "Which year?\n\n  - 2025\n  - 2026" }))),
    interactive: true,
  });
  await trigger({
    prompt: "Pay what we owe.",
    model: model(callsTools(call("http_request", order))),
    approvals: ["http_request"],
    notify: [{ email: MEMBER }],
  });
  const wait = { endpointId, when: { path: "build", equals: "green" }, timeoutSeconds: 3_600 };
  const event = await trigger({
    prompt: "Wait for the build.",
    model: model(callsTools(call("wait_for_event", wait))),
  });
  await api.executions.wait(completed);
  const { executionId: fork } = await api.executions.fork(completed, { message: "Once more." });
  const state = (id: string) => api.executions.status(id);
  await vi.waitUntil(
    async () => (await state(stopped)).progress.message.includes("Sending POST"),
    PATIENCE,
  );
  await api.executions.stop(stopped, { reason: "Enough tea." });
  await vi.waitUntil(async () => (await state(event)).statusDetail === "event", PATIENCE);
  await vi.waitUntil(
    async () => (await api.executions.callbacks(completed)).attempts.length > 0,
    PATIENCE,
  );
  const open = await vi.waitUntil(async () => {
    const { decisions } = await api.decisions.list({ state: ["open"] });
    return decisions.find(({ kind }) => kind === "approval");
  }, PATIENCE);
  const { url: shareUrl } = await api.shares.create({ executionId: completed });
  const { link: decide, mail } = await linkInOutbox(url, /\/decide\/[\w.~-]+/);
  const shown = { decision: open.decisionId, share: last(shareUrl), decide: last(decide) };
  return { completed, stopped, question, event, fork, ...shown, mail: last(mail) };
}

const last = (path: string) => path.split("/").at(-1) ?? "";
