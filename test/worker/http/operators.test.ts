import { describe, expect, it } from "vitest";
import * as z from "zod";
import { accountDetails, quotaUse } from "../../../src/contract/operators.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  eventsOf,
  expectProblem,
  newAccount,
  newKey,
  resultOf,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { env, hostOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ADMIN = "/api/v1/admin";
const admin = (method: string, path: string, body?: unknown) =>
  send(ADMIN + path, { method, token: ADMIN_TOKEN, body });

/** Changes what operators decide about an account. */
async function change(accountId: string, body: object): Promise<void> {
  expect((await admin("PATCH", `/accounts/${accountId}`, body)).status).toBe(200);
}
const setQuotas = (accountId: string, quotas: object) => change(accountId, { quotas });

describe("a quota", () => {
  it("of endpoints refuses one more with its name, also of two at once, and frees deleted ones", async () => {
    const { accountId, apiKey, endpointId, call } = await newEndpoint();
    await setQuotas(accountId, { endpoints: 2 });
    const create = () =>
      send(WEBHOOKS, { method: "POST", token: apiKey, body: { name: "another" } });
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const problem = await expectProblem(await create(), 409, "conflict");
    expect(problem.detail).toContain("quota `endpoints` of 2");
    expect((await call("", { method: "DELETE" })).status).toBe(204);
    expect((await create()).status, endpointId).toBe(201);
  });

  it("of workflows refuses one more", async () => {
    const { accountId, apiKey } = await newAccount();
    await setQuotas(accountId, { workflows: 1 });
    await newWorkflow(apiKey, []);
    const body = { name: "more", prompt: "Look." };
    const response = await send("/api/v1/workflows", { method: "POST", token: apiKey, body });
    const problem = await expectProblem(response, 409, "conflict");
    expect(problem.detail).toContain("`workflows`");
  });

  it("of active executions refuses a trigger, and a webhook's execution waits, also when it is read, messaged or stopped", async () => {
    const { accountId, apiKey, take, entry } = await newEndpoint({}, []);
    await setQuotas(accountId, { activeExecutions: 1 });
    const first = await trigger(apiKey);
    const body = { prompt: "Do it." };
    const more = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(more, 429, "rate_limited");
    expect(problem.detail).toContain("quota `activeExecutions` of 1");
    expect(more.headers.get("Retry-After")).toBe("10");

    const promised = async (id: number) => (await entry(await take({ id }))).executionId ?? "";
    const [read, stopped, last] = [await promised(1), await promised(2), await promised(3)];
    const account = env.ACCOUNT.getByName(accountId);
    const startedOf = async (ids: string[]) => {
      const replies = await Promise.all(ids.map((id) => hostOf(accountId, id).status(id)));
      return replies.filter(({ kind }) => kind !== "unknown").length;
    };
    const stop = (id: string) =>
      send(`${AGENT}/trigger/${id}/stop`, { method: "POST", token: apiKey });

    const waiting = await send(`${AGENT}/trigger/${read}/status`, { token: apiKey });
    expect(await waiting.json()).toMatchObject({ statusDetail: "queued", startedAt: null });
    const sent = { method: "POST", token: apiKey, body: { message: "Also this." } };
    await expectProblem(await send(`${AGENT}/trigger/${read}/message`, sent), 429, "rate_limited");
    expect(await (await stop(stopped)).json()).toMatchObject({ statusDetail: "user_request" });
    const result = await resultOf(apiKey, stopped);
    expect(result.usage.modelSteps).toBe(0);
    await expect.poll(async () => (await account.use()).used.activeExecutions).toBe(3);
    expect(await startedOf([read, last])).toBe(0);
    await stop(first);
    await expect.poll(() => startedOf([read, last])).toBe(1);
  });

  it("of stored bytes refuses executions", async () => {
    const { accountId, apiKey } = await newAccount();
    await setQuotas(accountId, { storedBytes: 1_000 });
    const body = { prompt: "Do it." };
    const response = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(response, 429, "rate_limited");
    expect(problem.detail).toContain("`storedBytes`");
  });

  it("of webhook requests counts over all endpoints, and not those of strangers", async () => {
    const { accountId, apiKey, hook } = await newEndpoint();
    const body = { name: "second", auth: { token: { secret: "the-secret-of-it" } } };
    const made = await send(WEBHOOKS, { method: "POST", token: apiKey, body });
    const { endpointId } = z.object({ endpointId: z.string() }).parse(await made.json());
    await setQuotas(accountId, { webhookRequestsPerMinute: 3 });
    const second = (headers: Record<string, string>) =>
      send(`/hooks/${endpointId}`, { method: "POST", body: {}, headers });
    const secret = { "X-Webhook-Token": "the-secret-of-it" };
    for (let n = 0; n < 5; n += 1) await expectProblem(await second({}), 401, "unauthorized");

    expect((await second(secret)).status).toBe(202);
    expect((await hook({})).status).toBe(202);
    expect((await hook({})).status).toBe(202);
    for (const response of [await hook({}), await second(secret)]) {
      const problem = await expectProblem(response, 429, "rate_limited");
      expect(problem.detail).toContain("quota `webhookRequestsPerMinute` of 3");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
  });

  it("is shown with its use to its account and to operators", async () => {
    const { accountId, apiKey } = await newEndpoint({}, []);
    await setQuotas(accountId, { endpoints: 7 });
    await trigger(apiKey);
    const own = await send("/api/v1/usage/quotas", { token: apiKey });
    const use = z.strictObject(quotaUse.shape).parse(await own.json());
    expect(use).toMatchObject({
      endpoints: { used: 1, limit: 7 },
      workflows: { used: 1, limit: 1_000 },
      activeExecutions: { used: 1, limit: 1_000 },
    });
    expect(use.storedBytes.used).toBeGreaterThan(0);
    const account = accountDetails.parse(
      await (await admin("GET", `/accounts/${accountId}`)).json(),
    );
    expect(account).toMatchObject({ status: "active", quotas: { endpoints: 7, workflows: 1_000 } });
    expect(account.usage.endpoints).toEqual({ used: 1, limit: 7 });
  });
});

describe("a suspended account", () => {
  it("has its executions stopped, starts nothing, reads all, and lives again", async () => {
    const { accountId, apiKey, hook, take, entry } = await newEndpoint({}, []);
    const executionId = await trigger(apiKey);
    await take({ id: 1 });
    await change(accountId, { status: "suspended" });

    await untilStatus(apiKey, executionId, "stopped");
    expect((await resultOf(apiKey, executionId)).presentedResult.summary).toContain("suspended");
    const body = { prompt: "Do it." };
    const refused = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(refused, 403, "insufficient_scope");
    expect(problem.detail).toContain("suspended");
    const sent = await hook({ id: 2 });
    await expectProblem(sent, 503, "unavailable");
    expect(sent.headers.get("Retry-After")).toBe("3600");
    for (const path of [`${AGENT}/trigger/list`, `${AGENT}/credits`, WEBHOOKS, "/api/v1/keys"]) {
      expect((await send(path, { token: apiKey })).status, path).toBe(200);
    }

    await change(accountId, { status: "active" });
    const { executionId: again } = await entry(await take({ id: 3 }));
    await untilStatus(apiKey, again ?? "", "active");
  });

  it("stops what its webhooks had promised before it started", async () => {
    const { accountId, apiKey, take, entry, change: update } = await newEndpoint();
    const requestId = await take({ id: 1 });
    await update({ workflowId: await newWorkflow(apiKey, []) });
    await change(accountId, { status: "suspended" });
    const settled = async () => (await entry(requestId)).errors;
    await expect.poll(settled).toMatchObject([{ rule: "user_request" }]);
  });
});

describe("operators", () => {
  it("find the account of an execution", async () => {
    const [{ accountId, apiKey }, other] = [await newAccount(), await newAccount()];
    await trigger(other.apiKey);
    const executionId = await trigger(apiKey);
    await expect
      .poll(async () => (await admin("GET", `/executions/${executionId}`)).json())
      .toEqual({ executionId, accountId });
    const unknown = await admin("GET", `/executions/${crypto.randomUUID()}`);
    await expectProblem(unknown, 404, "not_found");
  });

  it("revoke a key of any account by the key itself", async () => {
    const { accountId, apiKey } = await newAccount();
    const { apiKey: found, keyId: foundId } = await newKey(apiKey, { name: "published" });
    const revoked = await admin("POST", "/keys/revoke", { apiKey: found });
    expect(await revoked.json()).toEqual({ accountId, keyId: foundId });
    await expectProblem(await send("/api/v1/keys", { token: found }), 401, "unauthorized");
    const unknown = await admin("POST", "/keys/revoke", { apiKey: "ph_live_x" });
    await expectProblem(unknown, 404, "not_found");
  });
});

describe("a connection", () => {
  const create = (token: string, body: object = {}) =>
    send("/api/v1/connections", {
      method: "POST",
      token,
      body: { name: "crm", hosts: ["API.crm.example"], header: "X-Key", value: VALUE, ...body },
    });
  const VALUE = "the-credential-itself";

  it("is listed without its value, and named once", async () => {
    const { apiKey } = await newAccount();
    const made = await create(apiKey, { pathPrefix: "/v2" });
    expect(made.status).toBe(201);
    const listed = await (await send("/api/v1/connections", { token: apiKey })).text();
    expect((await made.text()) + listed).not.toContain("credential");
    expect(JSON.parse(listed)).toMatchObject({
      connections: [
        { name: "crm", hosts: ["api.crm.example"], pathPrefix: "/v2", header: "X-Key" },
      ],
    });
    await expectProblem(await create(apiKey), 409, "conflict");
  });

  it.each([
    { hosts: ["https://crm.example"] },
    { hosts: ["*"] },
    { header: "Host" },
    { value: "two\r\nlines" },
    { pathPrefix: "v2" },
    { pathPrefix: "/v2/../" },
  ])("is not made with %j", async (body) => {
    const { apiKey } = await newAccount();
    await expectProblem(await create(apiKey, body), 400, "invalid_request");
  });

  it("must exist when a trigger names it, and can be deleted", async () => {
    const { apiKey } = await newAccount();
    const body = { prompt: "Do it.", connections: ["crm"] };
    const start = () => send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(await start(), 400, "invalid_request");
    expect(problem.detail).toContain("names crm, which the account does not have");
    const { connectionId } = z
      .object({ connectionId: z.string() })
      .parse(await (await create(apiKey)).json());
    expect((await start()).status).toBe(202);
    const path = `/api/v1/connections/${connectionId}`;
    const statuses = [1, 2].map(
      async () => (await send(path, { method: "DELETE", token: apiKey })).status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual([204, 404]);
  });
});

describe("the recipients of an account", () => {
  it("replace those of the deployment, and hold from its next execution", async () => {
    const { accountId, apiKey } = await newAccount();
    await change(accountId, { emailRecipients: ["ann@shop.example"] });
    const mail = (to: string) => ({
      tool: "send_email",
      input: { to: [to], subject: "Hello", text: "Hello." },
    });
    const prompt = promptOf(
      { calls: [mail("ann@shop.example"), mail("bob@example.com")] },
      { finish: { summary: "Done." } },
    );
    const executionId = await trigger(apiKey, { prompt, model: "openai/scripted" });
    await untilStatus(apiKey, executionId, "completed");
    const finished = await eventsOf(apiKey, executionId, "tool.finished");
    expect(finished).toMatchObject([
      { data: { ok: true } },
      { data: { ok: false, error: { code: "recipient_not_allowed" } } },
    ]);
  });
});
