import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { auditEntry } from "../../../src/contract/audit.ts";
import { memberRecord } from "../../../src/contract/keys.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { sha256Hex } from "../../../src/lib/encoding.ts";
import { replaceWorkflow } from "../../../src/records/workflows.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  allPages,
  callsOf,
  env,
  expectProblem,
  newAccount,
  newKey,
  textIn,
} from "../../support/worker/client.ts";
import { newEndpoint, newWorkflow } from "../../support/worker/webhooks.ts";

const MEMBERS = "/api/v1/members";
const KEYS = "/api/v1/keys";
const WORKFLOWS = "/api/v1/workflows";

const auditOf = (token: string, query = "", limit = 100) =>
  allPages(token, `/api/v1/audit?limit=${limit}${query}`, "entries", auditEntry);

const actionsOf = async (token: string, query = "") =>
  (await auditOf(token, query)).map(({ action }) => action);

async function add(token: string, email: string, role: string) {
  const response = await callsOf(token).post(MEMBERS, { email, role });
  expect(response.status).toBe(201);
  return memberRecord.parse(await response.json());
}

describe("the audit log", () => {
  it("names who created, changed and deleted a workflow, with the revision", async () => {
    const { accountId, apiKey, patch, remove } = await newAccount();
    const workflowId = await newWorkflow(apiKey, []);
    await patch(`${WORKFLOWS}/${workflowId}`, { name: "renamed" });
    await remove(`${WORKFLOWS}/${workflowId}`);
    const entries = await auditOf(apiKey, `&resource=${workflowId}`);
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["workflow.deleted", {}],
      ["workflow.updated", { revision: 2 }],
      ["workflow.created", {}],
    ]);
    expect(entries[0]).toMatchObject({
      by: { kind: "key" },
      resource: { kind: "workflow", id: workflowId, name: "renamed" },
    });
    const creation = { by: { kind: "operator" }, resource: { id: accountId } };
    expect(await auditOf(apiKey, "&action=account.created")).toMatchObject([creation]);
  });

  it("has the revision after a change of a schedule or a destination", async () => {
    const { apiKey } = await newAccount();
    const { post, patch } = callsOf(apiKey);
    const workflowId = await newWorkflow(apiKey, []);
    const schedule = { workflowId, everySeconds: 3_600 };
    const destination = { name: "a", format: "standard", url: "https://receiver.example/" };
    const made = [
      ["/api/v1/schedules", "scheduleId", schedule],
      ["/api/v1/destinations", "destinationId", destination],
    ] as const;
    for (const [path, id, body] of made) {
      const resourceId = await textIn(await post(path, body), id);
      await patch(`${path}/${resourceId}`, { name: "renamed" });
      const [updated] = await auditOf(apiKey, `&resource=${resourceId}`);
      expect(updated).toMatchObject({ resource: { name: "renamed" }, detail: { revision: 2 } });
    }
  });

  it("names changes and rotated secrets of endpoints and keys, and what operators did", async () => {
    const { accountId, apiKey, endpointId, call, post, remove } = await newEndpoint({
      auth: { token: {} },
    });
    await call("", { method: "PATCH", body: { requestsPerMinute: 7 } });
    await call("/rotate-secret", { method: "POST", body: {} });
    await call("", { method: "DELETE" });
    const changes = ["deleted", "secret_rotated", "updated", "created"];
    expect(await actionsOf(apiKey, `&resource=${endpointId}`)).toEqual(
      changes.map((change) => `endpoint.${change}`),
    );
    const keyId = await textIn(await post(KEYS, { name: "ci" }), "keyId");
    await post(`${KEYS}/${keyId}/rotate`, {});
    await remove(`${KEYS}/${keyId}`);
    await remove(`${KEYS}/${keyId}`);
    expect(await actionsOf(apiKey, `&resource=${keyId}`)).toEqual([
      "key.revoked",
      "key.rotated",
      "key.created",
    ]);
    for (const status of ["suspended", "active"]) {
      await callsOf(ADMIN_TOKEN).patch(`/api/v1/admin/accounts/${accountId}`, { status });
    }
    expect((await actionsOf(apiKey, "&by=operator")).slice(0, 2)).toEqual([
      "account.resumed",
      "account.suspended",
    ]);
  });

  it("orders entries of the object and the database, page by page, and filters by time", async () => {
    const { apiKey } = await newAccount();
    for (const n of [1, 2, 3]) {
      await newWorkflow(apiKey, []);
      await add(apiKey, `a${n}@example.com`, "viewer");
    }
    const paged = (await auditOf(apiKey, "", 2)).map(({ entryId }) => entryId);
    expect(paged).toEqual((await auditOf(apiKey)).map(({ entryId }) => entryId));
    expect(paged).toEqual(paged.toSorted().reverse());
    expect(await auditOf(apiKey, "&to=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await auditOf(apiKey, "&from=2020-01-01T00:00:00Z")).toHaveLength(paged.length);
  });

  it("rolls back a change of the account's object if its entry cannot be written", async () => {
    const { accountId, apiKey } = await newAccount();
    const rename = (from: string, to: string) =>
      runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) => {
        storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    const body = { email: "ada@example.com", role: "admin" };
    await rename("audit", "gone");
    expect((await callsOf(apiKey).post(MEMBERS, body)).status).toBeGreaterThanOrEqual(500);
    await rename("gone", "audit");
    await add(apiKey, body.email, body.role);
    expect(await actionsOf(apiKey, "&action=member.created")).toHaveLength(1);
  });

  it("has no entry for a change that lost a race", async () => {
    const { accountId, apiKey } = await newAccount();
    const workflowId = await newWorkflow(apiKey, []);
    const [entry] = await auditOf(apiKey, `&resource=${workflowId}`);
    const row = await env.DB.prepare("SELECT * FROM workflows WHERE workflow_id = ?")
      .bind(workflowId)
      .first<{ definition: string; created_at: number; updated_at: number }>();
    if (entry === undefined || row === null) throw new Error("nothing was stored");
    const definition = JSON.parse(row.definition);
    const { created_at: createdAt, updated_at: now } = row;
    const before = { definition, createdAt, updatedAt: now - 1 };
    const after = { ...before, definition: { ...definition, name: "late" }, updatedAt: now + 1 };
    const late = { ...entry, entryId: `${entry.entryId}0` };
    const reply = await replaceWorkflow(env.DB, accountId, before, after, late);
    expect(reply).toMatchObject({ written: false });
    expect(await auditOf(apiKey, `&resource=${workflowId}`)).toEqual([entry]);
  });
});

