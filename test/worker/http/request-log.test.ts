import { beforeEach, describe, expect, it, vi } from "vitest";
import { AGENT, newAccount, newKey, send, trigger } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";

const written = vi.spyOn(console, "info").mockImplementation(() => {});

beforeEach(() => {
  written.mockClear();
});

/** The lines about requests, and about calls that the service made to itself. */
const lines = () =>
  written.mock.calls
    .map(([line]) => JSON.parse(String(line)))
    .filter(({ event }) => event === "request" || event === "call");

/** The one line that the work between leaves. */
async function lineOf(work: () => Promise<unknown>) {
  written.mockClear();
  await work();
  const found = lines();
  expect(found).toHaveLength(1);
  return found[0];
}

describe("the line of a request", () => {
  it("has the id of its response, and its route", async () => {
    let requestId: string | null = null;
    const line = await lineOf(async () => {
      requestId = (await send("/healthz?probe=1")).headers.get("X-Request-Id");
    });
    expect(line).toEqual({
      level: "info",
      event: "request",
      requestId,
      method: "GET",
      route: "/healthz",
      status: 200,
      durationMs: expect.any(Number),
    });
  });

  it("names the account and the started execution", async () => {
    const { accountId, apiKey } = await newAccount();
    let executionId = "";
    const line = await lineOf(async () => {
      executionId = await trigger(apiKey);
    });
    expect(line).toMatchObject({ route: `${AGENT}/trigger`, status: 202, accountId, executionId });
    const path = `${AGENT}/trigger/${executionId}/status`;
    expect(await lineOf(() => send(path, { token: apiKey }))).toMatchObject({
      route: `${AGENT}/trigger/:executionId/status`,
      accountId,
      executionId,
    });
  });

  it("has the reason of a refusal", async () => {
    const { accountId, apiKey } = await newAccount({ credits: 0 });
    const { apiKey: reader } = await newKey(apiKey, { name: "r", scopes: ["executions:read"] });
    const body = { prompt: "Do it." };
    const post = (token?: string) => () =>
      send(`${AGENT}/trigger`, { method: "POST", body, ...(token !== undefined && { token }) });
    expect(await lineOf(post())).toMatchObject({ status: 401, code: "unauthorized" });
    expect(await lineOf(post(apiKey))).toMatchObject({ code: "insufficient_credits", accountId });
    expect(await lineOf(post(reader))).toMatchObject({ code: "insufficient_scope", accountId });
    expect(await lineOf(() => send("/healthz", { method: "PUT" }))).toMatchObject({
      route: "/healthz",
      code: "method_not_allowed",
    });
    expect(await lineOf(() => send("http://prompthook.example/healthz"))).toMatchObject({
      code: "https_required",
    });
  });

  it("hides unknown addresses and invalid ids", async () => {
    const { apiKey } = await newAccount();
    for (const path of [
      `/${apiKey}`,
      `/hooks/${apiKey}`,
      `${AGENT}/trigger/${apiKey}/status`,
      `/api/v1/webhooks/${apiKey}`,
      `/healthz?key=${apiKey}`,
    ]) {
      const line = await lineOf(() => send(path, { token: apiKey }));
      expect(JSON.stringify(line)).not.toContain(apiKey);
    }
    expect(await lineOf(() => send("/nothing/here"))).toMatchObject({ route: "/*", status: 404 });
  });
});

it("a page of the dashboard has its own line, and one for each of its calls", async () => {
  const { accountId, apiKey } = await newAccount();
  const browser = await signedIn(apiKey);
  written.mockClear();
  const requestId = (await browser.get("/dashboard/keys")).headers.get("X-Request-Id");
  const [call, page, ...more] = lines();
  expect(more).toEqual([]);
  expect(page).toMatchObject({ event: "request", route: "/dashboard/keys", requestId });
  expect(call).toMatchObject({ event: "call", route: "/api/v1/keys", of: requestId, accountId });
  expect(call.requestId).not.toBe(requestId);
});

it("a message of the Model Context Protocol has its own line, and one for each call of its tool", async () => {
  const { accountId, apiKey } = await newAccount({ credits: 0 });
  const mcp = await connectMcp(apiKey);
  written.mockClear();
  const { requestId } = await mcp.refused("trigger_agent", { prompt: "planted" });
  const [call, message, ...more] = lines();
  expect(more).toEqual([]);
  expect(message).toMatchObject({ event: "request", route: "/mcp", status: 200, accountId });
  const of = message.requestId;
  const failed = { route: `${AGENT}/trigger`, code: "insufficient_credits" };
  expect(call).toMatchObject({ event: "call", requestId, of, ...failed });
});
