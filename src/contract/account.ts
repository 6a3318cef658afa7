import * as z from "zod";
import type { Resealed } from "../lib/resealer.ts";
import type { AccountResourcesApi, NewKey } from "./account-resources.ts";
import { type Actor, type By, by } from "./actor.ts";
import type { Copied } from "./backup.ts";
import type { DecisionRules, StoredDecision } from "./decisions.ts";
import { type ExecutionRow, executionId, type executionStatus, type origin } from "./execution.ts";
import { closed, listOf, open, timestamp } from "./fields.ts";
import type { JobCommand, JobState } from "./jobs.ts";
import { apiKeyRecord, type Scope } from "./keys.ts";
import {
  type AccountChange,
  type AccountOverview,
  type AccountRecord,
  balance,
  label,
  type Quota,
  type Quotas,
} from "./operators.ts";
import type { Placement } from "./placement.ts";
import { problem } from "./problem.ts";
import type { ScheduleCommand, ScheduleReply } from "./schedule.ts";
import type { ExecutionSeed, Idempotency, PendingSeed } from "./session.ts";

/** The response of GET /credits. */
export const credits = open({
  ...balance,
  updatedAt: timestamp.describe("The time of this balance."),
}).meta({ id: "Credits" });
export type Credits = z.infer<typeof credits>;

/** The response of GET /account: who the caller is. */
export const caller = open({
  accountId: z.string().describe("The id of the account."),
  name: label.describe("The name of the account."),
  key: apiKeyRecord
    .pick({ keyId: true, name: true, scopes: true })
    .describe("The key of this request; for a member who signed in, the member and its scopes."),
  by: by.describe("Whom changes by this caller name."),
}).meta({ id: "Caller" });
export type Caller = z.infer<typeof caller>;

/** The body of POST /trigger/batch: each is checked by itself. */
export const triggerBatchBody = closed({
  executions: listOf(
    z.unknown().meta({
      override: ({ jsonSchema }: { jsonSchema: object }) =>
        Object.assign(jsonSchema, { $ref: "#/components/schemas/Trigger" }),
    }),
    100,
    1,
  ).describe("The executions to start, each as for a trigger."),
}).meta({ id: "TriggerBatch" });

/** The response of POST /trigger. */
export const triggerAccepted = open({
  executionId,
  status: z.literal("active").describe("The execution has started."),
  availableCredits: balance.availableCredits.describe("The balance after its credits were held."),
}).meta({ id: "TriggerAccepted" });
export type TriggerAccepted = z.infer<typeof triggerAccepted>;

/** The response of POST /trigger/batch. */
export const triggerBatchResult = open({
  results: listOf(
    z.union([
      triggerAccepted.omit({ status: true }).extend({
        status: z.literal(202).describe("It was accepted."),
      }),
      open({ status: z.int().describe("The status code of its refusal."), problem }),
    ]),
  ).describe("What each came to, in the order of the request."),
}).meta({ id: "TriggerBatchResult" });
export type TriggerBatchResult = z.infer<typeof triggerBatchResult>;

/** The rate limit that a request counts against; `dashboard` is that of what its pages read. */
export type RateClass = "agent" | "management" | "dashboard";

/** The state of a rate limit after a request was counted. */
export interface RateState {
  rateClass: RateClass;
  limit: number;
  remaining: number;
  /** Seconds until another request is allowed. */
  resetSeconds: number;
}

/** A request as the account sees it. */
export interface Credential {
  /** Hex SHA-256 of the whole key. */
  keyHash: string;
  /** Null where any key will do. */
  scope: Scope | null;
  /** A scope that does as well. */
  orScope?: Scope;
  rateClass: Exclude<RateClass, "dashboard">;
  /** A page of the dashboard reads: the request counts against the limit of the dashboard. */
  isPageRead?: boolean;
  /** It reads, or takes away what an administrator gave: a suspended account allows it. */
  mayAlways?: boolean;
}

export type Denial =
  | { kind: "unauthorized"; reason: "unknown" | "expired" | "revoked" }
  | { kind: "insufficient_scope"; scope: Scope; by?: By; rate: RateState }
  | { kind: "suspended"; rate: RateState }
  | { kind: "rate_limited"; rate: RateState };

/** `pending` is the seed of the requested execution while its session may not have it yet. */
export type Authorized = {
  kind: "authorized";
  accountId: string;
  /** The id of the key, or of the member. */
  keyId: string;
  scopes: Scope[];
  /** The only endpoints that the caller reaches; null for all. */
  endpointIds: string[] | null;
  by: By;
  rate: RateState;
  quotas: Quotas;
  pending: PendingSeed | null;
};

