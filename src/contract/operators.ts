import * as z from "zod";
import { JURISDICTIONS, REGIONS } from "../lib/place.ts";
import { executionId } from "./execution.ts";
import {
  atLeastOne,
  atMostOne,
  changing,
  closed,
  listOf,
  matching,
  oneOf,
  open,
  textUpTo,
  timestamp,
  whole,
} from "./fields.ts";

const MOST = 1_000_000_000;
const limit = (most: number) => whole(0, most);

/** The quotas of an account that has none of its own. */
export const DEFAULT_QUOTAS = {
  endpoints: 100,
  workflows: 1_000,
  storedBytes: 5 * 1_073_741_824,
  activeExecutions: 1_000,
  webhookRequestsPerMinute: 60_000,
};

/** The most that an account may have of each resource. */
export const quotas = closed({
  endpoints: limit(MOST).describe("Webhook endpoints, without deleted ones."),
  workflows: limit(MOST).describe("Workflows."),
  storedBytes: limit(Number.MAX_SAFE_INTEGER).describe("Bytes of executions, files and logs."),
  activeExecutions: limit(MOST).describe("Executions that have not ended."),
  webhookRequestsPerMinute: limit(MOST).describe("Webhook requests per minute, of all endpoints."),
}).meta({ id: "Quotas", description: "The quotas of an account." });
export type Quotas = z.infer<typeof quotas>;
export type Quota = keyof Quotas;

/** A change of some quotas. */
export const quotaChange = quotas.partial().meta({ id: "QuotaChange" });

const use = (quota: Quota) =>
  open({
    used: z.int().describe("What the account has now."),
    limit: z.int().describe("What the account may have."),
  }).describe(quotas.shape[quota].description ?? quota);

/** Each quota with what is used of it. */
export const quotaUse = open({
  endpoints: use("endpoints"),
  workflows: use("workflows"),
  storedBytes: use("storedBytes"),
  activeExecutions: use("activeExecutions"),
  webhookRequestsPerMinute: use("webhookRequestsPerMinute"),
}).meta({ id: "QuotaUse", description: "Each quota with what is used of it." });
export type QuotaUse = z.infer<typeof quotaUse>;

/** Returns the sentence of the error that a reached quota answers. */
export function quotaReached(quota: Quota, most: number): string {
  return `The account's quota \`${quota}\` of ${most} is used up. ${ADVICE[quota]}`;
}

const ADVICE: Record<Quota, string> = {
  endpoints: "Delete an endpoint, or ask the operators for more.",
  workflows: "Delete a workflow, or ask the operators for more.",
  storedBytes:
    "Shorten `retentionDays`, delete endpoints or wait for old executions to be removed, or ask the operators for more.",
  activeExecutions: "Try again when one has ended, or ask the operators for more.",
  webhookRequestsPerMinute: "Try again later, or ask the operators for more.",
};

/** What an endpoint's account allows: not set by the endpoint's owner. */
export const inboundControls = open({
  /** A suspended account accepts nothing. */
  suspended: z.boolean(),
  /** Requests per minute that the inbox accepts without asking the account for its share. */
  unaskedPerMinute: z.int(),
});
export type InboundControls = z.infer<typeof inboundControls>;

export const DEFAULT_CONTROLS = controlsOf({ suspended: false, quotas: DEFAULT_QUOTAS });

/**
 * Returns the controls of the account's endpoints. What they accept unasked comes to a tenth of the quota
 * at most, so that quiet endpoints cost no call and the quota is exact to a tenth.
 */
export function controlsOf({
  suspended,
  quotas,
}: {
  suspended: boolean;
  quotas: Quotas;
}): InboundControls {
  const { webhookRequestsPerMinute, endpoints } = quotas;
  const unaskedPerMinute = Math.floor(webhookRequestsPerMinute / (10 * Math.max(1, endpoints)));
  return { suspended, unaskedPerMinute };
}

const atMost = whole(1, 1_000_000_000);

const fields = {
  creditsPerDay: atMost.optional().describe("The credits that are consumed in any 24 hours."),
  executionsPerHour: atMost.optional().describe("The executions that start in any hour."),
};
const onExceeded = oneOf("hold", "ask", "fail").describe(
  "`hold`: further executions are accepted and stay `queued` until there is room. `ask`: they are accepted, and a person decides whether each starts. `fail`: they are refused with 429, or end as `failed` with `limit_reached` where a webhook or a schedule started them.",
);

