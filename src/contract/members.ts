import * as z from "zod";
import { closed, oneOf, open, timestamp } from "./fields.ts";
import { SCOPES, type Scope } from "./keys.ts";
import { label } from "./operators.ts";

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
export const updateMemberBody = closed({
  role: role.optional(),
  name: label.nullish(),
}).meta({ id: "UpdateMember" });
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
