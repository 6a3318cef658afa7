import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type * as z from "zod";
import { type BackupPage, backupPlan, copiedPage } from "../../../src/contract/backup.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { callsOf, env, expectProblem, newAccount } from "../../support/worker/client.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const MEGABYTE = 1_000_000;

const operator = callsOf(ADMIN_TOKEN);
const at = (accountId: string, path = "") => `/api/v1/admin/accounts/${accountId}${path}`;
const statusOf = async (accountId: string) => (await operator.get(at(accountId))).status;

const pageAt = (accountId: string, query: Record<string, string>) =>
  operator.get(at(accountId, `/backup/page?${new URLSearchParams(query)}`));

/** All pages of an account, with the parts in their order. */
async function backup(accountId: string) {
  const plan = await operator.get(at(accountId, "/backup"));
  const { parts, keys } = backupPlan.parse(await plan.json());
  const pages: BackupPage[] = [];
  for (const part of parts) {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = cursor === "" ? { part } : { part, cursor };
      const response: Response = await pageAt(accountId, query);
      const copied: z.output<typeof copiedPage> = copiedPage.parse(await response.json());
      pages.push(copied.page);
      cursor = copied.nextCursor;
    }
  }
  return { parts, keys, pages, backupId: crypto.randomUUID() };
}

type Backup = Awaited<ReturnType<typeof backup>>;

const store = (accountId: string, { backupId, keys }: Backup, page: BackupPage | undefined) =>
  operator.post(at(accountId, "/restore"), { backupId, keys, page });

async function open(accountId: string, { parts }: Backup): Promise<void> {
  for (const kind of ["host", "inbox", "account"]) {
    for (const part of parts.filter((each) => each.split("/")[0] === kind)) {
      expect((await operator.post(at(accountId, "/restore/open"), { part })).status).toBe(200);
    }
  }
}

async function erase(accountId: string): Promise<void> {
  await operator.remove(at(accountId));
  await expect.poll(() => statusOf(accountId), { timeout: 20_000 }).toBe(404);
}

const inboxOf = (endpointId: string) => env.INBOX.getByName(endpointId);

it("copies a part of several pages again after a change, so that it is consistent", async () => {
  const { accountId, endpointId, take } = await newEndpoint({}, []);
  await take({ id: 1 });
  await runInDurableObject(inboxOf(endpointId), (_, { storage }) => {
    for (let id = 1_000; id < 1_009; id += 1) {
      const bytes = new Uint8Array(MEGABYTE);
      storage.sql.exec("INSERT INTO chunks (chunk_id, bytes) VALUES (?, ?)", id, bytes.buffer);
    }
  });
  const part = `inbox/${endpointId}`;
  const first = copiedPage.parse(await (await pageAt(accountId, { part })).json());
  const cursor = first.nextCursor ?? "";
  expect((await pageAt(accountId, { part, cursor })).status).toBe(200);
  await take({ id: 2 });
  await expectProblem(await pageAt(accountId, { part, cursor }), 409, "conflict");
});

it("numbers the requests of a restored endpoint after all earlier ones, even deleted ones", async () => {
  const { accountId, endpointId, take, apiKey } = await newEndpoint({}, []);
  await take({ id: 1 });
  await take({ id: 2 });
  const numbers = () =>
    runInDurableObject(inboxOf(endpointId), (_, { storage }) =>
      storage.sql.exec("SELECT seq FROM requests").toArray(),
    );
  await runInDurableObject(inboxOf(endpointId), (_, { storage }) => {
    storage.sql.exec("DELETE FROM requests; DELETE FROM work");
  });
  const copy = await backup(accountId);
  await erase(accountId);
  // Pages of an earlier, abandoned restore do not remain.
  const other = { ...copy, backupId: crypto.randomUUID() };
  for (const page of copy.pages.slice(0, 2)) {
    expect((await store(accountId, other, page)).status).toBe(200);
  }
  for (const page of copy.pages) expect((await store(accountId, copy, page)).status).toBe(200);
  expect(await statusOf(accountId)).toBe(404);
  await open(accountId, copy);
  expect((await callsOf(apiKey).get("/api/v1/keys")).status).toBe(200);
  await expectProblem(await store(accountId, copy, copy.pages[0]), 409, "conflict");
  await take({ id: 3 });
  expect(await numbers()).toEqual([{ seq: 3 }]);
});

it("refuses an invalid backup with the reason", async () => {
  const { accountId } = await newAccount();
  const copy = await backup(accountId);
  await erase(accountId);
  const [account] = copy.pages;
  if (account === undefined) throw new Error("there is no page");
  const detailOf = async (response: Response) => `${response.status} ${await response.text()}`;

  const keys = ["0badf00d"];
  expect(await detailOf(await store(accountId, { ...copy, keys }, account))).toMatch(
    /^409 .*lacks the keys 0badf00d/,
  );
  const newer = { ...account, schema: 99 };
  expect(await detailOf(await store(accountId, copy, newer))).toMatch(/^409 .*newer version/);
  const grants = { table: "grants", columns: ["grant_id"], rows: [["first"]] };
  const unfit = { ...account, tables: [grants] };
  expect(await detailOf(await store(accountId, copy, unfit))).toMatch(/^400 .*rows of this part/);
  const rows = (table: string, owner: string) => ({
    part: "records",
    schema: 0,
    tables: [{ table, columns: ["account_id", "created_at"], rows: [[owner, 1]] }],
  });
  const foreign = rows("DB.accounts", "acc_somebody0else");
  expect(await detailOf(await store(accountId, copy, foreign))).toMatch(/^400 .*only/);
  const elsewhere = rows("RECORDS_7.accounts", accountId);
  expect(await detailOf(await store(accountId, copy, elsewhere))).toMatch(/^400 .*RECORDS_7/);
});
