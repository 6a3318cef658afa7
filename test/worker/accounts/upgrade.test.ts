import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { env, execute, openAccount } from "../../support/worker/objects.ts";

it("an account that older code stored accepts work, and takes MCP servers", async () => {
  const account = await openAccount({ credits: 100 });
  const object = env.ACCOUNT.getByName(account.accountId);
  await runInDurableObject(object, (_, { storage: { sql, kv } }) => {
    for (const table of ["mcp_servers", "storage_use", "connections", "schedules"])
      sql.exec(`DROP TABLE ${table}`);
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
});
