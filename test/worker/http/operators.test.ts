import { describe, expect, it } from "vitest";
import * as z from "zod";
import { accountDetails, quotaUse } from "../../../src/contract/operators.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  callsOf,
  eventsOf,
  expectProblem,
  faultsOf,
  newAccount,
  newKey,
  resultOf,
  send,
  textIn,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { env, hostOf, mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ADMIN = "/api/v1/admin";
const operator = callsOf(ADMIN_TOKEN);
const TASK = { prompt: "Do it." };

/** Changes what operators decide about an account. */
async function change(accountId: string, body: object): Promise<void> {
  expect((await operator.patch(`${ADMIN}/accounts/${accountId}`, body)).status).toBe(200);
}
const setQuotas = (accountId: string, quotas: object) => change(accountId, { quotas });

const start = (apiKey: string, body: object = TASK) =>
  callsOf(apiKey).post(`${AGENT}/trigger`, body);

describe("a quota", () => {
  it("of endpoints refuses one more with its name, even of two concurrent ones, and frees deleted ones", async () => {
    const { accountId, apiKey, endpointId, call } = await newEndpoint();
    await setQuotas(accountId, { endpoints: 2 });
    const create = () => callsOf(apiKey).post(WEBHOOKS, { name: "another" });
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const problem = await expectProblem(await create(), 409, "conflict");
    expect(problem.detail).toContain("quota `endpoints` of 2");
    expect((await call("", { method: "DELETE" })).status).toBe(204);
    expect((await create()).status, endpointId).toBe(201);
  });

  it("of workflows and of stored bytes refuses more", async () => {
    const { accountId, apiKey } = await newAccount();
    await setQuotas(accountId, { workflows: 1, storedBytes: 1_000 });
    await newWorkflow(apiKey, []);
    const workflow = await callsOf(apiKey).post("/api/v1/workflows", { name: "more", ...TASK });
    const problem = await expectProblem(workflow, 409, "conflict");
    expect(problem.detail).toContain("`workflows`");
    const { detail } = await expectProblem(await start(apiKey), 429, "rate_limited");
    expect(detail).toContain("`storedBytes`");
  });

  it("of active executions refuses a trigger and queues a webhook's execution, which can be read, messaged and stopped", async () => {
    const { accountId, apiKey, take, entry, get, post } = await newEndpoint({}, []);
    await setQuotas(accountId, { activeExecutions: 1 });
    const first = await trigger(apiKey);
    const more = await start(apiKey);
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
    const stop = (id: string) => post(`${AGENT}/trigger/${id}/stop`);

    const waiting = await get(`${AGENT}/trigger/${read}/status`);
    expect(await waiting.json()).toMatchObject({ statusDetail: "queued", startedAt: null });
    const sent = await post(`${AGENT}/trigger/${read}/message`, { message: "Also this." });
    await expectProblem(sent, 429, "rate_limited");
    expect(await (await stop(stopped)).json()).toMatchObject({ statusDetail: "user_request" });
    const result = await resultOf(apiKey, stopped);
    expect(result.usage.modelSteps).toBe(0);
    await expect.poll(async () => (await account.use()).used.activeExecutions).toBe(3);
    expect(await startedOf([read, last])).toBe(0);
    await stop(first);
    await expect.poll(() => startedOf([read, last])).toBe(1);
  });

  it("of webhook requests counts over all endpoints, without unauthenticated ones", async () => {
    const first = await newEndpoint();
    const auth = { token: { secret: "the-secret-of-it" } };
    const second = await newEndpoint({ auth }, undefined, first);
    await setQuotas(first.accountId, { webhookRequestsPerMinute: 3 });
    const headers = { "X-Webhook-Token": "the-secret-of-it" };
    const known = () => second.hook({}, { headers });
    for (let n = 0; n < 5; n += 1) await expectProblem(await second.hook({}), 401, "unauthorized");

    const accepted = [await known(), await first.hook({}), await first.hook({})];
    expect(accepted.map(({ status }) => status)).toEqual([202, 202, 202]);
    for (const response of [await first.hook({}), await known()]) {
      const problem = await expectProblem(response, 429, "rate_limited");
      expect(problem.detail).toContain("quota `webhookRequestsPerMinute` of 3");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
  });

  it("is shown with its use to its account and to operators", async () => {
    const { accountId, apiKey } = await newEndpoint({}, []);
    await setQuotas(accountId, { endpoints: 7 });
    await trigger(apiKey);
    const own = await callsOf(apiKey).get("/api/v1/usage/quotas");
    const use = z.strictObject(quotaUse.shape).parse(await own.json());
    expect(use).toMatchObject({
      endpoints: { used: 1, limit: 7 },
      workflows: { used: 1, limit: 1_000 },
      activeExecutions: { used: 1, limit: 1_000 },
    });
    expect(use.storedBytes.used).toBeGreaterThan(0);
    const shown = await operator.get(`${ADMIN}/accounts/${accountId}`);
    expect(accountDetails.parse(await shown.json())).toMatchObject({
      status: "active",
      quotas: { endpoints: 7, workflows: 1_000 },
      usage: { endpoints: { used: 1, limit: 7 } },
    });
  });
});

describe("a suspended account", () => {
  it("stops its executions, starts nothing, can only be read and revoke keys, and can be resumed", async () => {
    const { accountId, apiKey, hook, take, entry } = await newEndpoint({}, []);
    const executionId = await trigger(apiKey);
    await take({ id: 1 });
    const leaked = await newKey(apiKey, { name: "leaked" });
    await change(accountId, { status: "suspended" });

    await untilStatus(apiKey, executionId, "stopped");
    expect((await resultOf(apiKey, executionId)).presentedResult.summary).toContain("suspended");
    const problem = await expectProblem(await start(apiKey), 403, "insufficient_scope");
    expect(problem.detail).toContain("suspended");
    const sent = await hook({ id: 2 });
    await expectProblem(sent, 503, "unavailable");
    expect(sent.headers.get("Retry-After")).toBe("3600");
    const keys = ["/api/v1/keys", "/api/v1/shares"];
    for (const path of [`${AGENT}/trigger/list`, `${AGENT}/credits`, WEBHOOKS, ...keys]) {
      expect((await callsOf(apiKey).get(path)).status, path).toBe(200);
      expect((await send(path, { method: "HEAD", token: apiKey })).status, path).toBe(200);
    }
    const named = { email: "ops@shop.example", role: "viewer" };
    const added = await callsOf(apiKey).post("/api/v1/members", named);
    await expectProblem(added, 403, "insufficient_scope");
    const revoked = await callsOf(apiKey).remove(`/api/v1/keys/${leaked.keyId}`);
    expect(revoked.status).toBe(204);

    await change(accountId, { status: "active" });
    const { executionId: again } = await entry(await take({ id: 3 }));
    await untilStatus(apiKey, again ?? "", "active");
  });

  it("stops promised executions before they start", async () => {
    const { accountId, apiKey, take, entry, change: update } = await newEndpoint();
    const requestId = await take({ id: 1 });
    await update({ workflowId: await newWorkflow(apiKey, []) });
    await change(accountId, { status: "suspended" });
    const settled = async () => (await entry(requestId)).errors;
    await expect.poll(settled).toMatchObject([{ rule: "user_request" }]);
  });
});

describe("operators", () => {
  it("revoke any key by the key itself", async () => {
    const { accountId, apiKey } = await newAccount();
    const found = await newKey(apiKey, { name: "published" });
    const revoke = (key: string) => operator.post(`${ADMIN}/keys/revoke`, { apiKey: key });
    const revoked = await revoke(found.apiKey);
    expect(await revoked.json()).toEqual({ accountId, keyId: found.keyId });
    const refused = await callsOf(found.apiKey).get("/api/v1/keys");
    await expectProblem(refused, 401, "unauthorized");
    // The second is the example of the API reference: no account has it.
    for (const key of ["ph_live_x", `ph_live_${"0".repeat(50)}`])
      await expectProblem(await revoke(key), 404, "not_found");
  });
});

describe("a connection", () => {
  const CONNECTIONS = "/api/v1/connections";
  const create = (token: string, body: object = {}) =>
    callsOf(token).post(CONNECTIONS, {
      name: "crm",
      hosts: ["API.crm.example"],
      header: "X-Key",
      value: "the-credential-itself",
      ...body,
    });

  it("is listed without its value, and named once", async () => {
    const { apiKey } = await newAccount();
    const made = await create(apiKey, { pathPrefix: "/v2" });
    expect(made.status).toBe(201);
    const listed = await (await callsOf(apiKey).get(CONNECTIONS)).text();
    expect((await made.text()) + listed).not.toContain("credential");
    const shown = { name: "crm", hosts: ["api.crm.example"], pathPrefix: "/v2", header: "X-Key" };
    expect(JSON.parse(listed)).toMatchObject({ connections: [shown] });
    await expectProblem(await create(apiKey), 409, "conflict");
    for (const wrong of [{ header: "Host" }, { value: "two\r\nlines" }]) {
      expect(await faultsOf(await create(apiKey, wrong))).toEqual(["header"]);
    }
  });

  it("must exist if a trigger names it, and can be deleted", async () => {
    const { apiKey, remove } = await newAccount();
    const use = () => start(apiKey, { ...TASK, connections: ["crm"] });
    const problem = await expectProblem(await use(), 400, "invalid_request");
    expect(problem.detail).toContain("names crm, which the account does not have");
    const path = `${CONNECTIONS}/${await textIn(await create(apiKey), "connectionId")}`;
    expect((await use()).status).toBe(202);
    const responses = await Promise.all([remove(path), remove(path)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  /** Removes the connection while an execution that uses it waits, and has the execution go on. */
  async function removedWhileWaiting(replacement: string | null) {
    const { apiKey, remove, post } = await newAccount();
    const site = mailbox();
    const hosts = [new URL(site.url).hostname];
    const connectionId = await textIn(await create(apiKey, { hosts }), "connectionId");
    const prompt = promptOf(
      { calls: [{ tool: "ask_user", input: { question: "Now?" } }] },
      { calls: [{ tool: "http_request", input: { method: "GET", url: site.url } }] },
      { finish: { summary: "Done." } },
    );
    const task = { prompt, model: "openai/scripted", interactive: true, connections: ["crm"] };
    const executionId = await trigger(apiKey, task);
    await untilStatus(apiKey, executionId, "waiting_for_input");
    await remove(`${CONNECTIONS}/${connectionId}`);
    if (replacement !== null) await create(apiKey, { hosts, value: replacement });
    await post(`/api/v1/agent/trigger/${executionId}/message`, { message: "Yes." });
    await untilStatus(apiKey, executionId, "completed");
    const finished = await eventsOf(apiKey, executionId, "tool.finished");
    const keys = (await site.letters()).map(({ headers }) => headers["x-key"]);
    return { keys, last: finished.at(-1) };
  }

  it("that is removed while an execution uses it fails the requests of its tools", async () => {
    const { keys, last } = await removedWhileWaiting(null);
    const message = "The connection crm was removed from the account, so nothing was sent.";
    const error = { code: "connection_removed", message };
    expect(last).toMatchObject({ data: { ok: false, error } });
    expect(keys).toEqual([]);
  });

  it("that replaces a removed one of its name serves the executions that use it", async () => {
    const { keys } = await removedWhileWaiting("the-next-credential");
    expect(keys).toEqual(["the-next-credential"]);
  });

  it("that is removed fails the requests of executions that a webhook starts", async () => {
    const account = await newAccount();
    const { apiKey, remove, post } = account;
    const path = `${CONNECTIONS}/${await textIn(await create(apiKey), "connectionId")}`;
    const site = mailbox();
    const prompt = promptOf(
      { calls: [{ tool: "http_request", input: { method: "GET", url: site.url } }] },
      { finish: { summary: "Done." } },
    );
    const workflow = { name: "look", prompt, model: "openai/scripted", connections: ["crm"] };
    const workflowId = await textIn(await post("/api/v1/workflows", workflow), "workflowId");
    const { hook } = await newEndpoint({ workflowId }, undefined, account);
    await remove(path);
    const executionId = await textIn(await hook({}), "executionId");
    await untilStatus(apiKey, executionId, "completed");
    const [failed] = await eventsOf(apiKey, executionId, "tool.finished");
    expect(failed).toMatchObject({ data: { ok: false, error: { code: "connection_removed" } } });
  });
});

it("the recipients of an account replace those of the deployment from its next execution", async () => {
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
  expect(await eventsOf(apiKey, executionId, "tool.finished")).toMatchObject([
    { data: { ok: true } },
    { data: { ok: false, error: { code: "recipient_not_allowed" } } },
  ]);
});
