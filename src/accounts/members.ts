import * as z from "zod";
import type { Caller } from "../contract/account.ts";
import type { By } from "../contract/actor.ts";
import {
  type AddMemberReply,
  type ChangeMemberReply,
  MAX_MEMBERS,
  type MemberChange,
  type MemberRecord,
  type NewMember,
  role,
  scopesOfRole,
} from "../contract/keys.ts";
import { KnownTable, rowShape } from "../durable/rows.ts";

const time = z.number().transform((at) => new Date(at).toISOString());
const memberRow = rowShape({
  memberId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  // A role of newer code is read as the one that may do least.
  role: role.catch("viewer"),
  createdAt: time,
  lastSignInAt: time.nullable(),
});

/** How long a member stays signed in. */
const SESSION_MS = 7 * 86_400_000;

/** The members of an account and their sessions, by the hashes of the sessions' tokens. */
export class Members extends KnownTable<"memberId", MemberRecord> {
  protected override readonly table = "members";
  protected override readonly key = "memberId";

  protected override read(): MemberRecord[] {
    return this.rows(memberRow, "SELECT * FROM members");
  }

  /** Returns who signed in with a token, and what the member's role allows now; null for no session. */
  check(tokenHash: string, now: number): { key: Caller["key"]; by: By } | null {
    const session = "SELECT member_id FROM sessions WHERE token_hash = ? AND expires_at > ?";
    const [memberId] = this.texts(session, tokenHash, now);
    const member = memberId === undefined ? null : this.find(memberId);
    if (member === null) return null;
    const { memberId: id, name, email } = member;
    const shown = name ?? email;
    return {
      key: { keyId: id, name: shown, scopes: scopesOfRole(member.role) },
      by: { kind: "member", id, name: shown },
    };
  }

  add(member: NewMember, now: number): AddMemberReply {
    const all = this.all();
    if (all.some(({ email }) => email === member.email)) return { kind: "email_taken" };
    if (all.length >= MAX_MEMBERS) return { kind: "full" };
    return { kind: "added", record: this.added({ ...member, createdAt: now }) };
  }

  change(memberId: string, change: MemberChange): ChangeMemberReply {
    const member = this.find(memberId);
    if (member === null) return { kind: "not_found" };
    const { role = member.role, name = member.name } = change;
    if (role !== "admin" && this.#isLastAdmin(member)) return { kind: "last_admin" };
    return { kind: "changed", record: this.changed(memberId, { role, name }) };
  }

  /** Removes a member, whose sessions end at once. */
  remove(memberId: string): ChangeMemberReply {
    const record = this.find(memberId);
    if (record === null) return { kind: "not_found" };
    if (this.#isLastAdmin(record)) return { kind: "last_admin" };
    this.delete(memberId);
    this.sql.exec("DELETE FROM sessions WHERE member_id = ?", memberId);
    return { kind: "changed", record };
  }

  /** Begins a session of the member with this address; returns null if there is none. */
  signIn(email: string, tokenHash: string, now: number): MemberRecord | null {
    const member = this.all().find((each) => each.email === email);
    if (member === undefined) return null;
    const { memberId } = member;
    this.sql.exec("DELETE FROM sessions WHERE expires_at <= ?", now);
    this.insert("sessions", { tokenHash, memberId, expiresAt: now + SESSION_MS });
    return this.changed(memberId, { lastSignInAt: now });
  }

  signOut(tokenHash: string): void {
    this.sql.exec("DELETE FROM sessions WHERE token_hash = ?", tokenHash);
  }

  #isLastAdmin({ memberId, role }: MemberRecord): boolean {
    if (role !== "admin") return false;
    return !this.all().some((each) => each.role === "admin" && each.memberId !== memberId);
  }
}