/** Limits of a workflow or an endpoint, as a body has them. */
export const limitsBody = closed({ ...fields, onExceeded: onExceeded.default("hold") })
  .apply(
    atLeastOne(
      ["creditsPerDay", "executionsPerHour"],
      "must have `creditsPerDay` or `executionsPerHour`",
    ),
  )
  .meta({ id: "Limits", description: "The most that it uses in a day and starts in an hour." });

/** Limits as they are stored and shown; null for none. */
export const limits = open({ ...fields, onExceeded })
  .meta({
    id: "StoredLimits",
    description: "The most that it uses in a day and starts in an hour.",
  })
  .nullable();
export type Limits = z.infer<typeof limits>;

/** The limits that an execution keeps, by the workflow or the endpoint that has them. */
export const limitOf = open({ ...fields, onExceeded, resourceId: z.string() });
export type LimitOf = z.infer<typeof limitOf>;

/** Returns the limits of the resources that have some. */
export function limitsOf(...all: [resourceId: string, limits: Limits][]): LimitOf[] {
  return all.flatMap(([resourceId, each]) => (each === null ? [] : [{ ...each, resourceId }]));
}

export const label = textUpTo(100).describe("A display name.");
/** The credits of an account: the three always add up to what it was granted. */
export const balance = {
  availableCredits: z.int().describe("Credits that can be spent."),
  reservedCredits: z.int().describe("Credits held for active executions."),
  consumedCredits: z.int().describe("Credits consumed so far."),
};

const accountId = z.string().describe("The id of the account.");

export const accountStatus = oneOf("active", "suspended", "erasing").describe(
  "A suspended account starts nothing: its endpoints answer 503, and its keys only read and can be revoked. An account that is being erased has no keys.",
);
const emailRecipients = listOf(
  matching(/^(?:\*|[^\s@]*@[^\s@]+)$/, "must be an address, @domain or *").max(320),
  1_000,
)
  .nullable()
  .describe("The allowed recipients: addresses, `@domain` or `*`; null for the deployment's.");
const googleSheets = listOf(
  z.string().regex(/^[\w-]{1,200}$/, "must be the id of a Google Sheet"),
  100,
)
  .nullable()
  .describe("The ids of Google Sheets to append to, the default first; null: the deployment's.");

/** The threshold of an account for which none was set. */
export const CREDITS_LOW_THRESHOLD = 100;
const creditsLowThreshold = whole(0, 1_000_000_000_000).describe(
  "The balance, held credits included, below which the account has the alert `credits.low`.",
);

/** What operators allow an account. */
const accountControls = open({
  status: accountStatus,
  quotas,
  emailRecipients,
  googleSheets,
  creditsLowThreshold,
});
export type AccountControls = z.infer<typeof accountControls>;

export const accountRecord = open({
  accountId,
  name: label,
  ...accountControls.shape,
  requestsPerMinute: z.int().describe("Requests to the agent API per minute."),
  ...balance,
  createdAt: timestamp.describe("When it was created."),
}).meta({ id: "Account" });
export type AccountRecord = z.infer<typeof accountRecord>;

/** The progress of an account's erasure. */
export const erasureProgress = open({
  startedAt: timestamp.describe("When it began."),
  executions: z.int().describe("The executions that are erased."),
  endpoints: z.int().describe("The endpoints that are erased."),
}).meta({ id: "ErasureProgress" });
export type ErasureProgress = z.infer<typeof erasureProgress>;

const accountOverview = accountRecord.extend({
  erasure: erasureProgress.optional().describe("How far the erasure is, while there is one."),
});
export type AccountOverview = z.infer<typeof accountOverview>;

/** The response of GET /admin/accounts/:accountId. */
export const accountDetails = accountOverview
  .extend({ usage: quotaUse.describe("Each quota with what is used of it.") })
  .meta({ id: "AccountDetails" });
export type AccountDetails = z.infer<typeof accountDetails>;

const requestsPerMinute = whole(1, 10_000_000).describe("Requests to the agent API per minute.");

