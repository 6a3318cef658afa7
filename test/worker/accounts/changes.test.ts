import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { ChangesReply } from "../../../src/contract/account.ts";
import { draftOf, env, openAccount, type TestAccount } from "../../support/worker/objects.ts";

/** Asks as a page of the dashboard does. */
async function changes(
  { api, credential }: TestAccount,
  seen: string | null = null,
  waitMs = 0,
): Promise<Extract<ChangesReply, { kind: "changes" }>> {
  const page = { ...credential, scope: null, isPageRead: true };
  const reply = await api.changes(page, seen, waitMs);
  if (reply.kind !== "changes") throw new Error(reply.kind);
  return reply;
}

const stored = ({ accountId }: TestAccount, query: string) =>
  runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) =>
    storage.sql.exec(query).toArray(),
  );

it("an account that is only read keeps its mark, even when it stores its rates", async () => {
  const account = await openAccount();
  const { mark } = await changes(account);
  expect((await account.api.credits(account.credential)).kind).toBe("credits");
  await expect.poll(() => stored(account, "SELECT * FROM rate")).toHaveLength(1);
  expect((await changes(account, mark)).mark).toBe(mark);
  expect(await account.api.listKeys()).toHaveLength(1);
  expect((await changes(account, mark)).mark).toBe(mark);
});

it.each<[string, (account: TestAccount) => Promise<unknown>]>([
  ["an execution", ({ api, credential }) => api.accept(credential, draftOf(), null)],
  ["a key", ({ api }) => api.createKey({ ...KEY, scopes: ["credits:read"] })],
  ["credits", ({ api }) => api.grant("more", 5, "more")],
  ["a change of what D1 stores", ({ api }) => api.noteChange()],
])("%s ends the wait for a change", async (_, change) => {
  const account = await openAccount();
  const { mark } = await changes(account);
  const news = changes(account, mark, 50_000);
  await change(account);
  expect((await news).mark).not.toBe(mark);
});

const KEY = { keyId: "key_2", keyHash: "h", last4: "wxyz", name: "second", expiresAt: null };

it("a dashboard page has its own count, and stores none", async () => {
  const account = await openAccount({ requestsPerMinute: 1 });
  for (let n = 0; n < 3; n += 1) {
    const { rate } = await changes(account);
    expect(rate).toMatchObject({ rateClass: "dashboard", remaining: 600 - n - 1 });
  }
  expect((await account.api.credits(account.credential)).kind).toBe("credits");
  const counted = () => stored(account, "SELECT rate_class, count FROM rate");
  await expect.poll(counted).toEqual([{ rate_class: "agent", count: 1 }]);
});

it("counts executions that wait for input, for keys that may read them", async () => {
  const account = await openAccount();
  await account.api.createKey({ ...KEY, scopes: ["credits:read"] });
  const draft = draftOf({ model: "openai/asks", interactive: true });
  expect((await account.api.accept(account.credential, draft, null)).kind).toBe("accepted");
  await expect.poll(async () => (await changes(account)).waiting).toBe(1);
  const other = { ...account.credential, keyHash: KEY.keyHash };
  expect((await changes({ ...account, api: account.api, credential: other })).waiting).toBe(0);
});
