import { DurableObject } from "cloudflare:workers";
import type {
  AcceptReply,
  AccountApi,
  AccountRecord,
  ApiKeyRecord,
  Authorized,
  CreateKeyReply,
  Credential,
  CreditsReply,
  Denial,
  ExecutionReport,
  GrantReply,
  ListQuery,
  ListReply,
  NewKey,
  PromisedExecution,
  RotateReply,
  SeedDraft,
  UncountedReply,
} from "../contract/account.ts";
import type { NewMcpServer } from "../contract/mcp.ts";
import type { ExecutionSeed, Idempotency } from "../contract/session.ts";
import type { UsageRange } from "../contract/usage.ts";
import { AlarmScheduler } from "../durable/alarm-scheduler.ts";
import { beforeRetry, startSafely } from "../durable/safe-start.ts";
import { isInitialised } from "../durable/schema.ts";
import { within } from "../lib/async.ts";
import { newExecutionId, pickSlot, withSlot } from "../lib/execution-id.ts";
import { logError, logWarning } from "../lib/log.ts";
import { selectExecutions } from "../records/executions.ts";
import type { Admitted } from "./access.ts";
import { type Components, createComponents } from "./components.ts";
import { listPage } from "./listing.ts";
import { PROJECT_DELAY_MS } from "./projector.ts";
import { wakeupStorage } from "./wakeups.ts";
import { WATCH_INTERVAL_MS } from "./watch.ts";

const TASKS = ["start", "project", "watch", "prune"] as const;
/** A session starts right after its acceptance; this is when a lost start is repeated. */
const START_BACKUP_MS = 3_000;
const PRUNE_INTERVAL_MS = 6 * 3_600_000;
const DEFAULT_REQUESTS_PER_MINUTE = 60;
const LIST_TIMEOUT_MS = 10_000;

/**
 * The object of one account: the serial owner of its keys, its rate, its money and its accepted
 * executions. An account that does not exist has no tables, and asking for it writes nothing.
 */