/** What an account lets an execution use. */
export type Grants = Pick<
  ExecutionSeed,
  | "tools"
  | "mcpServers"
  | "connections"
  | "emailRecipients"
  | "googleSheets"
  | "chosen"
  | "providers"
>;

/**
 * A seed to which the accepting object adds the ids, the time, the hold and what its account allows. `tools`
 * is null for all tools of the account; `connections` are names.
 */
export type SeedDraft = Omit<
  ExecutionSeed,
  | keyof Grants
  | "executionId"
  | "accountId"
  | "createdAt"
  | "heldCredits"
  | "heldBecause"
  | "limitReached"
  | "limitToApprove"
> & {
  /** Whether the account's default stands for `model`, which is the service's. */
  isDefaultModel?: boolean;
  tools: ExecutionSeed["tools"] | null;
  connections: readonly string[];
  maxCredits: number | null;
};

/** An execution that another object accepted under this id, and that the account must start. */
export interface PromisedExecution {
  executionId: string;
  draft: SeedDraft;
}

/** What a request for an execution comes to, once its caller is admitted. */
export type StartResult =
  | { kind: "accepted"; replayed: boolean; body: TriggerAccepted }
  | { kind: "key_reused" }
  | { kind: "quota_reached"; quota: Quota; limit: number }
  | { kind: "unknown_mcp_server"; field: "tools" | "approvals"; server: string }
  | { kind: "unknown_connection"; name: string }
  | { kind: "unusable_model"; field: string; message: string }
  | { kind: "limit_reached"; message: string }
  | { kind: "insufficient_credits"; needed: number; available: number };

/** The reason for which a caller was refused, or the reply with the rate limit after the request. */
type Admitted<Reply> = Denial | (Reply & { rate: RateState });

export type AcceptReply = Admitted<StartResult>;
export type AcceptManyReply = Admitted<{ kind: "results"; results: StartResult[] }>;

/** A request for an execution. `unslottedId`, the execution's id but for the slot, is the same in each repeat. */
export interface StartRequest {
  draft: SeedDraft;
  idempotency: Idempotency | null;
  unslottedId: string;
}

/** Filters of GET /trigger/list, parsed. Times are epoch milliseconds. */
export interface ListQuery {
  limit: number;
  cursor: ListPosition | null;
  statuses: z.infer<typeof executionStatus>[];
  origins: z.infer<typeof origin>[];
  workflowId: string | null;
  /** Words that each must occur in the prompt, the summary, the metadata or the id; in lower case. */
  words?: readonly string[];
  createdAfter: number | null;
  createdBefore: number | null;
}

/** The last row of the previous page; lists go from the newest to the oldest. */
export interface ListPosition {
  createdAt: number;
  executionId: string;
}

/** A page of executions. */
export interface ExecutionPage {
  executions: ExecutionRow[];
  next: ListPosition | null;
}

/**
 * `mark` differs from an earlier one if the account has changed. `waiting` has the open decisions, up to 100;
 * zero for keys that may not read them.
 */
export type ChangesReply = Admitted<{ kind: "changes"; mark: string; waiting: number }>;

/** A report of a session to its account: the status and, at the end, the credits used. */
export interface ExecutionReport {
  row: ExecutionRow;
  /** The credits used, once the execution has ended; null before. */
  settle: number | null;
  /** The bytes that the session's host stores. */
  storedBytes?: number;
  /** Decisions that are new or have changed, and who is told of them. */
  decisions?: readonly StoredDecision[];
  rules?: DecisionRules;
  /** The service's own address, for links. */
  origin?: string;
  /** Whether its last callback was given up, or was delivered after that. */
  callback?: { state: "failed" | "delivered"; url: string };
  /** The connections whose credential was refused. */
  refused?: { connectionId: string; name: string }[];
}

/** A request of an inbox for its share of the account's webhook requests per minute. */
export interface InboxReport {
  /** The requests that it would accept at once. */
  wanted: number;
  /** The bytes that the inbox stores. */
  storedBytes: number;
}

/** What an inbox may accept. */
export interface InboxGrant {
  granted: number;
  /** When to ask again if that is too few. */
  retryAfterSeconds: number;
  /** The sentence about the quota of stored bytes, if that is reached. */
  full: string | null;
  /** The sentence about the quota of webhook requests, if nothing is granted. */
  refusal?: string;
}

/** What the account knows of its use of its quotas. */
export type OwnUse = Pick<Quotas, "storedBytes" | "activeExecutions" | "webhookRequestsPerMinute">;

