import * as z from "zod";
import type { EventFilter, FeedEvent, FeedPage, FeedQuery } from "../contract/mcp-events.ts";
import { type EventSource, eventData } from "../deliveries/subscriptions.ts";
import { rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { loggedPayload } from "../intake/logged.ts";
import { nearestJson } from "../lib/json-values.ts";
import type { RequestLog } from "./log.ts";
import type { LogReader } from "./log-reader.ts";
import { isMet } from "./waiters.ts";

/** Entries of the log that are looked at in one go. */
const PORTION = 200;
/** Longer ids, and those with other characters, do not fit into a header. */
const HEADER_ID = /^[\x21-\x7e]{1,255}$/;

const entryRow = rowShape({ seq: z.int(), eventType: z.string().nullable(), isEvent: z.int() });

interface FeedComponents {
  sql: TableSql;
  log: RequestLog;
  reader: LogReader;
  endpointId(): string;
}

/** The accepted requests of an endpoint as events, in the order of arrival, without replays and duplicates. */
export class EventFeed extends Tables implements EventSource {
  readonly #components: FeedComponents;

  constructor(components: FeedComponents) {
    super(components.sql);
    this.#components = components;
  }

  head(): number {
    return this.#components.log.head();
  }

  before(time: number): number {
    const first = this.number(
      "SELECT seq FROM requests WHERE received_at >= ? ORDER BY received_at, request_id LIMIT 1",
      time,
    );
    return first === null ? this.head() : first - 1;
  }

  isCut(after: number): boolean {
    const next = this.number("SELECT min(seq) AS seq FROM requests WHERE seq > ?", after);
    return next === null ? this.head() > after : next > after + 1;
  }

  async next(filter: EventFilter, after: number) {
    const entries = this.#entriesAfter(after);
    for (const entry of entries) {
      const { seq } = entry;
      if (await this.#isWanted(filter, entry)) return { seq, upTo: seq, more: true };
    }
    const upTo = entries.at(-1)?.seq ?? Math.max(after, this.head());
    return { seq: null, upTo, more: entries.length === PORTION };
  }

  /** Returns a page of events. */
  async read({ after, since, limit, origin, ...filter }: FeedQuery): Promise<FeedPage> {
    const head = this.head();
    if (after === null) return { events: [], upTo: head, more: false, isTruncated: false };
    const wanted = Math.min(after, head);
    const from = Math.max(wanted, since === null ? 0 : Math.min(this.before(since), head));
    const page: FeedPage = {
      events: [],
      upTo: from,
      more: true,
      isTruncated: from > wanted || this.isCut(from),
    };
    let looked = 0;
    while (page.more && page.events.length < limit && looked < PORTION) {
      const found = await this.next(filter, page.upTo);
      looked += found.upTo - page.upTo;
      page.upTo = found.upTo;
      page.more = found.more && found.upTo < head;
      const event = found.seq === null ? null : await this.event(found.seq, origin);
      if (event !== null) page.events.push(event);
    }
    return page;
  }

  async event(seq: number, origin: string): Promise<FeedEvent | null> {
    const { log, reader, endpointId } = this.#components;
    const row = log.at(seq);
    if (row === null) return null;
    const { requestId, eventId: id, receivedAt: at } = row;
    const path = `/api/v1/webhooks/${endpointId()}/requests/${requestId}`;
    const pointer = { requestId, url: new URL(path, origin).href };
    const parsed = row.bodyTruncated ? null : await loggedPayload(reader.request(row));
    const payload = parsed?.ok ? nearestJson(parsed.payload) : null;
    return {
      eventId: id !== null && HEADER_ID.test(id) ? id : requestId,
      timestamp: new Date(at).toISOString(),
      data: payload === null ? { truncated: true, ...pointer } : eventData(payload, pointer),
    };
  }

  async #isWanted(
    { eventType, when }: EventFilter,
    entry: z.infer<typeof entryRow>,
  ): Promise<boolean> {
    if (entry.isEvent === 0 || entry.eventType !== eventType) return false;
    if (when === null) return true;
    const request = this.#components.reader.requestAt(entry.seq);
    return request !== null && (await isMet(when, request));
  }

  #entriesAfter(seq: number) {
    const query = `SELECT seq, facts ->> '$.eventType' AS event_type,
        facts ->> '$.receipt.kind' = 'accepted' AND duplicate = 0
          AND facts ->> '$.replayOf' IS NULL AS is_event
      FROM requests WHERE seq > ? ORDER BY seq LIMIT ?`;
    return this.rows(entryRow, query, seq, PORTION);
  }
}