export class Account extends DurableObject<CloudflareEnv> implements AccountApi {
  #components: Components | null = null;
  readonly #alarms: AlarmScheduler<(typeof TASKS)[number]>;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.#alarms = new AlarmScheduler(wakeupStorage(ctx.storage), TASKS, {
      start: () => this.#resumeStarts(),
      project: () => this.#project(),
      watch: (until) => this.#watch(until),
      prune: () => this.#prune(),
    });
    startSafely("Account", ctx, {
      load: () => {
        if (!isInitialised(ctx.storage)) return;
        this.#components = createComponents(ctx.storage, env);
        this.#resume(this.#components, Date.now());
      },
      recover: () => this.#alarms.recover(),
    });
  }

  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    await beforeRetry(this.ctx, info);
    await this.#alarms.handleAlarm();
  }

  async authorize(credential: Credential, executionId?: string): Promise<Denial | Authorized> {
    const admission = this.#admit(credential);
    if (admission.kind !== "admitted") return admission;
    const { components, rate, keyId } = admission;
    return {
      kind: "authorized",
      accountId: components.ledger.record().accountId,
      keyId,
      rate,
      pending: executionId === undefined ? null : components.pendingStarts.get(executionId),
    };
  }

  async accept(
    credential: Credential,
    draft: SeedDraft,
    idempotency: Idempotency | null,
    requestId = newExecutionId(),
  ): Promise<AcceptReply> {
    await this.#components?.batcher.join(Date.now());
    const admission = this.#admit(credential);
    if (admission.kind !== "admitted") return admission;
    const { components, rate } = admission;
    const { batcher, ledger } = components;
    batcher.record(Date.now());
    const before = ledger.repeat(idempotency, requestId);
    if (before.kind === "reused") return { kind: "key_reused", rate };
    if (before.kind === "same") return { kind: "accepted", rate, ...before.acceptance };

    const granted = components.mcpServers.grant(draft.tools, draft.approvals);
    if (!granted.ok) return { ...granted.missing, kind: "unknown_mcp_server", rate };
    const now = Date.now();
    const { tools, mcpServers } = granted;
    const executionId = withSlot(requestId, pickSlot(ledger.live, Math.random()));
    const whole = { ...draft, tools, mcpServers, ...components.placements.ofRow(executionId) };
    const acceptance = ledger.accept(whole, idempotency, { now, executionId });
    if ("kind" in acceptance) {
      const { needed, available } = acceptance;
      return { kind: "insufficient_credits", rate, needed, available };
    }
    this.#dispatch(components, [executionId], now);
    return { kind: "accepted", rate, ...acceptance };
  }

  async acceptBatch(runs: PromisedExecution[]): Promise<void> {
    const components = this.#existing();
    const now = Date.now();
    const granted = runs.map(({ draft, ...run }) => {
      const { tools, mcpServers } = components.mcpServers.grantKnown(draft.tools);
      const place = components.placements.ofRow(run.executionId);
      return { ...run, draft: { ...draft, tools, mcpServers, ...place } };
    });
    this.#dispatch(components, components.ledger.acceptBatch(granted, now), now);
  }

  async pending(executionId: string): Promise<ExecutionSeed | null> {
    return this.#components?.pendingStarts.get(executionId) ?? null;
  }

  async list(credential: Credential, query: ListQuery): Promise<ListReply> {
    const admission = this.#admit(credential);
    if (admission.kind !== "admitted") return admission;
    const { components, rate } = admission;
    const { accountId } = components.ledger.record();
    const { outbox, placements } = components;
    const account = { accountId, placements: placements.all };
    try {
      const page = await outbox.whileListing(Date.now(), () =>
        listPage(query, {
          pending: (filter, limit) => outbox.page(filter, limit),
          pendingAmong: (ids) => outbox.among(ids),
          confirmed: (position, limit) =>
            within(
              "D1",
              LIST_TIMEOUT_MS,
              selectExecutions(this.env, account, query, position, limit),
            ),
        }),
      );
      return { kind: "page", rate, ...page };
    } catch (error) {
      logWarning("list not read", { accountId }, error);
      return { kind: "unavailable", rate };
    }
  }

  async credits(credential: Credential): Promise<CreditsReply> {
    const admission = this.#admit(credential);
    if (admission.kind !== "admitted") return admission;
    return {
      kind: "credits",
      rate: admission.rate,
      credits: admission.components.ledger.credits(),
    };
  }

  async uncounted(credential: Credential, range: UsageRange): Promise<UncountedReply> {
    const admission = this.#admit(credential);
    if (admission.kind !== "admitted") return admission;
    const { components, rate } = admission;
    const { outbox, placements } = components;
    return {
      kind: "uncounted",
      rate,
      executions: outbox.uncounted(range),
      placements: [...placements.all],
    };
  }

  async report(report: ExecutionReport): Promise<void> {
    const components = this.#components;
    if (components === null) throw new Error("This account does not exist.");
    const now = Date.now();
    components.ledger.report(report, now);
    this.#alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.#alarms.arm();
  }

  async createKey(key: NewKey): Promise<CreateKeyReply> {
    return this.#existing().apiKeys.add(key, Date.now());
  }

  async listKeys(): Promise<ApiKeyRecord[]> {
    return this.#existing().apiKeys.list();
  }

  async revokeKey(keyId: string): Promise<boolean> {
    return this.#existing().apiKeys.revoke(keyId, Date.now());
  }

  async rotateKey(
    keyId: string,
    key: Pick<NewKey, "keyId" | "keyHash" | "last4">,
    overlapSeconds: number,
  ): Promise<RotateReply> {
    const now = Date.now();
    const until = now + overlapSeconds * 1_000;
    return this.ctx.storage.transactionSync(() =>
      this.#existing().apiKeys.rotate(keyId, key, { now, until }),
    );
  }

  async addMcpServer(server: NewMcpServer) {
    return this.#existing().mcpServers.add(server, Date.now());
  }

  async listMcpServers() {
    return this.#existing().mcpServers.list();
  }

  async removeMcpServer(serverId: string) {
    return this.#existing().mcpServers.remove(serverId);
  }

  async mcpEndpoints(serverIds: string[]) {
    return this.#existing().mcpServers.endpoints(serverIds);
  }

  async create(account: {
    accountId: string;
    name: string;
    credits: number;
    requestsPerMinute: number | null;
    key: NewKey;
  }): Promise<AccountRecord> {
    if (this.#components !== null) return this.#components.ledger.record();
    const now = Date.now();
    const { accountId, name, credits, key } = account;
    const requestsPerMinute = account.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const components = this.ctx.storage.transactionSync(() => {
      const created = createComponents(this.ctx.storage, this.env);
      created.ledger.create({ accountId, name, requestsPerMinute }, now);
      created.placements.open(Math.random());
      if (credits > 0) created.ledger.grant("first", credits, "First credits", now);
      created.apiKeys.add(key, now);
      return created;
    });
    this.#components = components;
    this.#alarms.set("prune", now + PRUNE_INTERVAL_MS);
    this.#alarms.arm();
    return components.ledger.record();
  }

  async grant(grantId: string, amount: number, note: string): Promise<GrantReply> {
    if (this.#components === null) return { kind: "not_found" };
    const { ledger } = this.#components;
    const outcome = ledger.grant(grantId, amount, note, Date.now());
    if (outcome === "reused") return { kind: "key_reused" };
    return { kind: "granted", replayed: outcome === "repeated", account: ledger.record() };
  }

  async configure(change: {
    requestsPerMinute?: number;
    name?: string;
  }): Promise<AccountRecord | null> {
    if (this.#components === null) return null;
    this.#components.ledger.configure(change, Date.now());
    return this.#components.ledger.record();
  }

  async overview(): Promise<AccountRecord | null> {
    return this.#components === null ? null : this.#components.ledger.record();
  }

  /** Dispatches executions that were just accepted; the wake-ups do it again if this process dies. */
  #dispatch({ dispatcher }: Components, executionIds: readonly string[], now: number): void {
    if (executionIds.length === 0) return;
    this.#alarms.setSooner("start", now + START_BACKUP_MS);
    this.#alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.#alarms.arm();
    for (const executionId of executionIds) dispatcher.dispatch(executionId);
  }

  /** Schedules what an earlier process left. */
  #resume({ pendingStarts, outbox, ledger }: Components, now: number): void {
    this.#alarms.load();
    if (pendingStarts.isWaiting) this.#alarms.set("start", now);
    if (outbox.isWaiting) this.#alarms.set("project", now);
    if (ledger.live > 0) this.#alarms.set("watch", now + WATCH_INTERVAL_MS);
  }

  #resumeStarts(): number | null {
    const isWaiting = this.#existing().dispatcher.resume();
    return isWaiting ? Date.now() + START_BACKUP_MS : null;
  }

  async #project(): Promise<number | null> {
    const { projector, ledger, outbox, pendingStarts } = this.#existing();
    const due = await projector.project(ledger.record().accountId);
    const now = Date.now();
    ledger.forget(outbox.takeConfirmed(now), now);
    // A start that was not lost needs no wake-up, which would cost an alarm of its own.
    if (!pendingStarts.isWaiting) this.#alarms.plan("start", null);
    if (ledger.live === 0) this.#alarms.plan("watch", null);
    else this.#alarms.setSooner("watch", now + WATCH_INTERVAL_MS);
    return due;
  }

  async #watch(until: number): Promise<number | null> {
    const { ledger, watch, pendingStarts, dispatcher } = this.#existing();
    if (ledger.live === 0) return null;
    const { accountId } = ledger.record();
    for (const executionId of await watch.lookAfterSilent(accountId, until)) {
      pendingStarts.add(executionId);
      if (pendingStarts.get(executionId) === null) logError("execution lost", { executionId });
      dispatcher.dispatch(executionId);
    }
    return Date.now() + WATCH_INTERVAL_MS;
  }

  #prune(): number {
    const now = Date.now();
    const { outbox, ledger } = this.#existing();
    ledger.forget(outbox.takeConfirmed(now), now);
    ledger.prune(now);
    return now + PRUNE_INTERVAL_MS;
  }

  #admit(credential: Credential): Denial | (Admitted & { components: Components }) {
    const components = this.#components;
    if (components === null) return { kind: "unauthorized", reason: "unknown" };
    const limit = components.ledger.profile?.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const access = components.access.admit(credential, limit, Date.now());
    return access.kind === "admitted" ? { ...access, components } : access;
  }

  #existing(): Components {
    if (this.#components === null) throw new Error("This account does not exist.");
    return this.#components;
  }
}
