import { DurableObject } from "cloudflare:workers";
import { v7 as uuidv7 } from "uuid";
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
  PromisedRun,
  RotateReply,
  SeedDraft,
  UncountedReply,
} from "../contract/account.ts";
import type { NewMcpServer } from "../contract/mcp.ts";
import type { ExecutionSeed, Idempotency } from "../contract/session.ts";
import type { UsageRange } from "../contract/usage.ts";
import { AlarmScheduler } from "../durable/alarm-scheduler.ts";
import { isInitialised, migrate } from "../durable/schema.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { selectExecutions } from "../records/executions.ts";
import type { Admitted } from "./gate.ts";
import { listPage } from "./listing.ts";
import { assembleParts, type Parts } from "./parts.ts";
import { PROJECT_DELAY_MS } from "./projector.ts";
import { ACCOUNT_SCHEMA } from "./schema.ts";

const TASKS = ["start", "project", "prune"] as const;
/** Sessions start right after their acceptance; this is when a start that was lost is repeated. */
const START_BACKUP_MS = 3_000;
const STARTS_PER_WAKEUP = 500;
const PRUNE_INTERVAL_MS = 6 * 3_600_000;
const DEFAULT_REQUESTS_PER_MINUTE = 60;
const LIST_TIMEOUT_MS = 10_000;

/**
 * The object of one account: the serial owner of its keys, its rate, its money and what it accepted.
 * An account that does not exist has no tables, and asking it writes nothing.
 */
