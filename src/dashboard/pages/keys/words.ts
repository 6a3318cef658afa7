import { type ApiKeyRecord, SCOPES, type Scope } from "../../../contract/account.ts";

/** What each scope allows. */
export const ALLOWS: Record<Scope, string> = {
  "executions:read": "See executions, their events, results and files, and what was used.",
  "executions:write":
    "Start executions and run workflows; write to executions, approve and stop them.",
  "credits:read": "See the balance.",
  "workflows:read": "See workflows.",
  "workflows:write": "Make, change and delete workflows.",
  "webhooks:read": "See endpoints, their request logs and what came in.",
  "webhooks:write": "Make, change and delete endpoints, replay requests.",
  "keys:admin": "Make and revoke keys, this one included, and register MCP servers.",
};

/** What a key may do, in short. */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.length === SCOPES.length ? "everything" : scopes.join(", ");
}

/** Whether a key works now, in a word. `now` in epoch milliseconds. */
export function stateOf(
  { revokedAt, expiresAt }: ApiKeyRecord,
  now: number,
): "active" | "revoked" | "expired" {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** Until when a key works: a rotated one is revoked at a time to come. Null for ever. */
export function endOf({ revokedAt, expiresAt }: ApiKeyRecord): string | null {
  if (revokedAt === null || expiresAt === null) return revokedAt ?? expiresAt;
  return revokedAt < expiresAt ? revokedAt : expiresAt;
}

/** For how long a new key works, in days; empty for ever. */
export const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** For how long a key that is rotated still works, in seconds. */
export const OVERLAPS = [
  { value: "0", label: "It stops at once" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For a week" },
  { value: "2592000", label: "For 30 days" },
];
