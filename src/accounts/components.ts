import type { AccountVitals, OwnUse } from "../contract/account.ts";
import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import { connectionContext } from "../contract/connections.ts";
import { destinationContext } from "../contract/destinations.ts";
import { mcpHeadersContext } from "../contract/mcp.ts";
import { providerContext } from "../contract/models.ts";
import type { AccountRecord, Quotas } from "../contract/operators.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { Subscriptions } from "../deliveries/subscriptions.ts";
import { RequestBatcher } from "../durable/request-batcher.ts";
import { migrate } from "../durable/schema.ts";
import { StorageChanges } from "../durable/storage-changes.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { timeOf } from "../lib/execution-id.ts";
import { type Resealed, Resealer } from "../lib/resealer.ts";
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
import { Members } from "./members.ts";
import { Messages } from "./messages.ts";
import { ModelProviders } from "./model-providers.ts";
import { Connections, McpServers } from "./named-records.ts";
import { RowOutbox } from "./outbox.ts";
import { PendingStarts, StartDispatcher } from "./pending-starts.ts";
import { Projector, RowPlacements } from "./projector.ts";
import { InboxGrants, LimitUse, StorageUse, thatDo } from "./quota-use.ts";
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
  owed: (task: "deliver" | "events" | "alerts") => void,
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
  const alerts = new Alerts(sql, messages, () => owed("alerts"));
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

/** Returns an account with its balance. */
export function recordOf({ ledger, controls }: Components): AccountRecord {
  return { ...ledger.record(), ...controls.current };
}

/** Returns the quotas and what the account itself knows of their use. */
export function useOf(
  { controls, ledger, storageUse, inboxGrants }: Components,
  now: number,
): { quotas: Quotas; used: OwnUse } {
  const { total: storedBytes } = storageUse;
  const webhookRequestsPerMinute = inboxGrants.granted(now);
  const used = { storedBytes, activeExecutions: ledger.live, webhookRequestsPerMinute };
  return { quotas: controls.quotas, used };
}

/** Returns what operators watch of an account. */
export function vitalsOf(components: Components): AccountVitals {
  const { ledger, controls, hostLoads, pendingStarts, outbox } = components;
  const [first] = pendingStarts.ids();
  return {
    live: ledger.live,
    fullness: ledger.live / Math.max(1, controls.quotas.activeExecutions),
    hosts: hostLoads.running,
    slots: hostLoads.slots,
    unstartedSince: first === undefined ? null : timeOf(first),
    rows: outbox.waiting,
  };
}

/**
 * Seals the secrets of an account's MCP servers, connections, model providers, destinations and stored starts
 * with the first of these keys; null for no account.
 */
export async function resealAll(account: Components | null, keys: string[]): Promise<Resealed> {
  const sealer = new Resealer(keys);
  if (account === null) return sealer.report();
  const { mcpServers, connections, modelProviders, destinations } = account;
  const { subscriptions, pendingStarts, ledger } = account;
  const { accountId } = ledger.record();
  await connections.reseal(sealer, (id) => connectionContext(accountId, id));
  await modelProviders.reseal(sealer, (id) => providerContext(accountId, id));
  await mcpServers.reseal(sealer, (id) => mcpHeadersContext(accountId, id));
  for (const { destinationId } of destinations.all()) {
    const context = destinationContext(accountId, destinationId);
    for (const field of ["sealedSecret", "sealedHeaders"] as const) {
      const before = destinations.find(destinationId)?.[field] ?? null;
      const after = before && (await sealer.reseal(before, context));
      const isSame = destinations.find(destinationId)?.[field] === before;
      if (after !== before && isSame) destinations.change(destinationId, { [field]: after });
    }
  }
  await subscriptions.reseal(sealer);
  for (const executionId of pendingStarts.stored()) {
    const before = pendingStarts.seed(executionId)?.callback?.sealedSecret ?? null;
    if (before === null) continue;
    const after = await sealer.reseal(before, CALLBACK_SECRET_CONTEXT);
    if (after !== before) pendingStarts.replaceInSeed(executionId, before, after);
  }
  return sealer.report();
}
