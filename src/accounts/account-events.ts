import * as z from "zod";
import type { EventData, EventType } from "../contract/destinations.ts";
import { jsonObject } from "../contract/json.ts";
import type { EventFilter, FeedEvent } from "../contract/mcp-events.ts";
import type { EventSource } from "../deliveries/subscriptions.ts";
import { jsonColumn, rowShape, Tables } from "../durable/rows.ts";

/** How long an event can be delivered. */
const KEPT_MS = 7 * 86_400_000;

const eventRow = rowShape({
  eventId: z.string(),
  at: z.int(),
  page: z.string(),
  data: jsonColumn(jsonObject),
});

/** The events of an account, kept while there are subscriptions to them. */
export class AccountEvents extends Tables implements EventSource {
  /** Adds an event, within the transaction of what happened. A repeat changes nothing. */
  add(type: EventType, { key, at, page, data }: EventData): void {
    const row = { eventId: `${type}_${key}`, type, at, page, data };
    this.insert("events", row, "ON CONFLICT (event_id) DO NOTHING");
  }

  head(): number {
    return this.number("SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0;
  }

  before(time: number): number {
    return this.number("SELECT min(seq) - 1 AS seq FROM events WHERE at >= ?", time) ?? this.head();
  }

  /** Nothing is kept while nobody subscribes, so nothing is missed. */
  isCut(): boolean {
    return false;
  }

  async next({ eventType }: EventFilter, after: number) {
    const seq = this.number(
      "SELECT min(seq) AS seq FROM events WHERE seq > ? AND type = ?",
      after,
      eventType ?? "",
    );
    return { seq, upTo: seq ?? Math.max(after, this.head()), more: seq !== null };
  }

  async event(seq: number, origin: string): Promise<FeedEvent | null> {
    const found = this.first(eventRow, "SELECT * FROM events WHERE seq = ?", seq);
    if (found === null) return null;
    const { eventId, at, page, data } = found;
    const url = new URL(page, origin).href;
    return { eventId, timestamp: new Date(at).toISOString(), data: { ...data, url } };
  }

  prune(now: number): void {
    this.sql.exec("DELETE FROM events WHERE at < ?", now - KEPT_MS);
  }
}
