import { afterAll, beforeAll, test, vi } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet } from "../../support/browser/dashboard.ts";
import { look, lookAround } from "../../support/browser/looks.ts";
import { type Gate, startGate } from "../../support/browser/request-room.ts";
import { openRunRoom, type RunRoom } from "../../support/browser/run-room.ts";
import type { Client } from "../../support/client.ts";
import { call, callsTools, fails, finishes } from "../../support/model-server/behaviour.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Site, startSite } from "../../support/site/server.ts";
import { hookAnswer } from "../../support/webhooks.ts";

const PATIENCE = { timeout: 30_000 };

let room: RunRoom;
let site: Site;
let receiver: Receiver;
let gate: Gate;
let client: Client;
/** The paths of runs in every state that there is. */
let places: Record<string, string>;

beforeAll(async () => {
  [room, site, receiver, gate] = await Promise.all([
    openRunRoom(),
    startSite(),
    startReceiver(),
    startGate(),
  ]);
  receiver.answerWith(() => 500);
  client = await room.dashboard.account();
  const ids = {
    completed: await completed(),
    failed: await triggered("Look for what there is not.", fails(400, "There is no such model.")),
    stopped: await stopped(),
    question: await triggered(
      "Ask me.",
      callsTools(call("ask_user", { question: "Which year?\n\n  - 2025\n  - 2026" })),
    ),
    active: await active(),
  };
  places = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, `/dashboard/executions/${id}`]),
  );
});
afterAll(() => Promise.all([room, site, receiver, gate].map((one) => one.close())));

const order = () => ({ method: "POST", url: `${site.origin}/orders`, body: { tea: "Fog Bell" } });

function triggered(prompt: string, ...steps: Parameters<RunRoom["model"]>): Promise<string> {
  const model = room.model(...steps);
  return client.trigger({ prompt, model, interactive: true, approvals: ["http_request"] });
}

async function completed(): Promise<string> {
  const rows = Array.from({ length: 120 }, (_, at) => [`Tea ${at}`, at, "A long story ".repeat(4)]);
  const value = { columns: ["name", "price", "story"], rows };
  const model = room.model(
    callsTools(call("browse", { url: `${site.origin}/prices` }, "look")),
    callsTools(
      call("emit_output", { label: "A poem", type: "text", value: "Roses\n  are red" }),
      call("emit_output", { label: "Prices", type: "table", value, sources: ["look"] }),
      call("emit_output", {
        label: "The shop",
        type: "json",
        value: { name: "Tea", open: [9, 18] },
      }),
      call("emit_output", { label: "The page", type: "link", url: `${site.origin}/prices` }),
      call("emit_output", { label: "A list", type: "file", value: "a,b\n", filename: "list.csv" }),
    ),
    finishes("Found 120 teas.\n\nThe dearest costs 119.", { teas: 120, dearest: { price: 119 } }),
  );
  const id = await client.trigger({
    prompt: "Read the price list of the tea shop,\nthen tell me which tea is the dearest.",
    model,
    inputs: { shop: "Harbour Lane Tea", since: 2019 },
    metadata: { order: "1007", team: "purchasing" },
    callbackUrl: receiver.url,
    callbackSecret: "a secret of mine",
  });
  await client.ended(id);
  await vi.waitUntil(async () => (await client.callbacks(id)).attempts.length > 0, PATIENCE);
  return id;
}

/** Stopped while it was doing something outside, so that nobody knows whether it happened. */
async function stopped(): Promise<string> {
  const model = room.model(callsTools(call("http_request", { ...order(), url: gate.url })));
  const id = await client.trigger({ prompt: "Order some tea.", model });
  await vi.waitUntil(
    async () => (await client.status(id)).progress.message.includes("Sending POST"),
    PATIENCE,
  );
  await client.request("POST", `/trigger/${id}/stop`, { reason: "Enough tea." });
  return id;
}

async function active(): Promise<string> {
  const id = await triggered("Look at it.", callsTools(call("browse", { url: gate.url })));
  await client.request("POST", `/trigger/${id}/message`, { message: "Be quick,\nplease." });
  return id;
}