export class Account extends DurableObject<CloudflareEnv> implements AccountApi {
  #parts: Parts | null;
  readonly #alarms: AlarmScheduler<(typeof TASKS)[number]>;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.#alarms = new AlarmScheduler(ctx.storage, TASKS, {
      start: () => this.#resumeStarts(),
      project: () => this.#project(),
      prune: () => this.#prune(),
    });
    this.#parts = isInitialised(ctx.storage) ? assembleParts(this.ctx.storage, this.env) : null;
    ctx.blockConcurrencyWhile(() => this.#alarms.recover());
  }

  override async alarm(): Promise<void> {
    await this.#alarms.handleAlarm();
  }

  async authorize(credential: Credential, executionId?: string): Promise<Denial | Authorized> {
    const gate = this.#admit(credential);
    if (gate.kind !== "admitted") return gate;
    const { parts, rate, keyId } = gate;
    return {
      kind: "authorized",
      accountId: parts.book.record().accountId,
      keyId,
      rate,
      pending: executionId === undefined ? null : parts.unstarted.get(executionId),
    };
  }

  async accept(
    credential: Credential,
    draft: SeedDraft,
    idempotency: Idempotency | null,
    executionId = uuidv7(),
  ): Promise<AcceptReply> {
    await this.#parts?.crowd.gather(Date.now());
    const gate = this.#admit(credential);
    if (gate.kind !== "admitted") return gate;
    const { parts, rate } = gate;
    const before = parts.book.repeat(idempotency, executionId);
    if (before.kind === "reused") return { kind: "key_reused", rate };
    if (before.kind === "same") return { kind: "accepted", rate, ...before.acceptance };

    const granted = parts.mcpServers.grant(draft.tools, draft.approvals);
    if (!granted.ok) return { ...granted.missing, kind: "unknown_mcp_server", rate };
    const now = Date.now();
    const { tools, mcpServers } = granted;
    const whole = { ...draft, tools, mcpServers };
    const acceptance = parts.book.accept(whole, idempotency, { now, executionId });
    if ("kind" in acceptance) {
      const { needed, available } = acceptance;
      return { kind: "insufficient_credits", rate, needed, available };
    }
    this.#startSoon(parts, [executionId], now);
    return { kind: "accepted", rate, ...acceptance };
  }

  async acceptBatch(runs: PromisedRun[]): Promise<void> {
    const parts = this.#existing();
    const now = Date.now();
    const granted = runs.map(({ draft, ...run }) => {
      const { tools, mcpServers } = parts.mcpServers.grantKnown(draft.tools);
      return { ...run, draft: { ...draft, tools, mcpServers } };
    });
    this.#startSoon(parts, parts.book.acceptBatch(granted, now), now);
  }

  async pending(executionId: string): Promise<ExecutionSeed | null> {
    return this.#parts?.unstarted.get(executionId) ?? null;
  }

  async list(credential: Credential, query: ListQuery): Promise<ListReply> {
    const gate = this.#admit(credential);
    if (gate.kind !== "admitted") return gate;
    const { parts, rate } = gate;
    const { accountId } = parts.book.record();
    try {
      const page = await listPage(query, {
        unconfirmed: (filter, limit) => parts.unconfirmed.page(filter, limit),
        unconfirmedAmong: (ids) => parts.unconfirmed.among(ids),
        confirmed: (position, limit) =>
          within(
            "D1",
            LIST_TIMEOUT_MS,
            selectExecutions(this.env.DB, accountId, query, position, limit),
          ),
      });
      return { kind: "page", rate, ...page };
    } catch (error) {
      logWarning("list not read", { accountId }, error);
      return { kind: "unavailable", rate };
    }
  }

  async credits(credential: Credential): Promise<CreditsReply> {
    const gate = this.#admit(credential);
    if (gate.kind !== "admitted") return gate;
    return { kind: "credits", rate: gate.rate, credits: gate.parts.book.credits() };
  }

  async uncounted(credential: Credential, range: UsageRange): Promise<UncountedReply> {
    const gate = this.#admit(credential);
    if (gate.kind !== "admitted") return gate;
    const { parts, rate } = gate;
    return { kind: "uncounted", rate, executions: parts.unconfirmed.uncounted(range) };
  }

  async report(report: ExecutionReport): Promise<void> {
    const parts = this.#parts;
    if (parts === null) throw new Error("there is no account here");
    const now = Date.now();
    parts.book.report(report, now);
    this.#alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.#alarms.arm();
  }

  async createKey(key: NewKey): Promise<CreateKeyReply> {
    return this.#existing().keyring.add(key, Date.now());
  }

  async listKeys(): Promise<ApiKeyRecord[]> {
    return this.#existing().keyring.list();
  }

  async revokeKey(keyId: string): Promise<boolean> {
    return this.#existing().keyring.revoke(keyId, Date.now());
  }

  async rotateKey(
    keyId: string,
    key: Pick<NewKey, "keyId" | "keyHash" | "last4">,
    overlapSeconds: number,
  ): Promise<RotateReply> {
    const now = Date.now();
    const until = now + overlapSeconds * 1_000;
    return this.ctx.storage.transactionSync(() =>
      this.#existing().keyring.rotate(keyId, key, { now, until }),
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
    if (this.#parts !== null) return this.#parts.book.record();
    const now = Date.now();
    const { accountId, name, credits, key } = account;
    const requestsPerMinute = account.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const parts = this.ctx.storage.transactionSync(() => {
      migrate(this.ctx.storage, ACCOUNT_SCHEMA);
      const created = assembleParts(this.ctx.storage, this.env);
      created.book.create({ accountId, name, requestsPerMinute }, now);
      if (credits > 0) created.book.grant("first", credits, "First credits", now);
      created.keyring.add(key, now);
      return created;
    });
    this.#parts = parts;
    this.#alarms.set("prune", now + PRUNE_INTERVAL_MS);
    this.#alarms.arm();
    return parts.book.record();
  }

  async grant(grantId: string, amount: number, note: string): Promise<GrantReply> {
    if (this.#parts === null) return { kind: "not_found" };
    const { book } = this.#parts;
    const outcome = book.grant(grantId, amount, note, Date.now());
    if (outcome === "reused") return { kind: "key_reused" };
    return { kind: "granted", replayed: outcome === "repeated", account: book.record() };
  }

  async configure(change: {
    requestsPerMinute?: number;
    name?: string;
  }): Promise<AccountRecord | null> {
    if (this.#parts === null) return null;
    this.#parts.book.configure(change, Date.now());
    return this.#parts.book.record();
  }

  async overview(): Promise<AccountRecord | null> {
    return this.#parts === null ? null : this.#parts.book.record();
  }

  /** Starts what was just stored, with wake-ups as the backup for when this process dies. */
  #startSoon({ starter }: Parts, executionIds: readonly string[], now: number): void {
    if (executionIds.length === 0) return;
    this.#alarms.setSooner("start", now + START_BACKUP_MS);
    this.#alarms.setSooner("project", now + PROJECT_DELAY_MS);
    this.#alarms.arm();
    for (const executionId of executionIds) starter.add(executionId);
  }

  #resumeStarts(): number | null {
    const isWaiting = this.#existing().starter.resume(STARTS_PER_WAKEUP);
    return isWaiting ? Date.now() + START_BACKUP_MS : null;
  }

  #project(): Promise<number | null> {
    const { projector, book } = this.#existing();
    return projector.project(book.record().accountId);
  }

  #prune(): number {
    const now = Date.now();
    const { unconfirmed, book } = this.#existing();
    unconfirmed.drop(now);
    book.prune(now);
    // A row that this code cannot read stays until newer code projects it.
    this.#alarms.setSooner("project", now);
    return now + PRUNE_INTERVAL_MS;
  }

  #admit(credential: Credential): Denial | (Admitted & { parts: Parts }) {
    const parts = this.#parts;
    if (parts === null) return { kind: "unauthorized", reason: "unknown" };
    const limit = parts.book.profile?.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE;
    const gate = parts.gate.admit(credential, limit, Date.now());
    return gate.kind === "admitted" ? { ...gate, parts } : gate;
  }

  #existing(): Parts {
    if (this.#parts === null) throw new Error("there is no account here");
    return this.#parts;
  }
}
