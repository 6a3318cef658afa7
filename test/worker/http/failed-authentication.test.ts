import { expect, it } from "vitest";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  callsOf,
  expectProblem,
  newAccount,
  newKey,
  send,
} from "../../support/worker/client.ts";
import { browse } from "../../support/worker/dashboard.ts";

/** The location counts by the minute of the clock, which may change on the way once. */
const MOST = 2 * 30 + 1;

const { apiKey } = await newAccount();
const revoked = await newKey(apiKey, { name: "revoked" });
await callsOf(apiKey).remove(`/api/v1/keys/${revoked.keyId}`);
const madeUp = apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");

const CREDITS = `${AGENT}/credits`;
const ACCOUNTS = "/api/v1/admin/accounts";
const from = (ip: string) => ({ "CF-Connecting-IP": ip });
const get = (path: string, ip: string, token?: string) =>
  send(path, { ...(token !== undefined && { token }), headers: from(ip) });

/** Fails until the address is limited. Returns the statuses before, and the response that says so. */
async function untilLimited(fail: () => Promise<Response>) {
  const statuses: number[] = [];
  for (let n = 0; n < MOST; n += 1) {
    const response = await fail();
    if (response.status === 429) return { statuses, limited: response };
    await response.body?.cancel();
    statuses.push(response.status);
  }
  throw new Error(`not limited after ${statuses}`);
}

it.each<[string, string, () => Promise<Response>, number]>([
  ["without a key", "192.0.2.1", () => get(CREDITS, "192.0.2.1"), 401],
  ["with a made-up key", "192.0.2.2", () => get(CREDITS, "192.0.2.2", madeUp), 401],
  ["with a revoked key", "192.0.2.3", () => get(CREDITS, "192.0.2.3", revoked.apiKey), 401],
  ["at the operators' door", "192.0.2.4", () => get(ACCOUNTS, "192.0.2.4", "guess"), 401],
  [
    "at the MCP server",
    "192.0.2.5",
    () => send("/mcp", { method: "POST", token: madeUp, headers: from("192.0.2.5") }),
    401,
  ],
  ["where no route is", "192.0.2.7", () => get(`${AGENT}/nothing`, "192.0.2.7", madeUp), 404],
])("failures of one address are limited %s", async (_, ip, fail, status) => {
  const { statuses, limited } = await untilLimited(fail);
  expect(statuses.length).toBeGreaterThanOrEqual(30);
  expect(new Set(statuses)).toEqual(new Set([status]));
  const { detail } = await expectProblem(limited, 429, "rate_limited");
  expect(detail).toContain("failed");
  expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await get(CREDITS, ip, apiKey)).status).toBe(200);
  expect((await get(ACCOUNTS, ip, ADMIN_TOKEN)).status).toBe(200);
  expect((await get(CREDITS, "192.0.2.99", madeUp)).status).toBe(401);
});

it("failed sign-ins to the dashboard are limited for each address, with a notice", async () => {
  const signIn = (key: string) =>
    browse("/dashboard/sign-in", { form: { apiKey: key }, headers: from("192.0.2.6") });
  const { limited } = await untilLimited(() => signIn(madeUp));
  expect(await limited.text()).toContain("Too many failed sign-ins");
  expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await signIn(apiKey)).status).toBe(303);
});
