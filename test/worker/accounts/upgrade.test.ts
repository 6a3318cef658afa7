import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import { SCOPES } from "../../../src/contract/keys.ts";
import { env, execute, openAccount } from "../../support/worker/objects.ts";

const NEWER_TABLES = ACCOUNT_SCHEMA.slice(1).flatMap((step) =>
  [...step.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name),
);
/** All scopes that there were before members. */
const OLD_SCOPES = SCOPES.filter(
  (scope) => !/^(?:decisions|destinations|models|members|audit):/.test(scope),
);

it("an account that older code stored accepts work, takes MCP servers, and its keys that had all scopes have the new ones", async () => {
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
