import * as z from "zod";
import { type ExecutionRow, executionId, type executionStatus, type origin } from "./execution.ts";
import { closed, timestamp } from "./fields.ts";
import type { AddMcpServerReply, McpEndpoint, McpServerRecord, NewMcpServer } from "./mcp.ts";
import type { ExecutionSeed, Idempotency } from "./session.ts";
import type { UncountedExecution, UsageRange } from "./usage.ts";

export const SCOPES = [
  "executions:read",
  "executions:write",
  "credits:read",
  "workflows:read",
  "workflows:write",
  "webhooks:read",
  "webhooks:write",
  "keys:admin",
] as const;
export const scope = z.enum(SCOPES).describe("A permission of a key.");
export type Scope = z.infer<typeof scope>;

const label = z.string().min(1).max(100).describe("A display name.");
const available = z.int().describe("Credits that can be spent.");
const reserved = z.int().describe("Credits reserved by active executions.");
const consumed = z.int().describe("Credits consumed so far.");

/** Keys of one account that may work at the same time. */
export const MAX_KEYS = 1_000;
/** Of the keys that were revoked or have expired, so many are kept at least, the last ones. */
export const KEPT_ENDED_KEYS = 500;

/** The body of POST /keys. No scopes named means all of them. */
export const createKeyBody = closed({
  name: label,
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .optional()
    .describe("The scopes of the key; all if left out."),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("When the key expires; never if left out."),
}).meta({ id: "CreateKey" });

/** The body of POST /keys/:keyId/rotate. */
export const rotateKeyBody = closed({
  overlapSeconds: z
    .int()
    .min(0)
    .max(2_592_000)
    .default(86_400)
    .describe("How long the old key keeps working."),
}).meta({ id: "RotateKey" });

/** A key as it is listed; the key itself is shown once, when it is made. */
export const apiKeyRecord = z
  .object({
    keyId: z.string().describe("The id of the key."),
    name: label,
    scopes: z.array(scope).describe("The scopes of the key."),
    last4: z.string().describe("The key's last four characters."),
    createdAt: timestamp.describe("When it was created."),
    expiresAt: timestamp.nullable().describe("When the key expires; null for never."),
    revokedAt: timestamp.nullable().describe("When it was revoked, or null."),
    lastUsedAt: timestamp.nullable().describe("When it was last used, or null."),
  })
  .meta({ id: "ApiKey" });
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;

export const apiKeyCreated = apiKeyRecord
  .extend({ apiKey: z.string().meta({ description: "The key itself. It is not shown again." }) })
  .meta({ id: "ApiKeyCreated" });

const accountId = z.string().describe("The id of the account.");

export const accountRecord = z
  .object({
    accountId,
    name: label,
    requestsPerMinute: z.int().describe("The rate limit of the agent API."),
    availableCredits: available,
    reservedCredits: reserved,
    consumedCredits: consumed,
    createdAt: timestamp.describe("When it was created."),
  })
  .meta({ id: "Account" });
export type AccountRecord = z.infer<typeof accountRecord>;

/** The answer of GET /credits. */
export const credits = z
  .object({
    availableCredits: available,
    reservedCredits: reserved,
    consumedCredits: consumed,
    updatedAt: timestamp.describe("The time of this balance."),
  })
  .meta({ id: "Credits" });
export type Credits = z.infer<typeof credits>;

/** The answer of POST /trigger. */
export const triggerAccepted = z
  .object({
    executionId,
    status: z.literal("active").describe("It has begun."),
    availableCredits: available.describe(
      "The balance after the credits of this execution were reserved.",
    ),
  })
  .meta({ id: "TriggerAccepted" });
export type TriggerAccepted = z.infer<typeof triggerAccepted>;

/** Which limit a route counts against. */
export type RateClass = "agent" | "management";

/** Where a limit stands after a request was counted. */
export interface RateState {
  rateClass: RateClass;
  limit: number;
  remaining: number;
  /** Seconds until a place is free again. */
  resetSeconds: number;
}

/** A request as the account sees it. */
export interface Credential {
  /** Hex SHA-256 of the whole key. */
  keyHash: string;
  scope: Scope;
  rateClass: RateClass;
}

export type Denial =
  | { kind: "unauthorized"; reason: "unknown" | "expired" | "revoked" }
  | { kind: "insufficient_scope"; scope: Scope; rate: RateState }
  | { kind: "rate_limited"; rate: RateState };

/** `pending` is the seed of the execution asked about, while its session may not have it yet. */
export type Authorized = {
  kind: "authorized";
  accountId: string;
  keyId: string;
  rate: RateState;
  pending: ExecutionSeed | null;
};

/**
 * What the accepting object adds to a seed: the ids, the time, the hold, and which tools are meant:
 * `tools` is null for all that the account has.
 */
export type SeedDraft = Omit<
  ExecutionSeed,
  "executionId" | "accountId" | "createdAt" | "heldCredits" | "heldBecause" | "tools" | "mcpServers"
> & { tools: ExecutionSeed["tools"] | null; maxCredits: number | null };

/** A run that was promised outside of its account, under this id, and is the account's to start. */
export interface PromisedRun {
  executionId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  draft: SeedDraft;
}

export type AcceptReply =
  | Denial
  | { kind: "accepted"; replayed: boolean; rate: RateState; body: TriggerAccepted }
  | { kind: "key_reused"; rate: RateState }
  | {
      kind: "unknown_mcp_server";
      rate: RateState;
      field: "tools" | "approvals";
      server: string;
    }
  | { kind: "insufficient_credits"; rate: RateState; needed: number; available: number };

/** Filters of GET /trigger/list, parsed. Times are epoch milliseconds. */
export interface ListQuery {
  limit: number;
  cursor: ListPosition | null;
  statuses: z.infer<typeof executionStatus>[];
  origins: z.infer<typeof origin>[];
  workflowId: string | null;
  createdAfter: number | null;
  createdBefore: number | null;
}

