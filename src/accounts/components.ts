import type { ExecutionSeed } from "../contract/session.ts";
import { Subscriptions } from "../deliveries/subscriptions.ts";
import { RequestBatcher } from "../durable/request-batcher.ts";
import { migrate } from "../durable/schema.ts";
import { StorageChanges } from "../durable/storage-changes.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { databaseNamed, recordDatabases } from "../records/databases.ts";
import { AccessControl } from "./access.ts";
import { AccountEvents } from "./account-events.ts";
import { Alerts } from "./alerts.ts";
import { ApiKeys } from "./api-keys.ts";
import { AuditLog } from "./audit-log.ts";
import { Controls } from "./controls.ts";
import { Decisions } from "./decisions.ts";
import { Destinations } from "./destinations.ts";
import { HostLoads } from "./host-loads.ts";
import { Jobs } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { LimitUse, thatDo } from "./limits.ts";
import { Members } from "./members.ts";
import { Messages } from "./messages.ts";
import { ModelProviders } from "./model-providers.ts";
import { Connections, McpServers } from "./named-records.ts";
import { RowOutbox } from "./outbox.ts";
import { PendingStarts, StartDispatcher } from "./pending-starts.ts";
import { Projector, RowPlacements } from "./projector.ts";
import { InboxGrants, StorageUse } from "./quota-use.ts";
import { Schedules } from "./schedules.ts";
import { ACCOUNT_SCHEMA } from "./schema.ts";

/** The reason that a suspended account's executions show. */
export const SUSPENDED = "The account is suspended.";

/** The components of an account's object, once the account exists. */
export type Components = ReturnType<typeof createComponents>;

/** Creates the components over an account's storage, and migrates its tables to the newest version. */
export function createComponents(
  storage: DurableObjectStorage,
  env: CloudflareEnv,
  /** Called when something is owed to a destination or a subscription. */
  owed: (task: "deliver" | "events") => void,
) {
  migrate(storage, ACCOUNT_SCHEMA);
  const { sql } = storage;
  const changes = new StorageChanges(sql);
  const apiKeys = new ApiKeys(sql);
  const members = new Members(sql);
  const callers: Pick<ApiKeys, "check" | "flush"> = {
    check(hash, now) {
      const session = members.check(hash, now);
      return session === null ? apiKeys.check(hash, now) : { kind: "valid", ...session };
    },
    flush: () => apiKeys.flush(),
  };
  const outbox = new RowOutbox(sql);
  const pendingStarts = new PendingStarts(storage);
  const placements = new RowPlacements(storage.kv, recordDatabases(env));
  const ledger = new Ledger(storage, pendingStarts, outbox);
  const controls = new Controls(storage);
  const audit = new AuditLog(sql);
  const hostLoads = new HostLoads(sql);
  const limitUse = new LimitUse(sql);
  const storageUse = new StorageUse(sql, () => sql.databaseSize);
  const destinations = new Destinations(sql);
  const accountId = () => ledger.record().accountId;
  const events = new AccountEvents(sql);
  const subscriptions = new Subscriptions({
    sql,
    source: events,
    due: () => owed("events"),
    isValidKey: async (keyId) => apiKeys.isValid(keyId, Date.now()),
    send: (message) =>
      env.CALLBACKS.send({ v: 1, accountId: accountId(), endpointId: null, ...message }),
  });
  const messages = new Messages({
    sql,
    destinations,
    isSubscribed: () => !subscriptions.isEmpty,
    publish(type, event) {
      events.add(type, event);
      owed("events");
    },
    owed: () => owed("deliver"),
    accountId,
    send: (message) => env.CALLBACKS.send({ v: 1, accountId: accountId(), ...message }),
  });
  const alerts = new Alerts(sql, messages);
  const isSuspended = () => controls.status !== "active";
  const start = async (seed: ExecutionSeed): Promise<void> => {
    const host = sessionHostStub(env, seed.accountId, seed.executionId);
    await (isSuspended() ? host.startStopped(seed, SUSPENDED) : host.start(seed));
  };
  return {
    changes,
    ledger,
    controls,
    storageUse,
    hostLoads,
    inboxGrants: new InboxGrants(controls, storageUse),
    apiKeys,
    members,
    audit,
    decisions: new Decisions(sql, audit),
    access: new AccessControl(sql, callers, changes, Date.now()),
    mcpServers: new McpServers(sql),
    connections: new Connections(sql),
    destinations,
    events,
    subscriptions,
    messages,
    modelProviders: new ModelProviders(storage, () => ({
      settings: settingsOf(env),
      bindings: env,
    })),
    alerts,
    schedules: new Schedules(storage, (count) => hostLoads.next(count)),
    jobs: new Jobs(storage),
    outbox,
    placements,
    projector: new Projector((name) => databaseNamed(env, name), outbox, placements),
    pendingStarts,
    /** Starts a session; in a suspended account, so that it does nothing. */
    start,
    limitUse,
    dispatcher: new StartDispatcher(pendingStarts, {
      async call([first, ...others]) {
        if (isSuspended()) {
          await start(first);
          return 1;
        }
        const host = sessionHostStub(env, first.accountId, first.executionId);
        // Older code starts the first one alone, and returns nothing.
        return (await host.start(first, others)) ?? 1;
      },
      mayStart: ({ executionId, limits }) => {
        const now = Date.now();
        const holding = thatDo("hold", limits);
        if (!isSuspended() && limitUse.newlyReached(executionId, holding, now) !== null)
          return false;
        limitUse.start(executionId, holding, now);
        return true;
      },
      room: () => {
        if (controls.erasure !== null) return 0;
        // Stopping them takes no place.
        if (isSuspended()) return Number.POSITIVE_INFINITY;
        return controls.quotas.activeExecutions - (ledger.live - pendingStarts.count);
      },
    }),
    batcher: new RequestBatcher(),
  };
}
