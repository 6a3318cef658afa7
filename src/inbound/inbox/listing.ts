import * as z from "zod";
import type { LogPosition, LogQuery } from "../../contract/inbound/inbox.ts";
import type { RequestStatus } from "../../contract/inbound/log.ts";
import { STAGES } from "../../contract/inbound/payload.ts";

const placeRow = z.object({ seq: z.int(), received_at: z.int(), request_id: z.string() });
/** How many entries `recent` looks at. */
const PORTION = 5_000;
/** The stages that see a parsed payload. */
const AFTER_PARSE = STAGES.slice(STAGES.indexOf("parse") + 1);

type Place = z.infer<typeof placeRow>;

/** Finds the entries of a page, newest first, in indexes alone. */
export class Listing {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  page(query: LogQuery): { seqs: number[]; next: LogPosition | null } {
    const statuses = query.statuses.length === 0 ? [null] : query.statuses;
    const found = statuses.flatMap((status) => this.#places(query, status)).sort(newestFirst);
    const page = found.slice(0, query.limit);
    const last = found.length > query.limit ? page.at(-1) : undefined;
    return {
      seqs: page.map(({ seq }) => seq),
      next:
        last === undefined ? null : { receivedAt: last.received_at, requestId: last.request_id },
    };
  }

  /**
   * The newest ones from after a place on that were looked into and are whole: not what was refused
   * before its payload was read, and no challenges, which are answered and start nothing. It looks at
   * a portion of the log; null for `next` when that was the rest of it.
   */
  recent(limit: number, after: LogPosition | null): { places: Place[]; next: LogPosition | null } {
    const position = [after?.receivedAt ?? Number.MAX_SAFE_INTEGER, after?.requestId ?? ""];
    const places = this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE seq IN
         (SELECT seq FROM requests WHERE (received_at, request_id) < (?, ?)
          ORDER BY received_at DESC, request_id DESC LIMIT ?)
         AND body_truncated = 0 AND NOT (status = 'succeeded' AND execution_id IS NULL)
         AND (status <> 'rejected' OR outcome ->> '$.errors[0].stage' IN
           (SELECT value FROM json_each(?)))
       ORDER BY received_at DESC, request_id DESC LIMIT ?`,
      ...position,
      PORTION,
      JSON.stringify(AFTER_PARSE),
      limit,
    );
    const last = places.length === limit ? places.at(-1) : this.#endOfPortion(position);
    return { places, next: last === undefined ? null : positionOf(last) };
  }

  #endOfPortion(position: (string | number)[]): Place | undefined {
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE (received_at, request_id) < (?, ?)
       ORDER BY received_at DESC, request_id DESC LIMIT 1 OFFSET ?`,
      ...position,
      PORTION - 1,
    )[0];
  }

  /** One more than asked for, so that it is known whether there is a next page. */
  #places(query: LogQuery, status: RequestStatus | null): Place[] {
    const { cursor, duplicate, receivedAfter, receivedBefore } = query;
    const conditions = ["(received_at, request_id) < (?, ?)", "received_at > ?", "received_at < ?"];
    const values: (string | number)[] = [
      cursor?.receivedAt ?? Number.MAX_SAFE_INTEGER,
      cursor?.requestId ?? "",
      receivedAfter ?? -1,
      receivedBefore ?? Number.MAX_SAFE_INTEGER,
    ];
    // As a literal, since only so the index of duplicates is used.
    if (duplicate !== null) conditions.push(`duplicate = ${duplicate ? 1 : 0}`);
    if (status !== null) {
      conditions.push("status = ?");
      values.push(status);
    }
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE ${conditions.join(" AND ")}
       ORDER BY received_at DESC, request_id DESC LIMIT ?`,
      ...values,
      query.limit + 1,
    );
  }

  #rows(query: string, ...values: (string | number)[]): Place[] {
    return this.#sql
      .exec(query, ...values)
      .toArray()
      .map((row) => placeRow.parse(row));
  }
}

/** The place of an entry in the log. */
export function positionOf({ received_at, request_id }: Place): LogPosition {
  return { receivedAt: received_at, requestId: request_id };
}

function newestFirst(a: Place, b: Place): number {
  return b.received_at - a.received_at || (a.request_id < b.request_id ? 1 : -1);
}
