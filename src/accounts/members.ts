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
} from "../contract/members.ts";
import { KnownTable } from "../durable/rows.ts";

const memberRow = z
  .object({
    member_id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    // A role of newer code is read as the one that may do least.
    role: role.catch("viewer"),
    created_at: z.number(),
    last_sign_in_at: z.number().nullable(),
  })
  .transform((row): MemberRecord => {
    const { member_id: memberId, email, name, role, created_at, last_sign_in_at: last } = row;
    const createdAt = new Date(created_at).toISOString();
    const lastSignInAt = last === null ? null : new Date(last).toISOString();
    return { memberId, email, name, role, createdAt, lastSignInAt };
  });

const sessionRow = z.object({ member_id: z.string() });

/** How long a member stays signed in. */
const SESSION_MS = 7 * 86_400_000;

/** The members of an account and their sessions, by the hashes of the sessions' tokens. */
export class Members extends KnownTable<MemberRecord> {
  protected override read(): MemberRecord[] {
    return this.rows(memberRow, "SELECT * FROM members");
  }

  /** Returns who signed in with a token, and what the member's role allows now; null for no session. */
  check(tokenHash: string, now: number): { key: Caller["key"]; by: By } | null {
    const session = "SELECT member_id FROM sessions WHERE token_hash = ? AND expires_at > ?";
    const memberId = this.first(sessionRow, session, tokenHash, now)?.member_id;
    const member = memberId === undefined ? null : this.#find(memberId);
    if (member === null) return null;
    const { memberId: id, name, email } = member;
    const shown = name ?? email;
    return {
      key: { keyId: id, name: shown, scopes: scopesOfRole(member.role) },
      by: { kind: "member", id, name: shown },
    };
  }

  add({ memberId, email, name, role }: NewMember, now: number): AddMemberReply {
    const all = this.all();
    if (all.some((member) => member.email === email)) return { kind: "email_taken" };
    if (all.length >= MAX_MEMBERS) return { kind: "full" };
    const row = { member_id: memberId, email, name, role, created_at: now };
    this.insert("members", row);
    return { kind: "added", record: this.#changed(memberId) };
  }

  change(memberId: string, change: MemberChange): ChangeMemberReply {
    const member = this.#find(memberId);
    if (member === null) return { kind: "not_found" };
    const { role = member.role, name = member.name } = change;
    if (role !== "admin" && this.#isLastAdmin(member)) return { kind: "last_admin" };
    this.update("members", { role, name }, "member_id = ?", memberId);
    return { kind: "changed", record: this.#changed(memberId) };
  }

  /** Removes a member, whose sessions end at once. */
  remove(memberId: string): ChangeMemberReply {
    const record = this.#find(memberId);
    if (record === null) return { kind: "not_found" };
    if (this.#isLastAdmin(record)) return { kind: "last_admin" };
    this.sql.exec("DELETE FROM members WHERE member_id = ?", memberId);
    this.sql.exec("DELETE FROM sessions WHERE member_id = ?", memberId);
    this.forget();
    return { kind: "changed", record };
  }

  /** Begins a session of the member with this address; returns null if there is none. */
  signIn(email: string, tokenHash: string, now: number): MemberRecord | null {
    const member = this.all().find((each) => each.email === email);
    if (member === undefined) return null;
    const { memberId } = member;
    this.sql.exec("DELETE FROM sessions WHERE expires_at <= ?", now);
    const session = { token_hash: tokenHash, member_id: memberId, expires_at: now + SESSION_MS };
    this.insert("sessions", session);
    this.update("members", { last_sign_in_at: now }, "member_id = ?", memberId);
    return this.#changed(memberId);
  }

  signOut(tokenHash: string): void {
    this.sql.exec("DELETE FROM sessions WHERE token_hash = ?", tokenHash);
  }

  #isLastAdmin({ memberId, role }: MemberRecord): boolean {
    if (role !== "admin") return false;
    return !this.all().some((each) => each.role === "admin" && each.memberId !== memberId);
  }

  #changed(memberId: string): MemberRecord {
    this.forget();
    const member = this.#find(memberId);
    if (member === null) throw new Error("The member that was just stored is missing.");
    return member;
  }

  #find(memberId: string): MemberRecord | null {
    return this.all().find((member) => member.memberId === memberId) ?? null;
  }
}
