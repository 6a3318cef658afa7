import type {
  AcceptManyReply,
  AcceptReply,
  AccountApi,
  Authorized,
  Credential,
  Denial,
  ExecutionReport,
  PromisedExecution,
  SeedDraft,
  StartRequest,
} from "../contract/account.ts";
import { type Actor, SYSTEM } from "../contract/actor.ts";
import type { AccountChange, AccountRecord } from "../contract/operators.ts";
import type { ScheduleCommand, ScheduleReply } from "../contract/schedule.ts";
import type { Idempotency, PendingSeed } from "../contract/session.ts";
import { AlarmScheduler, keyValueStore } from "../durable/alarm-scheduler.ts";
import { isInitialised } from "../durable/schema.ts";
import { settingsOf } from "../env.ts";
import { newExecutionId } from "../lib/execution-id.ts";
import { acceptPromised, acceptRequests } from "./accept.ts";
import type { Admitted } from "./access.ts";
import { AccountDestinations } from "./account-destinations.ts";
import { auditedOfConfigure, auditedOfJob, auditedOfSchedule, did } from "./audit-log.ts";
import { type Components, createComponents, recordOf, resealAll, vitalsOf } from "./components.ts";
import { decisionNotices } from "./decision-notices.ts";
import { applyReport, watchLevels } from "./events.ts";
import { PROJECT_DELAY_MS } from "./projector.ts";
import { thatDo } from "./quota-use.ts";
import { ACCOUNT_SCHEMA } from "./schema.ts";
import {
  accountTasks,
  follow,
  PRUNE_INTERVAL_MS,
  resume,
  START_BACKUP_MS,
  STORED_TASKS,
  TASKS,
  type TaskName,
} from "./tasks.ts";

const DEFAULT_REQUESTS_PER_MINUTE = 60;
/** Starts that count as one request when they come together. */
const STARTS_PER_REQUEST = 10;

type AdmittedCall = Admitted & { components: Components };

/**
 * The object of one account: the serial owner of its keys, its rate, its money and its accepted
 * executions. An account that does not exist has no tables, and asking for it writes nothing.
 */
