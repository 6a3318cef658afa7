import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import { env, newAccount, send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { newWorkflow } from "../../support/worker/webhooks.ts";

const WORKFLOWS = "/dashboard/workflows";

describe("a dashboard that has used up its reads", () => {
  let apiKey: string;
  let me: Awaited<ReturnType<typeof signedIn>>;
  let page: string;

  beforeAll(async () => {
    const account = await newAccount();
    ({ apiKey } = account);
    me = await signedIn(apiKey);
    page = await me.read(WORKFLOWS);
    const object = env.ACCOUNT.getByName(account.accountId);
    await runInDurableObject(object, async (own, { storage }) => {
      if (!(own instanceof Account)) throw new Error("this is no account");
      const query = "SELECT key_hash AS keyHash FROM keys";
      const { keyHash } = storage.sql.exec<{ keyHash: string }>(query).one();
      const reads = { keyHash, scope: null, rateClass: "management", isPageRead: true } as const;
      for (let n = 0; n < 600; n += 1) await own.changes(reads, null, 0);
    });
  });

  it("is refused, with the time to wait", async () => {
    const refused = await me.get(WORKFLOWS);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('<nav aria-label="Sections">');
  });

  it("has streams that pause without breaking", async () => {
    const stream = await me.follow(page);
    await stream.next("paused");
    await stream.close();
  });

  it("does not use up the limits of the account's programs", async () => {
    for (const path of ["/api/v1/workflows", "/api/v1/agent/credits"]) {
      const response = await send(path, { token: apiKey });
      expect(response.status).toBe(200);
      const [, left = 0] = /;r=(\d+)/.exec(response.headers.get("RateLimit") ?? "") ?? [];
      expect(Number(left)).toBeGreaterThan(590);
    }
  });
});

it("programs that use up their limit do not affect the pages", async () => {
  const { apiKey } = await newAccount({ requestsPerMinute: 1 });
  const me = await signedIn(apiKey);
  const ask = async () => (await send("/api/v1/agent/credits", { token: apiKey })).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
  expect((await me.get("/dashboard/keys")).status).toBe(200);
});

it("a list receives changes in D1 by any writer", async () => {
  const { apiKey } = await newAccount();
  const me = await signedIn(apiKey);
  const stream = await me.follow(await me.read(WORKFLOWS));
  await stream.next("waiting");
  const workflowId = await newWorkflow(apiKey, []);
  await stream.next("changed");
  await send(`/api/v1/workflows/${workflowId}`, { method: "DELETE", token: apiKey });
  await stream.next("changed");
  await stream.close();
});
