import { expect, it } from "vitest";
import { resultOf } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { newReader } from "../../support/worker/runs.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const ID = /[0-9a-f-]{36}/;

it("replays the matches of a log filter after a preview, and shows the progress", async () => {
  const inputs = [{ name: "orderId", type: "integer" as const, required: true }];
  const endpoint = await newEndpoint({}, inputs);
  for (const no of [1, 2, 3]) await endpoint.hook({ no });
  await endpoint.change({ mapping: { fields: [{ to: "orderId", from: "no" }] } });
  const session = await signedIn(endpoint.apiKey);
  const log = `/dashboard/webhooks/${endpoint.endpointId}/requests`;
  const page = await session.read(`${log}?status=rejected`);
  const to = `/dashboard/replays/new?status=rejected&amp;endpointId=${endpoint.endpointId}`;
  expect(page).toContain(`href="${to}"`);
  const none = await session.read("/dashboard/replays/new?status=failed");
  expect(none).toContain("No requests match. Go back and choose others.");
  const forecast = await session.read(to.replace("&amp;", "&"));
  expect(forecast).toContain("Replay 3 requests");
  const started = await session.post(to.replace("&amp;", "&"));
  const path = started.headers.get("Location") ?? "";
  expect(path).toMatch(ID);
  const shown = () => session.read(path);
  await expect.poll(shown, { timeout: 10_000 }).toContain(">completed<");
  expect(await shown()).toContain("3 of 3");
});

it("replays requests of all endpoints: those that match, and those that are selected", async () => {
  const endpoint = await newEndpoint({});
  const taken = await endpoint.take({ orderId: 1 });
  await endpoint.take({ orderId: 2 });
  const session = await signedIn(endpoint.apiKey);
  const page = await session.read("/dashboard/requests");
  expect(page).toContain(`value="${taken}" form="again"`);
  const [, all = ""] = /href="(\/dashboard\/replays\/new[^"]*)"/.exec(page) ?? [];
  expect(await session.read(all)).toMatch(/<dt>Match<\/dt><dd>2<\/dd>/);
  const selected = await session.read(`/dashboard/replays/new?id=${taken}`);
  expect(selected).toMatch(/<dt>Match<\/dt><dd>1<\/dd>/);
  expect(selected).toContain('href="/dashboard/requests"');
});

it("offers no retry of all executions where none of the chosen statuses can be retried", async () => {
  const { started, read } = await newReader();
  await started([{ finish: { summary: "All done." } }]);
  await expect.poll(() => read("?status=completed")).toContain("Retry selected");
  expect(await read("?status=completed")).not.toContain("Retry all that match");
  expect(await read("?status=completed&status=failed")).toContain("Retry all that match");
});

it("continues an execution from a step of its timeline, and links both", async () => {
  const { apiKey, started, session, read } = await newReader();
  const emit = {
    calls: [{ tool: "emit_output", input: { label: "A", type: "text", value: "1" } }],
  };
  const id = await started([emit, emit, { finish: { summary: "All done." } }]);
  const path = `/dashboard/executions/${id}/fork`;
  expect(await read(`/${id}?tab=timeline`)).toContain(`${path}?after=2`);
  expect(await session.read(`${path}?after=2`)).toContain('value="2"');
  const answer = await session.post(path, { afterStep: "2" });
  const fork = (answer.headers.get("Location") ?? "").split("/").at(-1) ?? "";
  expect(await read(`/${id}?tab=result`)).toContain(`/dashboard/executions/${fork}`);
  expect(await read(`/${fork}?tab=result`)).toContain(`/dashboard/executions/${id}`);
  await expect.poll(async () => (await resultOf(apiKey, fork)).usage?.modelSteps).toBe(1);
});

it("compares two executions step by step, and reports an unknown one", async () => {
  const { started, session, read } = await newReader();
  const emit = (value: string) => ({
    calls: [{ tool: "emit_output", input: { label: "A", type: "text", value } }],
  });
  const done = { finish: { summary: "All done." } };
  const before = await started([emit("one"), emit("two"), done]);
  const after = await started([emit("one"), emit("three"), done]);
  const path = `/dashboard/executions/${before}/compare`;
  expect(await read(`/${before}?tab=result`)).toContain(`href="${path}"`);
  const page = await session.read(`${path}?with=${after}`);
  expect(page).toContain("Step 1: same");
  expect(page).toContain("Step 2: different");
  expect(page).toMatch(/emit_output[\s\S]*<del>two<\/del> <ins>three<\/ins>/);
  expect(page).toContain("<dt>A</dt><dd>changed</dd>");
  const missing = await session.get(`${path}?with=nothing`);
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining("There is no such execution."),
  ]);
});