/** What operators watch of an account. */
export interface AccountVitals {
  live: number;
  /** `live` as a share of the account's quota. */
  fullness: number;
  /** The objects with executions that run. */
  hosts: number;
  /** The slots of the hosts with executions that have not ended. */
  slots: number[];
  /** When the execution was accepted that waits longest for its start; epoch milliseconds. */
  unstartedSince: number | null;
  /** The rows of executions that D1 may lack. */
  rows: number;
}

/** `key_reused`: another grant has this id. */
type GrantReply =
  | { kind: "granted"; replayed: boolean; account: AccountRecord }
  | { kind: "key_reused" }
  | { kind: "not_found" };

/** The interface of the object that owns one account: its keys, credits, rate and accepted executions. */
export interface AccountApi extends AccountResourcesApi, Copied {
  /** Checks the key, counts the request and checks the scope, in this order. */
  authorize(credential: Credential, executionId?: string): Promise<Denial | Authorized>;
  /**
   * Does everything of `authorize`, then checks the idempotency key, holds credits and stores the start,
   * in one transaction. A caller that may repeat the call chooses the id; a repeat changes nothing, unless
   * the caller denies that it is one.
   */
  accept(
    credential: Credential,
    draft: SeedDraft,
    idempotency: Idempotency | null,
    executionId?: string,
    isRepeat?: boolean,
  ): Promise<AcceptReply>;
  /** The same for several that come as one, counted as `count`; none if the `whole` reuses a key. */
  acceptMany(
    credential: Credential,
    starts: StartRequest[],
    isRepeat: boolean,
    count?: number,
    whole?: Idempotency | null,
  ): Promise<AcceptManyReply>;
  /**
   * Accepts executions that another object promised: all of them or, if it throws, none. A repeat
   * changes nothing. An execution that the balance cannot pay for is accepted with nothing held, and
   * fails before it costs anything. Returns whether all of them start now; older code returns nothing.
   */
  acceptBatch(executions: PromisedExecution[]): Promise<boolean | undefined>;
  /** Returns the input of an execution while its session may not have it yet, else null. */
  pending(executionId: string): Promise<PendingSeed | null>;
  caller(credential: Credential): Promise<Admitted<{ kind: "caller"; caller: Caller }>>;
  credits(credential: Credential): Promise<Admitted<{ kind: "credits"; credits: Credits }>>;
  /** Waits until the account has changed since `seen`, at most `waitMs`. */
  changes(credential: Credential, seen: string | null, waitMs: number): Promise<ChangesReply>;
  /** Counts a change of what D1 stores of the account. */
  noteChange(): Promise<void>;
  /** Returns the databases that have the rows of its executions. */
  placements(
    credential: Credential,
  ): Promise<Admitted<{ kind: "placements"; placements: Placement[] }>>;
  report(report: ExecutionReport): Promise<void>;
  schedules(command: ScheduleCommand, actor?: Actor): Promise<ScheduleReply>;
  /** Carries out a command about a replay or a retry. Returns it, or null if there is none. */
  jobs(command: JobCommand, actor?: Actor, runs?: PromisedExecution[]): Promise<JobState | null>;
  /** Returns the latest rehearsal of what `tried` is the key of, or null. */
  rehearsalOf(tried: string): Promise<JobState | null>;
  /** Returns a page of executions, or null while D1 does not answer. The caller has been authorized. */
  executions(query: ListQuery): Promise<ExecutionPage | null>;
  /** Grants an inbox a part of the account's webhook requests, and notes its size. */
  grantWebhooks(endpointId: string, report: InboxReport): Promise<InboxGrant>;
  /** Returns the quotas and what the account itself knows of their use. The caller has been authorized. */
  use(): Promise<{ quotas: Quotas; used: OwnUse }>;

  /** Returns what operators watch, or null if the account does not exist. */
  vitals(): Promise<AccountVitals | null>;

  /** Operators. `create` is idempotent by account, `grant` by grant; null means that the account does not exist. */
  create(
    account: {
      accountId: string;
      name: string;
      credits: number;
      requestsPerMinute: number | null;
      key: NewKey;
    },
    actor?: Actor,
  ): Promise<AccountRecord>;
  grant(grantId: string, amount: number, note: string, actor?: Actor): Promise<GrantReply>;
  configure(change: AccountChange, actor?: Actor): Promise<AccountRecord | null>;
  /** Seals the secrets of MCP servers, connections, model providers and stored starts with the newest key. */
  reseal(): Promise<Resealed>;
  /** Returns the executions that D1 may not have yet. */
  executionIds(): Promise<string[]>;
  /** Begins to erase the account; false if it does not exist. */
  erase(): Promise<boolean>;
  overview(): Promise<AccountOverview | null>;
}
