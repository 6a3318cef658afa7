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
import type { TableSql } from "../durable/storage.ts";

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

const sessionRow = z.object({
  token_hash: z.string(),
  member_id: z.string(),
  expires_at: z.number(),
});

/** How long a member stays signed in. */
const SESSION_MS = 7 * 86_400_000;

/** The members of an account and their sessions, by the hashes of the sessions' tokens. */
export class Members {
  readonly #sql: TableSql;
  #known: MemberRecord[] | null = null;
  #sessions: Map<string, { memberId: string; expiresAt: number }> | null = null;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  list(): MemberRecord[] {
    this.#known ??= this.#sql
      .exec("SELECT * FROM members")
      .toArray()
      .map((row) => memberRow.parse(row));
    return this.#known;
  }

  /** Returns who signed in with a token, and what the member's role allows now; null for no session. */
  check(tokenHash: string, now: number): { key: Caller["key"]; by: By } | null {
    const session = this.#allSessions().get(tokenHash);
    if (session === undefined || session.expiresAt <= now) return null;
    const member = this.#find(session.memberId);
    if (member === null) return null;
    const { memberId: id, name, email } = member;
    const shown = name ?? email;
    return {
      key: { keyId: id, name: shown, scopes: scopesOfRole(member.role) },
      by: { kind: "member", id, name: shown },
    };
  }

  add({ memberId, email, name, role }: NewMember, now: number): AddMemberReply {
    const all = this.list();
    if (all.some((member) => member.email === email)) return { kind: "email_taken" };
    if (all.length >= MAX_MEMBERS) return { kind: "full" };
    this.#sql.exec(
      "INSERT INTO members (member_id, email, name, role, created_at) VALUES (?, ?, ?, ?, ?)",
      memberId,
      email,
      name,
      role,
      now,
    );
    return { kind: "added", record: this.#changed(memberId) };
  }

  change(memberId: string, change: MemberChange): ChangeMemberReply {
    const member = this.#find(memberId);
    if (member === null) return { kind: "not_found" };
    const { role = member.role, name = member.name } = change;
    if (role !== "admin" && this.#isLastAdmin(member)) return { kind: "last_admin" };
    this.#sql.exec(
      "UPDATE members SET role = ?, name = ? WHERE member_id = ?",
      role,
      name,
      memberId,
    );
    return { kind: "changed", record: this.#changed(memberId) };
  }

  /** Removes a member, whose sessions end at once. */
  remove(memberId: string): ChangeMemberReply {
    const record = this.#find(memberId);
    if (record === null) return { kind: "not_found" };
    if (this.#isLastAdmin(record)) return { kind: "last_admin" };
    this.#sql.exec("DELETE FROM members WHERE member_id = ?", memberId);
    this.#sql.exec("DELETE FROM sessions WHERE member_id = ?", memberId);
    this.forget();
    return { kind: "changed", record };
  }

  /** Begins a session of the member with this address; returns null if there is none. */
  signIn(email: string, tokenHash: string, now: number): MemberRecord | null {
    const member = this.list().find((each) => each.email === email);
    if (member === undefined) return null;
    const { memberId } = member;
    this.#sql.exec("DELETE FROM sessions WHERE expires_at <= ?", now);
    this.#sql.exec(
      "INSERT INTO sessions (token_hash, member_id, expires_at) VALUES (?, ?, ?)",
      tokenHash,
      memberId,
      now + SESSION_MS,
    );
    this.#sql.exec("UPDATE members SET last_sign_in_at = ? WHERE member_id = ?", now, memberId);
    return this.#changed(memberId);
  }

  signOut(tokenHash: string): void {
    this.#sql.exec("DELETE FROM sessions WHERE token_hash = ?", tokenHash);
    this.forget();
  }

  /** Drops what is in memory: a change may have been undone. */
  forget(): void {
    this.#known = null;
    this.#sessions = null;
  }

  #isLastAdmin({ memberId, role }: MemberRecord): boolean {
    if (role !== "admin") return false;
    return !this.list().some((each) => each.role === "admin" && each.memberId !== memberId);
  }

  #changed(memberId: string): MemberRecord {
    this.forget();
    const member = this.#find(memberId);
    if (member === null) throw new Error("The member that was just stored is missing.");
    return member;
  }

  #find(memberId: string): MemberRecord | null {
    return this.list().find((member) => member.memberId === memberId) ?? null;
  }

  #allSessions() {
    this.#sessions ??= new Map(
      this.#sql
        .exec("SELECT * FROM sessions")
        .toArray()
        .map((row) => sessionRow.parse(row))
        .map((row) => [row.token_hash, { memberId: row.member_id, expiresAt: row.expires_at }]),
    );
    return this.#sessions;
  }
}
