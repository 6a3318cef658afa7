import * as z from "zod";
import { type Actor, by } from "./actor.ts";
import { open, timestamp } from "./fields.ts";

/** The days for which an entry of the audit log is kept. */
const AUDIT_DAYS = 400;

/** Names a kind of resource, with what can be done to it. */
function audited<Kind extends string, What extends string>(kind: Kind, ...all: What[]) {
  return { kind, actions: all.map((what) => `${kind}.${what}` as const) };
}

const RESOURCES = [
  audited(
    "account",
    "created",
    "updated",
    "suspended",
    "resumed",
    "credits_granted",
    "default_model_set",
  ),
  audited("connection", "created", "deleted"),
  audited("decision", "answered", "expired"),
  audited("destination", "created", "updated", "deleted"),
  audited("endpoint", "created", "updated", "secret_rotated", "deleted"),
  audited("key", "created", "rotated", "revoked"),
  audited("mcp_server", "created", "deleted"),
  audited("mcp_token", "created", "revoked"),
  audited("member", "created", "updated", "deleted", "signed_in"),
  audited("model_provider", "created", "updated", "deleted"),
  audited("replay", "created", "cancelled"),
  audited("retry", "created", "cancelled"),
  audited("schedule", "created", "updated", "deleted"),
  audited("share", "created", "revoked"),
  audited("workflow", "created", "updated", "deleted"),
];
const RESOURCE_KINDS = RESOURCES.map(({ kind }) => kind);
/** What can be done, by the kind of the resource to which it is done. */
export const AUDIT_ACTIONS = RESOURCES.flatMap(({ actions }) => actions);
export const auditAction = z.enum(AUDIT_ACTIONS);

const auditResource = open({
  kind: z.enum(RESOURCE_KINDS).describe("What was changed."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name at that time."),
}).meta({ id: "AuditResource" });

/** An entry of the audit log. */
export const auditEntry = open({
  entryId: z.string().describe("The id of the entry."),
  at: timestamp.describe("When it happened."),
  by,
  action: auditAction.describe("What happened."),
  resource: auditResource.describe("To what it happened."),
  detail: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe("More about it, such as the `revision` after a change. Never a secret."),
  requestId: z.string().describe("The `X-Request-Id` of the request."),
}).meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;

/** What happened, without who did it and when. */
export type Audited = Pick<AuditEntry, "action" | "resource"> & { detail?: AuditEntry["detail"] };

/** The filters of the audit log, with times in epoch milliseconds. */
export interface AuditQuery {
  limit: number;
  /** The last entry of the previous page. */
  after: string | null;
  action?: string | undefined;
  /** The id of a resource. */
  resource?: string | undefined;
  /** The id or the kind of who acted. */
  by?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Digits of the time in an id: enough for every date, so that ids sort as their times do. */
const TIME_DIGITS = 12;

/** Returns the beginning of the ids of entries of a time. */
export function auditIdAt(at: number): string {
  return `aud_${Math.max(0, at).toString(16).padStart(TIME_DIGITS, "0")}`;
}

/** Returns what the ids of the entries that are still kept come after. */
export const oldestAuditId = (now: number): string => auditIdAt(now - AUDIT_DAYS * 86_400_000);

/** Makes the entry of what an actor did. `random` makes its id unlike any other. */
export function auditEntryOf(
  { by: who, requestId }: Actor,
  { action, resource, detail = {} }: Audited,
  { now, random }: { now: number; random: string },
): AuditEntry {
  const entryId = `${auditIdAt(now)}${random}`;
  const at = new Date(now).toISOString();
  return { entryId, at, by: who, action, resource, detail, requestId };
}