describe("members", () => {
  it("are added, changed and removed, one for each address", async () => {
    const { apiKey, post, patch, remove } = await newAccount();
    const { memberId } = await add(apiKey, "Ada@Example.com", "viewer");
    const again = await post(MEMBERS, { email: "ada@example.com", role: "admin" });
    await expectProblem(again, 409, "conflict");
    const path = `${MEMBERS}/${memberId}`;
    await expectProblem(await patch(path, {}), 400, "invalid_request");
    const changed = await patch(path, { name: "Ada" });
    expect(await changed.json()).toMatchObject({ email: "ada@example.com", name: "Ada" });
    expect([(await remove(path)).status, (await remove(path)).status]).toEqual([204, 404]);
    expect(await actionsOf(apiKey, `&resource=${memberId}`)).toEqual([
      "member.deleted",
      "member.updated",
      "member.created",
    ]);
  });

  it("always keep one admin", async () => {
    const { apiKey, patch, remove } = await newAccount();
    const path = `${MEMBERS}/${(await add(apiKey, "first@example.com", "admin")).memberId}`;
    const demote = () => patch(path, { role: "operator" });
    await expectProblem(await demote(), 409, "conflict");
    await expectProblem(await remove(path), 409, "conflict");
    await add(apiKey, "second@example.com", "admin");
    expect((await demote()).status).toBe(200);
  });

  it("have the permissions of their current role, until they are removed", async () => {
    const { accountId, apiKey } = await newAccount();
    const { memberId, email } = await add(apiKey, "ann@example.com", "viewer");
    const { apiKey: token } = await newKey(apiKey, { name: "some", scopes: ["credits:read"] });
    const { get, post } = callsOf(token);
    // A session has a token of the form of a key, which is stored for the member alone.
    const stub = accountStub(env, accountId);
    await get("/api/v1/account");
    expect(await stub.signIn(email, await sha256Hex(token), "link", "r")).not.toBeNull();
    const by = { kind: "member", id: memberId, name: email };
    expect(await (await get("/api/v1/account")).json()).toMatchObject({ by });
    const create = () => post(WORKFLOWS, { name: "w", prompt: "Look." });
    const { detail } = await expectProblem(await create(), 403, "insufficient_scope");
    expect(detail).toContain("Your role lacks the scope workflows:write.");
    await callsOf(apiKey).patch(`${MEMBERS}/${memberId}`, { role: "admin" });
    expect((await create()).status).toBe(201);
    const entries = await auditOf(apiKey, `&by=${memberId}&action=workflow.created`);
    expect(entries.map((entry) => entry.by)).toEqual([by]);
    expect(await stub.signIn("stranger@example.com", "0", "link", "r")).toBeNull();
  });

  it("sign out of an account that was erased meanwhile", async () => {
    const erased = accountStub(env, "acc_AAAAAAAAAAAA");
    expect(await erased.signOut(await sha256Hex("the token of a session"))).toBeUndefined();
  });
});
