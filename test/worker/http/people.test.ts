import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { auditEntry } from "../../../src/contract/audit.ts";
import { memberRecord } from "../../../src/contract/keys.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { sha256Hex } from "../../../src/lib/encoding.ts";
import { replaceWorkflow } from "../../../src/records/workflows.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { expectProblem, newAccount, newKey, send } from "../../support/worker/client.ts";
import { newEndpoint, newWorkflow } from "../../support/worker/webhooks.ts";

const MEMBERS = "/api/v1/members";
const auditPage = z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() });

async function auditOf(token: string, query = "") {
  const response = await send(`/api/v1/audit${query}`, { token });
  expect(response.status).toBe(200);
  return auditPage.parse(await response.json());
}

const actionsOf = async (token: string, query = "") =>
  (await auditOf(token, query)).entries.map(({ action }) => action);

async function add(token: string, email: string, role: string) {
  const response = await send(MEMBERS, { method: "POST", token, body: { email, role } });
  expect(response.status).toBe(201);
  return memberRecord.parse(await response.json());
}

describe("the audit log", () => {
  it("names who created, changed and deleted a workflow, with the revision", async () => {
    const { accountId, apiKey } = await newAccount();
    const workflowId = await newWorkflow(apiKey, []);
    const path = `/api/v1/workflows/${workflowId}`;
    await send(path, { method: "PATCH", token: apiKey, body: { name: "renamed" } });
    await send(path, { method: "DELETE", token: apiKey });
    const { entries } = await auditOf(apiKey, `?resource=${workflowId}`);
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["workflow.deleted", {}],
      ["workflow.updated", { revision: 2 }],
      ["workflow.created", {}],
    ]);
    const [{ by, resource } = {}] = entries;
    expect(by).toMatchObject({ kind: "key" });
    expect(resource).toEqual({ kind: "workflow", id: workflowId, name: "renamed" });
    const [creation] = (await auditOf(apiKey, "?action=account.created")).entries;
    expect(creation).toMatchObject({ by: { kind: "operator" }, resource: { id: accountId } });
  });

  it("names changes and rotated secrets of endpoints, keys, connections and MCP servers", async () => {
    const { apiKey, endpointId, call } = await newEndpoint({ auth: { token: {} } });
    await call("", { method: "PATCH", body: { requestsPerMinute: 7 } });
    await call("/rotate-secret", { method: "POST", body: {} });
    await call("", { method: "DELETE" });
    expect(await actionsOf(apiKey, `?resource=${endpointId}`)).toEqual([
      "endpoint.deleted",
      "endpoint.secret_rotated",
      "endpoint.updated",
      "endpoint.created",
    ]);
    const created = await send("/api/v1/keys", {
      method: "POST",
      token: apiKey,
      body: { name: "ci" },
    });
    const { keyId } = z.object({ keyId: z.string() }).parse(await created.json());
    await send(`/api/v1/keys/${keyId}/rotate`, { method: "POST", token: apiKey, body: {} });
    await send(`/api/v1/keys/${keyId}`, { method: "DELETE", token: apiKey });
    await send(`/api/v1/keys/${keyId}`, { method: "DELETE", token: apiKey });
    expect(await actionsOf(apiKey, `?resource=${keyId}`)).toEqual([
      "key.revoked",
      "key.rotated",
      "key.created",
    ]);
  });

  it("names what operators did to the account", async () => {
    const { accountId, apiKey } = await newAccount();
    const path = `/api/v1/admin/accounts/${accountId}`;
    const set = (status: string) =>
      send(path, { method: "PATCH", token: ADMIN_TOKEN, body: { status } });
    await set("suspended");
    await set("active");
    expect((await actionsOf(apiKey, "?by=operator")).slice(0, 2)).toEqual([
      "account.resumed",
      "account.suspended",
    ]);
  });

  it("has one order over what the object and the database store, page by page", async () => {
    const { apiKey } = await newAccount();
    for (const n of [1, 2, 3]) {
      await newWorkflow(apiKey, []);
      await add(apiKey, `a${n}@example.com`, "viewer");
    }
    const all = (await auditOf(apiKey)).entries;
    const paged: string[] = [];
    let query = "?limit=2";
    for (;;) {
      const { entries, nextCursor } = await auditOf(apiKey, query);
      paged.push(...entries.map(({ entryId }) => entryId));
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(paged).toEqual(all.map(({ entryId }) => entryId));
    expect(paged).toEqual([...paged].sort().reverse());
  });

  it("filters by time", async () => {
    const { apiKey } = await newAccount();
    expect(await actionsOf(apiKey, "?to=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await actionsOf(apiKey, "?from=2020-01-01T00:00:00Z")).not.toEqual([]);
    expect((await send("/api/v1/audit?action=nothing", { token: apiKey })).status).toBe(400);
  });

  it("undoes a change of the account's object whose entry cannot be written", async () => {
    const { accountId, apiKey } = await newAccount();
    const rename = (from: string, to: string) =>
      runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) => {
        storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    const create = () =>
      send("/api/v1/members", {
        method: "POST",
        token: apiKey,
        body: { email: "ada@example.com", role: "admin" },
      });
    await rename("audit", "gone");
    expect((await create()).status).toBeGreaterThanOrEqual(500);
    await rename("gone", "audit");
    expect((await create()).status).toBe(201);
    expect(await actionsOf(apiKey, "?action=member.created")).toHaveLength(1);
  });

  it("keeps no entry of a change that another one forestalled", async () => {
    const { accountId, apiKey } = await newAccount();
    const workflowId = await newWorkflow(apiKey, []);
    const [entry] = (await auditOf(apiKey, `?resource=${workflowId}`)).entries;
    const { results } = await env.DB.prepare("SELECT * FROM workflows WHERE workflow_id = ?")
      .bind(workflowId)
      .all<{ definition: string; created_at: number; updated_at: number }>();
    const [row] = results;
    if (entry === undefined || row === undefined) throw new Error("nothing was stored");
    const before = {
      definition: JSON.parse(row.definition),
      createdAt: row.created_at,
      updatedAt: row.updated_at - 1,
    };
    const after = {
      ...before,
      definition: { ...before.definition, name: "late" },
      updatedAt: row.updated_at + 1,
    };
    const late = { ...entry, entryId: `${entry.entryId}0` };
    expect(await replaceWorkflow(env.DB, accountId, before, after, late)).toMatchObject({
      written: false,
    });
    expect((await auditOf(apiKey, `?resource=${workflowId}`)).entries).toEqual([entry]);
  });
});

describe("members", () => {
  it("are added, changed and removed, and one address is one member", async () => {
    const { apiKey } = await newAccount();
    const { memberId } = await add(apiKey, "Ada@Example.com", "viewer");
    const again = { email: "ada@example.com", role: "admin" };
    await expectProblem(
      await send(MEMBERS, { method: "POST", token: apiKey, body: again }),
      409,
      "conflict",
    );
    const path = `${MEMBERS}/${memberId}`;
    const changed = await send(path, { method: "PATCH", token: apiKey, body: { name: "Ada" } });
    expect(await changed.json()).toMatchObject({ email: "ada@example.com", name: "Ada" });
    expect((await send(path, { method: "DELETE", token: apiKey })).status).toBe(204);
    expect((await send(path, { method: "DELETE", token: apiKey })).status).toBe(404);
    expect(await actionsOf(apiKey, `?resource=${memberId}`)).toEqual([
      "member.deleted",
      "member.updated",
      "member.created",
    ]);
  });

  it("always have an admin once they had one", async () => {
    const { apiKey } = await newAccount();
    const first = await add(apiKey, "first@example.com", "admin");
    const path = `${MEMBERS}/${first.memberId}`;
    const demote = () => send(path, { method: "PATCH", token: apiKey, body: { role: "operator" } });
    await expectProblem(await demote(), 409, "conflict");
    await expectProblem(await send(path, { method: "DELETE", token: apiKey }), 409, "conflict");
    await add(apiKey, "second@example.com", "admin");
    expect((await demote()).status).toBe(200);
  });

  it("need a key that may manage them", async () => {
    const { apiKey } = await newAccount();
    const { apiKey: reader } = await newKey(apiKey, { name: "some", scopes: ["audit:read"] });
    await expectProblem(await send(MEMBERS, { token: reader }), 403, "insufficient_scope");
    expect(await actionsOf(reader)).not.toEqual([]);
  });

  it("act by what their role allows at that moment, until they are removed", async () => {
    const { accountId, apiKey } = await newAccount();
    const { memberId, email } = await add(apiKey, "ann@example.com", "viewer");
    const { apiKey: token } = await newKey(apiKey, { name: "some", scopes: ["credits:read"] });
    // A session has a token of the form of a key, which is stored for the member alone.
    const stub = accountStub(env, accountId);
    await send("/api/v1/account", { token });
    expect(await stub.signIn(email, await sha256Hex(token), "link", "r")).not.toBeNull();
    const who = async () => (await send("/api/v1/account", { token })).json();
    expect(await who()).toMatchObject({ by: { kind: "member", id: memberId, name: email } });
    const start = () =>
      send("/api/v1/workflows", { method: "POST", token, body: { name: "w", prompt: "Look." } });
    await expectProblem(await start(), 403, "insufficient_scope");
    const path = `${MEMBERS}/${memberId}`;
    await send(path, { method: "PATCH", token: apiKey, body: { role: "admin" } });
    expect((await start()).status).toBe(201);
    const [entry] = (await auditOf(apiKey, `?by=${memberId}&action=workflow.created`)).entries;
    expect(entry?.by).toEqual({ kind: "member", id: memberId, name: email });
    expect(await stub.signIn("stranger@example.com", "0", "link", "r")).toBeNull();
  });
});
