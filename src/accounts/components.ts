import { RequestBatcher } from "../durable/request-batcher.ts";
import { migrate } from "../durable/schema.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { databaseNamed, recordDatabases } from "../records/databases.ts";
import { AccessControl } from "./access.ts";
import { ApiKeys } from "./api-keys.ts";
import { Ledger } from "./ledger.ts";
import { McpServers } from "./mcp-servers.ts";
import { RowOutbox } from "./outbox.ts";
import { PendingStarts, StartDispatcher } from "./pending-starts.ts";
import { Projector } from "./projector.ts";
import { RowPlacements } from "./row-placements.ts";
import { ACCOUNT_SCHEMA } from "./schema.ts";
import { Watch } from "./watch.ts";

/** The components of an account's object, once the account exists. */
export type Components = ReturnType<typeof createComponents>;

/** Creates the components over an account's storage, and migrates its tables to the newest version. */
export function createComponents(storage: DurableObjectStorage, env: CloudflareEnv) {
  migrate(storage, ACCOUNT_SCHEMA);
  const { sql } = storage;
  const apiKeys = new ApiKeys(sql);
  const outbox = new RowOutbox(sql);
  const pendingStarts = new PendingStarts(storage);
  const placements = new RowPlacements(storage.kv, recordDatabases(env));
  return {
    ledger: new Ledger(storage, pendingStarts, outbox),
    apiKeys,
    access: new AccessControl(sql, apiKeys, Date.now()),
    mcpServers: new McpServers(sql),
    outbox,
    placements,
    projector: new Projector((name) => databaseNamed(env, name), outbox, placements),
    pendingStarts,
    dispatcher: new StartDispatcher(pendingStarts, (seed) =>
      sessionHostStub(env, seed.accountId, seed.executionId).start(seed),
    ),
    watch: new Watch(sql, (accountId, executionId) => sessionHostStub(env, accountId, executionId)),
    batcher: new RequestBatcher(),
  };
}