test("the list and the form read well", async () => {
  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto("/dashboard/executions");
  await page.getByRole("cell", { name: "active" }).waitFor();
  await look(page, "executions");
  await lookAround(page, {
    "executions-nothing-matches": "/dashboard/executions?origin=webhook",
    "executions-again": `/dashboard/executions/new?from=${places.completed?.split("/").at(-1)}`,
  });
});

test("what is wrong is told so that it reads well", async () => {
  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto("/dashboard/executions?status=done&createdAfter=x");
  await page.getByRole("alert").first().waitFor();
  await look(page, "executions-wrong-filter");
  await page.goto("/dashboard/executions/new");
  await page.locator("summary", { hasText: "Result" }).click();
  await page.getByLabel("Output schema").fill("{no");
  await page.getByRole("button", { name: "Start execution" }).click();
  await page.getByRole("alert").first().waitFor();
  await look(page, "executions-new-faults");
  await page.goto(`/dashboard/executions/${crypto.randomUUID()}`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await look(page, "executions-none");
});

test("an execution reads well in each of its states", async () => {
  const page = await room.dashboard.signIn(client.apiKey);
  const tabs = ["timeline", "callbacks", "api"].map((tab) => [
    `completed-${tab}`,
    `${places.completed}?tab=${tab}`,
  ]);
  for (const [name, path] of [...tabs, ...Object.entries(places)]) {
    await page.goto(path ?? "");
    await page.getByRole("status").waitFor();
    for (const row of await page.locator(".wf-call > details > summary").all()) await row.click();
    await look(page, `run-${name}`);
  }
  await page.getByRole("button", { name: "Stop execution…" }).click();
  await look(page, "run-stopping");
  expectQuiet(page);
});

test("cases, schedules and what waits for an event read well", async () => {
  const { apiKey } = await room.dashboard.account();
  const api = new Prompthook({ baseUrl: room.dashboard.url, apiKey });
  const { workflowId } = await api.workflows.create({
    name: "Look after a pull request",
    prompt: "Hello.",
    model: room.model(finishes("Looked after.")),
  });
  const when = {
    all: [{ path: "action", exists: true }, { not: { path: "draft", equals: true } }],
  };
  const key = { template: "{{body.repo}}#{{body.number}}" };
  const routes = [
    { name: "pull requests", workflowId, when, key, onEvent: "message" as const },
    { name: "releases", workflowId, when: { path: "release.tag", matches: "^v" } },
  ];
  const { endpointId, url } = await api.webhooks.create({ name: "GitHub", routing: { routes } });
  const wait = { endpointId, when: { path: "build", equals: "green" }, timeoutSeconds: 3_600 };
  const model = room.model(callsTools(call("wait_for_event", wait)));
  const { executionId } = await api.executions.trigger({ prompt: "Wait for the build.", model });
  const take = async (type: string) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ type, action: type, repo: "acme/shop", number: 7 });
    return hookAnswer.parse(await (await fetch(url, { method: "POST", headers, body })).json());
  };
  const first = await take("pull_request.opened");
  await api.executions.wait(first.executionId ?? "");
  const { requestId } = await take("pull_request.synchronize");
  await api.workflows.update(workflowId, { prompt: "Look at the change.", maxCredits: 20 });
  await api.schedules.create({ workflowId, cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" });
  await api.schedules.create({ workflowId, everySeconds: 3_600, enabled: false });
  await vi.waitUntil(
    async () => (await api.executions.status(executionId)).statusDetail === "event",
    PATIENCE,
  );
  const page = await room.dashboard.signIn(apiKey);
  const endpoint = `/dashboard/webhooks/${endpointId}`;
  await lookAround(page, {
    "cases-routes": endpoint,
    "cases-list": `${endpoint}/cases`,
    "cases-request": `${endpoint}/requests/${requestId}`,
    "cases-waiting": `/dashboard/executions/${executionId}`,
    "schedules-list": "/dashboard/schedules",
    "schedules-new": `/dashboard/schedules/new?workflowId=${workflowId}`,
    "revisions-list": `/dashboard/workflows/${workflowId}/revisions`,
  });
  await page.goto(`${endpoint}/cases`);
  await page.getByRole("link", { name: "acme/shop#7" }).click();
  await page.getByText("pull_request.synchronize").waitFor();
  await look(page, "cases-case");
});
