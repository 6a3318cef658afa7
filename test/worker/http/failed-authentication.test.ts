import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { AGENT, expectProblem, newAccount, newKey, send } from "../../support/worker/client.ts";
import { browse } from "../../support/worker/dashboard.ts";

/** The location counts by the minute of the clock, which may change on the way once. */
const MOST = 2 * 30 + 1;

let apiKey: string;
let revoked: string;

beforeAll(async () => {
  ({ apiKey } = await newAccount());
  const key = await newKey(apiKey, { name: "revoked" });
  revoked = key.apiKey;
  await send(`/api/v1/keys/${key.keyId}`, { method: "DELETE", token: apiKey });
});

const madeUp = () => apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");
const from = (ip: string) => ({ "CF-Connecting-IP": ip });
const credits = (ip: string, token: string) =>
  send(`${AGENT}/credits`, { token, headers: from(ip) });

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

describe("failures of one address are limited", () => {
  it.each([
    ["without a key", "192.0.2.1", () => send(`${AGENT}/credits`, { headers: from("192.0.2.1") })],
    ["with a made-up key", "192.0.2.2", () => credits("192.0.2.2", madeUp())],
    ["with a revoked key", "192.0.2.3", () => credits("192.0.2.3", revoked)],
    [
      "at the operators' door",
      "192.0.2.4",
      () => send("/api/v1/admin/accounts", { token: "guess", headers: from("192.0.2.4") }),
    ],
    [
      "at the MCP server",
      "192.0.2.5",
      () => send("/mcp", { method: "POST", token: madeUp(), headers: from("192.0.2.5") }),
    ],
  ])("%s", async (_, ip, fail) => {
    const { statuses, limited } = await untilLimited(fail);
    expect(statuses.length).toBeGreaterThanOrEqual(30);
    expect(new Set(statuses)).toEqual(new Set([401]));
    const { detail } = await expectProblem(limited, 429, "rate_limited");
    expect(detail).toContain("failed");
    expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await credits(ip, apiKey)).status).toBe(200);
    expect((await credits("192.0.2.99", madeUp())).status).toBe(401);
  });

  it("at the dashboard's sign-in, which says so on its page", async () => {
    const signIn = (key: string) =>
      browse("/dashboard/sign-in", { form: { apiKey: key }, headers: from("192.0.2.6") });
    const { limited } = await untilLimited(() => signIn(madeUp()));
    expect(await limited.text()).toContain("Too many failed sign-ins");
    expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await signIn(apiKey)).status).toBe(303);
  });

  it("where no route is", async () => {
    const { statuses } = await untilLimited(() =>
      send(`${AGENT}/nothing`, { token: madeUp(), headers: from("192.0.2.7") }),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
  });
});

it("an operator's token passes from an address that failed too often", async () => {
  const accounts = (token: string) =>
    send("/api/v1/admin/accounts", { token, headers: from("192.0.2.8") });
  await untilLimited(() => accounts("guess"));
  expect((await accounts(ADMIN_TOKEN)).status).toBe(200);
});
