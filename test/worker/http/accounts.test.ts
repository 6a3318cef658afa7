import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apiKeyCreated, apiKeyRecord, MAX_KEYS, SCOPES } from "../../../src/contract/keys.ts";
import { accountRecord } from "../../../src/contract/operators.ts";
import { placeOf } from "../../../src/lib/place.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  newKey,
  send,
} from "../../support/worker/client.ts";
import { newEndpoint } from "../../support/worker/endpoints.ts";

const ACCOUNTS = "/api/v1/admin/accounts";
const admin = (method: string, path: string, body?: unknown) =>
  send(path, { method, token: ADMIN_TOKEN, body });

const keyPage = z.strictObject({
  keys: z.array(z.strictObject(apiKeyRecord.shape)),
  nextCursor: z.string().nullable(),
});
const accountPage = z.strictObject({
  accounts: z.array(z.strictObject(accountRecord.shape)),
  nextCursor: z.string().nullable(),
});

describe("keys", () => {
  const list = async (token: string, query = "") =>
    keyPage.parse(await (await send(`/api/v1/keys${query}`, { token })).json());

  it("are shown once, and listed without themselves", async () => {
    const { apiKey } = await newAccount();
    const response = await send("/api/v1/keys", {
      method: "POST",
      token: apiKey,
      body: { name: "reader", scopes: ["executions:read", "executions:read"] },
    });
    expect(response.status).toBe(201);
    const made = z.strictObject(apiKeyCreated.shape).parse(await response.json());
    expect(made).toMatchObject({ name: "reader", scopes: ["executions:read"] });
    expect(made.apiKey).toMatch(/^ph_live_[0-9A-Za-z]{50}$/);
    expect(made.apiKey.endsWith(made.last4)).toBe(true);
    expect((await send(`${AGENT}/trigger/list`, { token: made.apiKey })).status).toBe(200);
    expect((await list(apiKey)).keys.map(({ name }) => name)).toContain("reader");
  });

  it("are listed page by page, each once", async () => {
    const { apiKey } = await newAccount();
    for (const name of ["a", "b", "c", "d"]) await newKey(apiKey, { name });
    const names: string[] = [];
    let query = "?limit=2";
    for (;;) {
      const { keys, nextCursor } = await list(apiKey, query);
      names.push(...keys.map(({ name }) => name));
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(names.sort()).toEqual(["a", "b", "c", "d", "first key"]);
  });

  it("are not made with an end in the past", async () => {
    const { apiKey } = await newAccount();
    const body = { name: "late", expiresAt: "2020-01-01T00:00:00Z" };
    const response = await send("/api/v1/keys", { method: "POST", token: apiKey, body });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("expiresAt");
  });

  it("are refused with 409 when as many work as may", async () => {
    const { accountId, apiKey } = await newAccount();
    const { keyId } = await newKey(apiKey, { name: "old" });
    await runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE each(n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM each WHERE n < ?)
         INSERT INTO keys (key_id, key_hash, last4, name, scopes, created_at)
         SELECT n, n, 'wxyz', 'bulk', '[]', n FROM each`,
        MAX_KEYS,
      );
    });
    await evictDurableObject(env.ACCOUNT.getByName(accountId));
    for (const [path, body] of [
      ["/api/v1/keys", { name: "more" }],
      [`/api/v1/keys/${keyId}/rotate`, {}],
    ] as const) {
      const response = await send(path, { method: "POST", token: apiKey, body });
      const problem = await expectProblem(response, 409, "conflict");
      expect(problem.detail).toContain("1,000 active keys");
    }
  });
});

describe("operators", () => {
  it("open an account that can be used at once", async () => {
    const response = await admin("POST", ACCOUNTS, { name: "Acme", credits: 7 });
    expect(response.status).toBe(201);
    const account = z
      .object({ apiKey: z.string(), availableCredits: z.int(), requestsPerMinute: z.int() })
      .parse(await response.json());
    expect(account).toMatchObject({ availableCredits: 7, requestsPerMinute: 60 });
    const credits = await send(`${AGENT}/credits`, { token: account.apiKey });
    expect(await credits.json()).toMatchObject({ availableCredits: 7, reservedCredits: 0 });
    expect(credits.headers.get("RateLimit-Policy")).toBe('"default";q=60;w=60');
  });

  it("place an account, with its executions and endpoints, near a region", async () => {
    const placed = { name: "Acme", credits: 7, region: "apac" };
    const { apiKey, accountId } = z
      .object({ apiKey: z.string(), accountId: z.string() })
      .parse(await (await admin("POST", ACCOUNTS, placed)).json());
    const near = { kind: "region", name: "apac" };
    expect(placeOf(accountId)).toEqual(near);
    const { endpointId } = await newEndpoint(apiKey, { name: "near" });
    expect(placeOf(endpointId)).toEqual(near);
    expect((await send(`/hooks/${endpointId}`, { method: "POST", body: {} })).status).toBe(202);
    const { status } = await send(`${AGENT}/trigger`, {
      method: "POST",
      token: apiKey,
      body: { prompt: "Do it." },
    });
    expect(status).toBe(202);
  });

  it("cannot place one in a jurisdiction where the runtime has none, nor in two places", async () => {
    const inEurope = { name: "Acme", credits: 7, jurisdiction: "eu" };
    await expectProblem(await admin("POST", ACCOUNTS, inEurope), 400, "invalid_request");
    const both = { ...inEurope, region: "weur" };
    await expectProblem(await admin("POST", ACCOUNTS, both), 400, "invalid_request");
  });

  it("make a key for an account that has lost its last one", async () => {
    const { accountId, apiKey, keyId } = await newAccount();
    expect((await send(`/api/v1/keys/${keyId}`, { method: "DELETE", token: apiKey })).status).toBe(
      204,
    );
    const response = await admin("POST", `${ACCOUNTS}/${accountId}/keys`, { name: "again" });
    expect(response.status).toBe(201);
    const made = apiKeyCreated.parse(await response.json());
    expect(made.scopes).toEqual(SCOPES);
    const { status } = await send("/api/v1/keys", { token: made.apiKey });
    expect(status).toBe(200);
  });

  it("grant credits and change the limit, which holds from then on", async () => {
    const { accountId, apiKey } = await newAccount({ credits: 1 });
    const granted = await admin("POST", `${ACCOUNTS}/${accountId}/credits`, {
      amount: 41,
      note: "Invoice 7",
    });
    expect(await granted.json()).toMatchObject({ accountId, availableCredits: 42 });
    const changed = await admin("PATCH", `${ACCOUNTS}/${accountId}`, { requestsPerMinute: 5 });
    expect(await changed.json()).toMatchObject({ requestsPerMinute: 5, name: "test" });
    const { headers } = await send(`${AGENT}/credits`, { token: apiKey });
    expect(headers.get("RateLimit-Policy")).toBe('"default";q=5;w=60');
  });

  it("list all accounts with what they have now, each once", async () => {
    // Those of other files have ended, and would fill many pages.
    await env.DB.prepare("DELETE FROM accounts").run();
    const made = [await newAccount(), await newAccount(), await newAccount({ credits: 3 })];
    const found: z.infer<typeof accountRecord>[] = [];
    let query = "?limit=2";
    for (;;) {
      const response = await admin("GET", ACCOUNTS + query);
      const { accounts, nextCursor } = accountPage.parse(await response.json());
      found.push(...accounts);
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    const ids = found.map(({ accountId }) => accountId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { accountId } of made) expect(ids).toContain(accountId);
    expect(found.find((each) => each.accountId === made[2]?.accountId)?.availableCredits).toBe(3);
  });

  it("find no account that is not there", async () => {
    for (const id of ["acc_000000000000", "acc_x", "%2e%2e"]) {
      const path = `${ACCOUNTS}/${id}`;
      await expectProblem(await admin("PATCH", path, { name: "x" }), 404, "not_found");
      const grant = await admin("POST", `${path}/credits`, { amount: 1, note: "x" });
      await expectProblem(grant, 404, "not_found");
      const key = await admin("POST", `${path}/keys`, { name: "x" });
      await expectProblem(key, 404, "not_found");
    }
  });
});