/** The body of POST /admin/accounts. */
export const createAccountBody = closed({
  name: label,
  credits: whole(0, 1_000_000_000_000).describe("The initial balance."),
  requestsPerMinute: requestsPerMinute.optional(),
  region: z
    .enum(REGIONS)
    .optional()
    .describe("The region of its data, by Cloudflare's names. If left out, near its first use."),
  jurisdiction: z
    .enum(JURISDICTIONS)
    .optional()
    .describe("The jurisdiction that the account's objects and their data never leave."),
})
  .apply(atMostOne(["region", "jurisdiction"], "cannot be combined with `region`", "jurisdiction"))
  .meta({ id: "CreateAccount" });

/** The account that a new service is given, for its operator. */
export const FIRST_ACCOUNT = { name: "operator", credits: 100_000 };

/** The body of POST /admin/accounts/:accountId/credits. */
export const grantBody = closed({
  amount: whole(1, 1_000_000_000_000).describe("The number of credits to add."),
  note: textUpTo(500).describe("The reason, stored with the grant."),
}).meta({ id: "GrantCredits" });

/** The body of PATCH /admin/accounts/:accountId. */
export const updateAccountBody = changing({
  requestsPerMinute,
  name: label,
  status: oneOf("active", "suspended").describe("`suspended` stops all executions."),
  quotas: quotaChange.describe("The quotas to change."),
  emailRecipients,
  googleSheets,
  creditsLowThreshold,
}).meta({ id: "UpdateAccount" });
/** Fields that are left out stay unchanged. */
export type AccountChange = z.infer<typeof updateAccountBody>;

/** The body of POST /admin/keys/revoke. */
export const revokeKeyBody = closed({
  apiKey: z.string().max(200).describe("The key itself, as it was found somewhere."),
}).meta({ id: "RevokeKey" });

/** The response of POST /admin/keys/revoke. */
export const revokedKey = open({
  accountId,
  keyId: z.string().describe("The id of the revoked key."),
}).meta({ id: "RevokedKey" });

/** The body of POST /admin/reseal. */
export const resealBody = closed({
  cursor: z.string().max(500).optional().describe("The `nextCursor` of the previous response."),
}).meta({ id: "Reseal" });

/** The response of POST /admin/reseal. */
export const resealed = open({
  accounts: z.int().describe("The accounts that were looked through."),
  resealed: z.int().describe("The secrets that were sealed with the newest key."),
  lost: z.int().describe("The secrets that no key opens."),
  keys: listOf(
    open({
      fingerprints: listOf(z.string())
        .nullable()
        .describe(
          "The keys of `ENCRYPTION_KEY`, the first one first: of each the first 8 hexadecimal digits of its SHA-256. Null for an object that runs code which does not report them.",
        ),
      objects: z.int().describe("The objects of this part that have these keys."),
    }),
  ).describe("The keys of the Worker that answered, then other lists that objects still have."),
  nextCursor: z
    .string()
    .nullable()
    .describe("The next part; null once a round found nothing to seal, and no other keys."),
}).meta({ id: "Resealed" });

/** The response of GET /admin/executions/:executionId. */
export const executionOwner = open({ executionId, accountId }).meta({ id: "ExecutionOwner" });

const severity = oneOf("ok", "warning", "failing");

/** The response of GET /admin/health. */
export const serviceHealth = open({
  verdict: severity.describe("The worst verdict of the checks."),
  checks: listOf(
    open({
      name: z.string().describe("What is checked."),
      value: z.number().describe("Its value, in the unit that `meaning` names."),
      warning: z.number().describe("From this value on, the verdict is `warning`."),
      failing: z.number().describe("From this value on, the verdict is `failing`."),
      verdict: severity.describe("What to think of the value."),
      meaning: z.string().describe("What the value counts, and what to do about it."),
    }),
  ).describe("The checks."),
  liveExecutions: z.int().describe("The executions that have not ended."),
  hosts: z.int().describe("The objects with executions that run."),
  errors: z
    .record(z.string(), z.int())
    .describe("The executions of the last hour that failed, by `statusDetail`."),
  accounts: z.int().describe("The accounts of this page."),
  nextCursor: z.string().nullable().describe("The cursor of the next accounts, or null."),
}).meta({ id: "ServiceHealth" });
export type ServiceHealth = z.infer<typeof serviceHealth>;

/** The response of POST /admin/accounts. */
export const accountCreated = accountRecord
  .pick({ accountId: true, name: true, availableCredits: true, requestsPerMinute: true })
  .extend({
    apiKey: z.string().describe("The account's first key. It is not shown again."),
    keyId: z.string().describe("The id of that key."),
  })
  .meta({ id: "AccountCreated" });
