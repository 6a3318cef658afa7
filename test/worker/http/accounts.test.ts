import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apiKeyCreated, apiKeyRecord, SCOPES } from "../../../src/contract/keys.ts";
import { accountCreated, accountRecord } from "../../../src/contract/operators.ts";
import { placeOf } from "../../../src/lib/place.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  allPages,
  callsOf,
  env,
  expectProblem,
  faultsOf,
  newAccount,
  newKey,
} from "../../support/worker/client.ts";
import { newEndpoint } from "../../support/worker/endpoints.ts";

const ACCOUNTS = "/api/v1/admin/accounts";
const KEYS = "/api/v1/keys";
const operator = callsOf(ADMIN_TOKEN);

const opened = async (body: object) => {
  const response = await operator.post(ACCOUNTS, { name: "Acme", credits: 7, ...body });
  expect(response.status).toBe(201);
  return accountCreated.parse(await response.json());
};

describe("keys", () => {
  it("are shown once, and listed without themselves, page by page", async () => {
    const { apiKey } = await newAccount();
    const body = { name: "reader", scopes: ["executions:read", "executions:read"] };
    const response = await callsOf(apiKey).post(KEYS, body);
    expect(response.status).toBe(201);
    const made = z.strictObject(apiKeyCreated.shape).parse(await response.json());
    expect(made).toMatchObject({ name: "reader", scopes: ["executions:read"] });
    expect(made.apiKey).toMatch(/^ph_live_[0-9A-Za-z]{50}$/);
    expect(made.apiKey.endsWith(made.last4)).toBe(true);
    expect((await callsOf(made.apiKey).get(`${AGENT}/trigger/list`)).status).toBe(200);
    for (const name of ["a", "b", "c"]) await newKey(apiKey, { name });
    const record = z.strictObject(apiKeyRecord.shape);
    const keys = await allPages(apiKey, `${KEYS}?limit=2`, "keys", record);
    const names = keys.map(({ name }) => name).sort();
    expect(names).toEqual(["a", "b", "c", "first key", "reader"]);
  });

  it("cannot be created with an expiry in the past", async () => {
    const { post } = await newAccount();
    const response = await post(KEYS, { name: "late", expiresAt: "2020-01-01T00:00:00Z" });
    expect(await faultsOf(response)).toEqual(["expiresAt"]);
  });
});

describe("operators", () => {
  it("create an account that works at once, and change its limit", async () => {
    const account = await opened({});
    expect(account).toMatchObject({ availableCredits: 7, requestsPerMinute: 60 });
    const { get } = callsOf(account.apiKey);
    const credits = await get(`${AGENT}/credits`);
    expect(await credits.json()).toMatchObject({ availableCredits: 7, reservedCredits: 0 });
    expect(credits.headers.get("RateLimit-Policy")).toBe('"default";q=60;w=60');
    const path = `${ACCOUNTS}/${account.accountId}`;
    const changed = await operator.patch(path, { requestsPerMinute: 5 });
    expect(await changed.json()).toMatchObject({ requestsPerMinute: 5, name: "Acme" });
    const { headers } = await get(`${AGENT}/credits`);
    expect(headers.get("RateLimit-Policy")).toBe('"default";q=5;w=60');
  });

  it("place an account, with its executions and endpoints, near a region", async () => {
    const { apiKey, accountId } = await opened({ region: "apac" });
    const near = { kind: "region", name: "apac" };
    expect(placeOf(accountId)).toEqual(near);
    const { endpointId } = await newEndpoint(apiKey, { name: "near" });
    expect(placeOf(endpointId)).toEqual(near);
    const { post } = callsOf(apiKey);
    expect((await post(`/hooks/${endpointId}`, {})).status).toBe(202);
    expect((await post(`${AGENT}/trigger`, { prompt: "Do it." })).status).toBe(202);
  });

  it("cannot place one in an unsupported jurisdiction, or in two places", async () => {
    const inEurope = { name: "Acme", credits: 7, jurisdiction: "eu" };
    for (const body of [inEurope, { ...inEurope, region: "weur" }]) {
      await expectProblem(await operator.post(ACCOUNTS, body), 400, "invalid_request");
    }
  });

  it("create a key for an account without keys", async () => {
    const { accountId, apiKey, keyId } = await newAccount();
    expect((await callsOf(apiKey).remove(`${KEYS}/${keyId}`)).status).toBe(204);
    const response = await operator.post(`${ACCOUNTS}/${accountId}/keys`, { name: "again" });
    expect(response.status).toBe(201);
    const made = apiKeyCreated.parse(await response.json());
    expect(made.scopes).toEqual(SCOPES);
    expect((await callsOf(made.apiKey).get(KEYS)).status).toBe(200);
  });

  it("list all accounts with their current figures, each once", async () => {
    // Those of other files have ended, and would fill many pages.
    await env.DB.prepare("DELETE FROM accounts").run();
    const made = [await newAccount(), await newAccount(), await newAccount({ credits: 3 })];
    const record = z.strictObject(accountRecord.shape);
    const found = await allPages(ADMIN_TOKEN, `${ACCOUNTS}?limit=2`, "accounts", record);
    expect(found.map(({ accountId }) => accountId).toSorted()).toEqual(
      made.map(({ accountId }) => accountId).toSorted(),
    );
    expect(found.find((each) => each.accountId === made[2]?.accountId)?.availableCredits).toBe(3);
  });

  it.each(["acc_000000000000", "acc_x", "%2e%2e"])("find no account %s", async (id) => {
    const path = `${ACCOUNTS}/${id}/credits`;
    const granted = await operator.post(path, { amount: 1, note: "x" });
    await expectProblem(granted, 404, "not_found");
  });
});

describe("granting credits", () => {
  const invoice = { amount: 41, note: "Invoice 7" };
  const key = { "Idempotency-Key": "invoice-7" };
  const grant = (accountId: string, body: object = invoice, headers = {}) =>
    operator.post(`${ACCOUNTS}/${accountId}/credits`, body, headers);
  const available = async (response: Response) =>
    accountRecord.parse(await response.json()).availableCredits;

  it("adds them with each call without an idempotency key", async () => {
    const { accountId } = await newAccount({ credits: 1 });
    await grant(accountId);
    const second = await grant(accountId);
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await available(second)).toBe(83);
  });

  it("adds them once for the same key and body, and refuses the key with another body", async () => {
    const { accountId } = await newAccount({ credits: 1 });
    const all = await Promise.all([1, 2, 3].map(() => grant(accountId, invoice, key)));
    expect(await Promise.all(all.map(available))).toEqual([42, 42, 42]);
    const replayed = all.map(({ headers }) => headers.get("Idempotency-Replayed"));
    expect(replayed.toSorted()).toEqual([null, "true", "true"]);
    for (const other of [{ amount: 42 }, { note: "Invoice 8" }]) {
      const response = await grant(accountId, { ...invoice, ...other }, key);
      await expectProblem(response, 422, "idempotency_key_reused");
    }
    const spaced = await grant(accountId, invoice, { "Idempotency-Key": "with space" });
    await expectProblem(spaced, 400, "invalid_request");
    expect(await available(await grant(accountId, { amount: 1, note: "one" }))).toBe(43);
    const { accountId: other } = await newAccount({ credits: 0 });
    expect(await available(await grant(other, invoice, key))).toBe(41);
  });
});
