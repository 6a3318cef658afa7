import * as z from "zod";
import { type AuditEntry, auditEntry } from "../contract/audit.ts";
import {
  type createMemberBody,
  type MemberRecord,
  memberRecord,
  type updateMemberBody,
} from "../contract/members.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const memberPage = z.object({ members: z.array(memberRecord), nextCursor: z.string().nullable() });

/** The people of the account. */
export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createMemberBody>, { signal }: CallOptions = {}) {
    return this.#transport.json({ method: "POST", path: "/members", body, signal }, memberRecord);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/members", query: { ...query }, signal } as const;
    return this.#transport.json(request, memberPage);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<MemberRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { members } of eachPage(read)) yield* members;
  }

  update(memberId: string, body: z.input<typeof updateMemberBody>, { signal }: CallOptions = {}) {
    const request = { method: "PATCH", path: at(memberId), body, signal } as const;
    return this.#transport.json(request, memberRecord);
  }

  delete(memberId: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: at(memberId), signal });
  }
}

function at(memberId: string): string {
  return `/members/${encodeURIComponent(memberId)}`;
}

/** The filters of the audit log; times are ISO 8601. */
export interface AuditFilter {
  action?: string | undefined;
  resource?: string | undefined;
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const auditPage = z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() });

/** Who did what in the account. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: AuditFilter & PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/audit", query: { ...query }, signal } as const;
    return this.#transport.json(request, auditPage);
  }

  /** Iterates over all entries of a filter, newest first, page by page. */
  async *all(
    filter: AuditFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<AuditEntry, void, void> {
    const read = (place: PageQuery) => this.list({ ...filter, ...place, limit: 100 }, options);
    for await (const { entries } of eachPage(read)) yield* entries;
  }
}