/** The last row of the page before: lists go from the newest to the oldest. */
export interface ListPosition {
  createdAt: number;
  executionId: string;
}

export type ListReply =
  | Denial
  | { kind: "page"; rate: RateState; executions: ExecutionRow[]; next: ListPosition | null }
  | { kind: "unavailable"; rate: RateState };

export type CreditsReply = Denial | { kind: "credits"; rate: RateState; credits: Credits };

export type UncountedReply =
  | Denial
  | { kind: "uncounted"; rate: RateState; executions: UncountedExecution[] };

/** What a session tells its account: how it stands and, at its end, what it used. */
export interface ExecutionReport {
  row: ExecutionRow;
  /** Credits used, when the execution has ended; null while it goes on. */
  settle: number | null;
}

export interface NewKey {
  keyId: string;
  keyHash: string;
  last4: string;
  name: string;
  scopes: Scope[];
  expiresAt: number | null;
}

/** `full`: as many keys work as may. */
export type CreateKeyReply = { kind: "created"; record: ApiKeyRecord } | { kind: "full" };

export type RotateReply =
  | { kind: "rotated"; record: ApiKeyRecord }
  | { kind: "not_found" }
  | { kind: "full" };

/** `key_reused`: another grant has this id. */
export type GrantReply =
  | { kind: "granted"; replayed: boolean; account: AccountRecord }
  | { kind: "key_reused" }
  | { kind: "not_found" };

/** The object that owns one account: its keys, its money, its rate, what it accepted. */
export interface AccountApi {
  /** Checks the key, counts the request, checks the scope: in this order. */
  authorize(credential: Credential, executionId?: string): Promise<Denial | Authorized>;
  /**
   * All of `authorize`, then the idempotency key, the hold and the start, in one transaction. Who may
   * have to repeat the call chooses the id: a repeat under the same one changes nothing.
   */
  accept(
    credential: Credential,
    draft: SeedDraft,
    idempotency: Idempotency | null,
    executionId?: string,
  ): Promise<AcceptReply>;
  /**
   * Takes over runs that were promised elsewhere, all of them or, when it throws, none. A repeat changes
   * nothing, whatever became of the run. One that the balance cannot pay for is taken as well, with
   * nothing held; it fails before it costs anything.
   */
  acceptBatch(runs: PromisedRun[]): Promise<void>;
  /** The input of an execution while its session may not have it yet; else null. */
  pending(executionId: string): Promise<ExecutionSeed | null>;
  list(credential: Credential, query: ListQuery): Promise<ListReply>;
  credits(credential: Credential): Promise<CreditsReply>;
  /** The executions of a range of time that D1 does not have yet, or not as they are now. */
  uncounted(credential: Credential, range: UsageRange): Promise<UncountedReply>;
  report(report: ExecutionReport): Promise<void>;

  /** Keys. The caller has been authorized. */
  createKey(key: NewKey): Promise<CreateKeyReply>;
  listKeys(): Promise<ApiKeyRecord[]>;
  revokeKey(keyId: string): Promise<boolean>;
  /** Adds `key` with the old key's name and scopes; the old one works for `overlapSeconds` more. */
  rotateKey(
    keyId: string,
    key: Pick<NewKey, "keyId" | "keyHash" | "last4">,
    overlapSeconds: number,
  ): Promise<RotateReply>;

  /** Remote MCP servers. The caller has been authorized. */
  addMcpServer(server: NewMcpServer): Promise<AddMcpServerReply>;
  listMcpServers(): Promise<McpServerRecord[]>;
  removeMcpServer(serverId: string): Promise<boolean>;
  /** How the account's own sessions reach these servers; those that were removed are left out. */
  mcpEndpoints(serverIds: string[]): Promise<McpEndpoint[]>;

  /** Operators. `create` is idempotent by account, `grant` by grant; `null` is an account that is not there. */
  create(account: {
    accountId: string;
    name: string;
    credits: number;
    requestsPerMinute: number | null;
    key: NewKey;
  }): Promise<AccountRecord>;
  grant(grantId: string, amount: number, note: string): Promise<GrantReply>;
  configure(change: { requestsPerMinute?: number; name?: string }): Promise<AccountRecord | null>;
  overview(): Promise<AccountRecord | null>;
}

const requestsPerMinute = z
  .int()
  .min(1)
  .max(10_000_000)
  .describe("The number of requests per minute to the agent API.");

/** The body of POST /admin/accounts. */
export const createAccountBody = closed({
  name: label,
  credits: z.int().min(0).max(1_000_000_000_000).describe("The initial balance."),
  requestsPerMinute: requestsPerMinute.optional(),
}).meta({ id: "CreateAccount" });

/** The body of POST /admin/accounts/:accountId/credits. */
export const grantBody = closed({
  amount: z.int().min(1).max(1_000_000_000_000).describe("The number of credits to add."),
  note: z.string().min(1).max(500).describe("The reason, stored with the grant."),
}).meta({ id: "GrantCredits" });

/** The body of PATCH /admin/accounts/:accountId. */
export const updateAccountBody = closed({
  requestsPerMinute: requestsPerMinute.optional(),
  name: label.optional(),
})
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .meta({ id: "UpdateAccount" });

/** The answer of POST /admin/accounts. */
export const accountCreated = z
  .object({
    accountId,
    name: label,
    availableCredits: available,
    requestsPerMinute: z.int().describe("The rate limit of the agent API."),
    apiKey: z.string().meta({ description: "The account's first key. It is not shown again." }),
    keyId: z.string().describe("The id of that key."),
  })
  .meta({ id: "AccountCreated" });
