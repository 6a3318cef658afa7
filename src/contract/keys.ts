import * as z from "zod";
import { changing, closed, listOf, oneOf, open, timestamp, whole } from "./fields.ts";
import { label } from "./operators.ts";

export const SCOPES = [
  "executions:read",
  "executions:write",
  "credits:read",
  "workflows:read",
  "workflows:write",
  "webhooks:read",
  "webhooks:write",
  "decisions:read",
  "decisions:write",
  "destinations:read",
  "destinations:write",
  "models:read",
  "models:write",
  "members:admin",
  "audit:read",
  "keys:admin",
] as const;
export const scope = z.enum(SCOPES).describe("A permission of a key.");
export type Scope = z.infer<typeof scope>;

/** The most keys of one account that are valid at the same time. */
export const MAX_KEYS = 1_000;
/** The fewest revoked and expired keys to keep, the newest ones. */
export const KEPT_ENDED_KEYS = 500;

/** The body of POST /keys. Without scopes, the key has all of them. */
export const createKeyBody = closed({
  name: label,
  scopes: listOf(scope, SCOPES.length, 1)
    .optional()
    .describe("The scopes of the key. If left out, all scopes."),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe("When it expires, if ever."),
}).meta({ id: "CreateKey" });

/** The body of POST /keys/:keyId/rotate. */
export const rotateKeyBody = closed({
  overlapSeconds: whole(0, 2_592_000)
    .default(86_400)
    .describe("How long the old key stays valid, in seconds."),
}).meta({ id: "RotateKey" });

/** A key in a list. The key itself is shown once, when it is created. */
export const apiKeyRecord = open({
  keyId: z.string().describe("The id of the key."),
  name: label,
  scopes: listOf(scope).describe("The scopes of the key."),
  last4: z.string().describe("The key's last four characters."),
  createdAt: timestamp.describe("When it was created."),
  expiresAt: timestamp.nullable().describe("When the key expires; null for never."),
  revokedAt: timestamp.nullable().describe("When it was revoked, or null."),
  lastUsedAt: timestamp.nullable().describe("When it was last used, or null."),
}).meta({ id: "ApiKey" });
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;
/** A key as its account knows it: a token of the MCP server may be limited to some endpoints. */
export type KeptKeyRecord = ApiKeyRecord & { endpointIds?: string[] };

export const apiKeyCreated = apiKeyRecord
  .extend({ apiKey: z.string().describe("The key itself. It is not shown again.") })
  .meta({ id: "ApiKeyCreated" });
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>;

/** The most members of one account. */
export const MAX_MEMBERS = 500;

export const ROLES = ["viewer", "operator", "admin"] as const;
export const role = oneOf(...ROLES).describe(
  "What the member may do: `viewer` reads; `operator` also starts, stops, answers, approves and replays; `admin` may do everything.",
);
export type Role = z.infer<typeof role>;

/** The scopes of an operator beside those to read. */
const OPERATOR_SCOPES: readonly Scope[] = ["executions:write", "decisions:write"];

/** Returns the scopes of a role. */
export function scopesOfRole(of: Role): Scope[] {
  if (of === "admin") return [...SCOPES];
  return SCOPES.filter(
    (scope) => scope.endsWith(":read") || (of === "operator" && OPERATOR_SCOPES.includes(scope)),
  );
}

/** An e-mail address as it is compared: in lower case. */
export const memberEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email("must be an e-mail address"))
  .meta({ format: "email" })
  .describe("The e-mail address with which the member signs in, in lower case.");

/** The body of POST /members. */
export const createMemberBody = closed({
  email: memberEmail,
  role,
  name: label.optional(),
}).meta({ id: "CreateMember" });

/** The body of PATCH /members/:memberId. */
export const updateMemberBody = changing({ role, name: label.nullable() }).meta({
  id: "UpdateMember",
});
export type MemberChange = z.infer<typeof updateMemberBody>;

export const memberRecord = open({
  memberId: z.string().describe("The id of the member."),
  email: z.string().describe("The e-mail address with which the member signs in."),
  name: label.nullable().describe("The name of the member, or null."),
  role,
  createdAt: timestamp.describe("When the member was added."),
  lastSignInAt: timestamp.nullable().describe("When the member last signed in, or null."),
}).meta({ id: "Member" });
export type MemberRecord = z.infer<typeof memberRecord>;

export type NewMember = Pick<MemberRecord, "memberId" | "email" | "name" | "role">;

/** `email_taken`: the address is a member already. */
export type AddMemberReply =
  | { kind: "added"; record: MemberRecord }
  | { kind: "email_taken" }
  | { kind: "full" };

/** `last_admin`: the account would have members and no admin among them. */
export type ChangeMemberReply =
  | { kind: "changed"; record: MemberRecord }
  | { kind: "not_found" }
  | { kind: "last_admin" };

/** How a member proved an address. */
export type SignInMethod = "link" | "access" | "oauth";

/** A session that was begun. */
export interface SignedIn {
  account: string;
  member: MemberRecord;
}