export class Account extends AccountDestinations implements AccountApi {
  protected override readonly alarms: AlarmScheduler<TaskName>;
  protected override readonly schema = ACCOUNT_SCHEMA;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    const tasks = accountTasks({
      env,
      storage: ctx.storage,
      alarms: () => this.alarms,
      components: () => this.existing(),
      vanish: () => this.#vanish(),
      acceptBatch: (runs) => this.acceptBatch(runs),
      pause: (scheduleId) =>
        this.schedules({ do: "update", scheduleId, change: { enabled: false } }),
    });
    this.alarms = new AlarmScheduler({
      alarm: ctx.storage,
      store: keyValueStore(ctx.storage.kv, STORED_TASKS),
      run: (name, until) => tasks[name](until),
      order: TASKS,
    });
    this.begin("Account");
  }

  protected override load(): void {
    if (!isInitialised(this.ctx.storage)) return;
    this.components = createComponents(this.ctx.storage, this.env, this.#deliver);
    resume(this.alarms, this.components, Date.now());
  }

  async authorize(credential: Credential, executionId?: string): Promise<Denial | Authorized> {
    return this.#answer(credential, async ({ rate, key, by, endpointIds, components }) => {
      const pending = executionId === undefined ? null : await this.pending(executionId);
      const { accountId } = components.ledger.record();
      const { keyId, scopes } = key;
      const who = { accountId, keyId, scopes, endpointIds, by };
      return { kind: "authorized", ...who, rate, quotas: components.controls.quotas, pending };
    });
  }

  async accept(
    credential: Credential,
    draft: SeedDraft,
    idempotency: Idempotency | null,
    unslottedId = newExecutionId(),
    isRepeat = true,
  ): Promise<AcceptReply> {
    const start = { draft, idempotency, unslottedId };
    const reply = await this.acceptMany(credential, [start], isRepeat);
    if (reply.kind !== "results") return reply;
    const [result] = reply.results;
    if (result === undefined) throw new Error("a start without a result");
    return { ...result, rate: reply.rate };
  }

  async acceptMany(
    credential: Credential,
    starts: StartRequest[],
    isRepeat: boolean,
    count = starts.length,
    whole: Idempotency | null = null,
  ): Promise<AcceptManyReply> {
    await this.components?.batcher.join(Date.now());
    const admission = this.#admit(credential, Math.ceil(count / STARTS_PER_REQUEST));
    if (admission.kind !== "admitted") return admission;
    const { components, rate, key } = admission;
    components.batcher.record(Date.now());
    const now = Date.now();
    const requests = starts.map((start) => ({ ...start, isRepeat, keyId: key.keyId }));
    const { results, accepted } = acceptRequests(components, requests, whole, now);
    this.#dispatch(components, accepted, now);
    return { kind: "results", results, rate };
  }

  async acceptBatch(runs: PromisedExecution[]): Promise<boolean> {
    const components = this.existing();
    const now = Date.now();
    this.#dispatch(components, acceptPromised(components, runs, now), now);
    const mayWait = runs.some(({ draft }) => thatDo("hold", draft.limits).length > 0);
    return !mayWait && components.ledger.live <= components.controls.quotas.activeExecutions;
  }

  async pending(executionId: string): Promise<PendingSeed | null> {
    const components = this.components;
    const seed = components?.pendingStarts.get(executionId) ?? null;
    if (components === null || seed === null) return null;
    const { controls, ledger, limitUse } = components;
    // The caller may start the execution: a suspended account starts it stopped instead.
    if (controls.status !== "active") {
      await components.start(seed);
      return seed;
    }
    const holding = thatDo("hold", seed.limits);
    const isLimited = limitUse.newlyReached(executionId, holding, Date.now()) !== null;
    return { ...seed, isHeld: isLimited || ledger.live > controls.quotas.activeExecutions };
  }

  async caller(credential: Credential) {
    return this.#answer(credential, ({ rate, key, by, components: { ledger } }) => {
      const { accountId, name } = ledger.record();
      return { kind: "caller" as const, rate, caller: { accountId, name, key, by } };
    });
  }

  async credits(credential: Credential) {
    return this.#answer(credential, ({ rate, components: { ledger } }) => {
      return { kind: "credits" as const, rate, credits: ledger.credits() };
    });
  }

  async changes(...[credential, seen, waitMs]: Parameters<AccountApi["changes"]>) {
    return this.#answer(credential, async ({ rate, key, components: { changes, decisions } }) => {
      const mark = await changes.since(seen, waitMs);
      const waiting = key.scopes.includes("decisions:read") ? decisions.countOpen() : 0;
      return { kind: "changes" as const, rate, mark, waiting };
    });
  }

  async placements(credential: Credential) {
    return this.#answer(credential, ({ rate, components: { placements } }) => {
      return { kind: "placements" as const, rate, placements: [...placements.all] };
    });
  }

  async report(report: ExecutionReport): Promise<void> {
    const { accountId } = this.existing().ledger.record();
    const tell = await decisionNotices(accountId, report, settingsOf(this.env).ID_KEY);
    await this.components?.batcher.join(Date.now());
    const components = this.existing();
    // The erasure deletes the session, and this object.
    if (components.controls.erasure !== null) return;
    const now = Date.now();
    const isDue = applyReport(components, this.ctx.storage, { report, tell, now });
    if (isDue) this.alarms.setSooner("schedule", now);
    components.dispatcher.fill();
    this.alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.alarms.arm();
  }

  async schedules(command: ScheduleCommand, actor?: Actor): Promise<ScheduleReply> {
    const schedules = this.components?.schedules;
    if (schedules === undefined) return { done: false, schedules: [] };
    const before = "scheduleId" in command ? schedules.find(command.scheduleId) : null;
    const reply = this.audited(
      actor,
      (_, now) => schedules.handle(command, now),
      ({ done, schedules: [after = before] }) => done && auditedOfSchedule(command, after),
    );
    this.alarms.set("schedule", schedules.nextLook());
    this.alarms.arm();
    return reply;
  }

  async jobs(...[command, actor, runs = []]: Parameters<AccountApi["jobs"]>) {
    const jobs = this.components?.jobs;
    if (jobs === undefined) return null;
    const before = jobs.handle({ do: "get", jobId: command.jobId }, Date.now());
    const state = this.audited(
      actor,
      (_, now) => jobs.handle(command, now),
      (after) => auditedOfJob(after, before),
    );
    // In the turn that stores the rehearsal, so that none is stored without its runs.
    if (before === null && runs.length > 0) void this.acceptBatch(runs);
    this.alarms.set("jobs", jobs.nextLook());
    this.alarms.arm();
    return state;
  }

  async rehearsalOf(tried: string) {
    return this.components?.jobs.rehearsalOf(tried) ?? null;
  }

  async create(...[account, actor]: Parameters<AccountApi["create"]>): Promise<AccountRecord> {
    if (this.components !== null) return recordOf(this.components);
    const now = Date.now();
    const { accountId, name, credits, key } = account;
    const requestsPerMinute = account.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const components = this.ctx.storage.transactionSync(() => {
      const created = createComponents(this.ctx.storage, this.env, this.#deliver);
      created.ledger.create({ accountId, name, requestsPerMinute }, now);
      created.placements.open(Math.random());
      if (credits > 0) created.ledger.grant("first", credits, "First credits", now);
      created.apiKeys.add(key, now);
      created.audit.add(actor ?? SYSTEM, did("account.created", accountId, name), now);
      return created;
    });
    this.components = components;
    this.alarms.set("prune", now + PRUNE_INTERVAL_MS);
    this.alarms.arm();
    return recordOf(components);
  }

  async grant(...[grantId, amount, note, actor]: Parameters<AccountApi["grant"]>) {
    const components = this.components;
    if (components === null) return { kind: "not_found" } as const;
    const { accountId, name } = components.ledger.record();
    const detail = { amount, note };
    const outcome = this.audited(
      actor,
      ({ ledger }, now) => ledger.grant(grantId, amount, note, now),
      (reply) => reply === "granted" && did("account.credits_granted", accountId, name, detail),
    );
    watchLevels(components, Date.now());
    if (outcome === "reused") return { kind: "key_reused" } as const;
    return {
      kind: "granted" as const,
      replayed: outcome === "repeated",
      account: recordOf(components),
    };
  }

  async configure(change: AccountChange, actor?: Actor): Promise<AccountRecord | null> {
    const components = this.components;
    if (components === null) return null;
    const { requestsPerMinute, name, ...controls } = change;
    const { status } = components.controls;
    this.audited(
      actor,
      () => {
        components.ledger.configure({ requestsPerMinute, name });
        components.controls.change(controls);
      },
      () => auditedOfConfigure(components.ledger.record(), change, status),
    );
    follow(this.alarms, components, Date.now());
    watchLevels(components, Date.now());
    this.alarms.arm();
    // The change is in force when the caller reads the answer; alarms finish what takes longer.
    await Promise.all([this.alarms.run("publish"), this.alarms.run("halt")]);
    return recordOf(components);
  }

  async reseal() {
    return resealAll(this.components, settingsOf(this.env).ENCRYPTION_KEY);
  }

  async vitals() {
    return this.components && vitalsOf(this.components);
  }

  async erase(): Promise<boolean> {
    const components = this.components;
    if (components === null) return false;
    const startedAt = new Date().toISOString();
    const { controls } = components;
    if (controls.erasure === null) controls.erasing({ startedAt, executions: 0, endpoints: 0 });
    follow(this.alarms, components, Date.now());
    this.alarms.arm();
    await this.alarms.run("publish");
    return true;
  }

  /** Dispatches executions that were just accepted; the wake-ups do it again if this process dies. */
  #dispatch(components: Components, executionIds: readonly string[], now: number): void {
    if (executionIds.length === 0) return;
    watchLevels(components, now);
    for (const executionId of executionIds) components.hostLoads.accepted(executionId);
    this.alarms.setSooner("start", now + START_BACKUP_MS);
    this.alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.alarms.arm();
    components.dispatcher.dispatch(executionIds);
  }

  /** Answers a caller whose request passes every check, or returns the denial. */
  #answer<Reply>(
    credential: Credential,
    answer: (admitted: AdmittedCall) => Reply,
  ): Denial | Reply {
    const admission = this.#admit(credential);
    return admission.kind === "admitted" ? answer(admission) : admission;
  }

  #admit(credential: Credential, count = 1): Denial | AdmittedCall {
    const components = this.components;
    if (components === null || components.controls.erasure !== null) {
      return { kind: "unauthorized", reason: "unknown" };
    }
    const limit = components.ledger.profile?.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const access = components.access.admit(credential, limit, Date.now(), count);
    if (access.kind !== "admitted") return access;
    const isChange = !credential.mayAlways && credential.scope?.endsWith(":read") === false;
    if (isChange && components.controls.status !== "active") {
      return { kind: "suspended", rate: access.rate };
    }
    return { ...access, components };
  }

  /** Runs a task for destinations after the transaction that made it due; a wake-up repeats it. */
  readonly #deliver = (task: "deliver" | "events" | "alerts"): void => {
    this.wakeAt(task, Date.now() + START_BACKUP_MS);
    queueMicrotask(() => void this.alarms.run(task));
  };

  async #vanish(): Promise<void> {
    this.components = null;
    this.alarms.clear();
    await this.ctx.storage.deleteAll();
    await this.ctx.storage.deleteAlarm();
  }
}
