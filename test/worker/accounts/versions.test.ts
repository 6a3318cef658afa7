import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import { SCOPES } from "../../../src/contract/keys.ts";
import { newAccount, send } from "../../support/worker/client.ts";
import {
  env,
  everything,
  execute,
  forgetEnded,
  openAccount,
  type TestAccount,
} from "../../support/worker/objects.ts";

const objectOf = ({ accountId }: TestAccount) => env.ACCOUNT.getByName(accountId);

/** Executions whose last row D1 has. */
const storedIds = async ({ accountId }: TestAccount) => {
  const found = await env.DB.prepare(
    "SELECT execution_id AS id FROM executions WHERE account_id = ? AND finished_at IS NOT NULL",
  )
    .bind(accountId)
    .all<{ id: string }>();
  return found.results.map(({ id }) => id);
};

const listed = async ({ api }: TestAccount, limit = 100) => {
  const page = await api.executions({ ...everything, limit });
  return page?.executions.map(({ executionId }) => executionId) ?? [];
};

/** An execution that has ended, and whose last row D1 has. */
async function executed(account: TestAccount): Promise<string> {
  const execution = await execute({}, account);
  await execution.ended();
  await expect.poll(() => storedIds(account)).toContain(execution.executionId);
  return execution.executionId;
}

/** As if newer code had stored these rows, and D1 did not have them yet. */
async function makeUnreadable(account: TestAccount): Promise<void> {
  await runInDurableObject(objectOf(account), (_, { storage }) => {
    storage.sql.exec(
      "UPDATE executions SET row = json_set(row, '$.statusDetail', 'of_newer_code'), projected = 0",
    );
  });
  await evictDurableObject(objectOf(account));
}

const NEWER_TABLES = ACCOUNT_SCHEMA.slice(1).flatMap((step) =>
  [...step.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name),
);
/** All scopes that there were before members. */
const OLD_SCOPES = SCOPES.filter(
  (scope) => !/^(?:decisions|destinations|models|members|audit):/.test(scope),
);

describe("an unreadable row", () => {
  it("does not block later rows from D1, and stays", async () => {
    const account = await openAccount();
    const unreadable = [await executed(account), await executed(account)];
    await env.DB.prepare("DELETE FROM executions WHERE account_id = ?")
      .bind(account.accountId)
      .run();
    await makeUnreadable(account);
    const later = await executed(account);
    expect(await storedIds(account)).toEqual([later]);
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      const kept = storage.sql
        .exec("SELECT execution_id FROM executions WHERE row ->> 'statusDetail' = 'of_newer_code'")
        .toArray();
      expect(kept.map((row) => row.execution_id).sort()).toEqual(unreadable.sort());
    });
  });

  it("does not hide the other rows of the list, even if it is newer", async () => {
    const account = await openAccount();
    const older = await executed(account);
    await forgetEnded(account);
    const unreadable = [await executed(account), await executed(account)];
    await makeUnreadable(account);
    expect(await listed(account, 1)).toEqual([older]);
    const newer = await execute({ model: "openai/hangs" }, account);
    expect(await listed(account)).toEqual([newer.executionId, older]);
    expect(await listed(account)).not.toContain(unreadable[0]);
  });

  it("does not hide the others if only D1 has it", async () => {
    const account = await openAccount();
    const older = await executed(account);
    const unreadable = await executed(account);
    await forgetEnded(account);
    await env.DB.prepare("UPDATE executions SET status_detail = 'newer' WHERE execution_id = ?")
      .bind(unreadable)
      .run();
    expect(await listed(account)).toEqual([older]);
  });
});

it("a key with a scope of newer code keeps its known scopes, and other keys work", async () => {
  const account = await openAccount();
  await runInDurableObject(objectOf(account), (_, { storage }) => {
    storage.sql.exec("UPDATE keys SET scopes = json_insert(scopes, '$[#]', 'of:newer_code')");
  });
  await evictDurableObject(objectOf(account));
  expect(await account.api.authorize(account.credential)).toMatchObject({ kind: "authorized" });
  expect(await account.api.listKeys()).toMatchObject([{ scopes: SCOPES }]);
});

it("a failed task does not block the others", async () => {
  const account = await openAccount();
  await runInDurableObject(objectOf(account), (_, { storage }) => {
    storage.sql.exec("DROP TABLE idempotency");
    // Tidying up is long overdue, so that it comes before anything else.
    storage.kv.put("wakeups", { prune: 1 });
  });
  await evictDurableObject(objectOf(account));
  await executed(account);
});

it("an account of an incompatible version is refused with an explanation, and is unchanged", async () => {
  const { accountId, apiKey } = await newAccount();
  const object = env.ACCOUNT.getByName(accountId);
  await runInDurableObject(object, (_, { storage }) => {
    storage.sql.exec("ALTER TABLE executions RENAME COLUMN used TO spent");
  });
  await evictDurableObject(object);
  const response = await send("/api/v1/agent/credits", { token: apiKey });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: "unavailable",
    detail: expect.stringMatching(/^What is stored here cannot be read by this version/),
  });
});

it("an account of older code accepts work and MCP servers, and its keys with all scopes get the new ones", async () => {
  const account = await openAccount({ credits: 100 });
  const object = env.ACCOUNT.getByName(account.accountId);
  await runInDurableObject(object, (_, { storage: { sql, kv } }) => {
    for (const table of NEWER_TABLES) sql.exec(`DROP TABLE ${table}`);
    sql.exec("ALTER TABLE keys DROP COLUMN endpoint_ids");
    sql.exec("UPDATE keys SET scopes = ?", JSON.stringify(OLD_SCOPES));
    kv.put("schema_version", 1);
  });
  await evictDurableObject(object);

  const execution = await execute({ tools: null }, account);
  expect(await execution.ended()).toMatchObject({ status: "completed" });
  const server = {
    serverId: "mcp_0000000000000001",
    name: "crm",
    url: "https://crm.example/mcp",
    headers: [],
    sealedHeaders: null,
  };
  expect(await account.api.addMcpServer(server)).toMatchObject({ kind: "added" });
  expect(await account.api.listMcpServers()).toMatchObject([{ name: "crm" }]);
  const [key] = await account.api.listKeys();
  expect(key?.scopes.toSorted()).toEqual(SCOPES.toSorted());
});
