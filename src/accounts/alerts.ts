import * as z from "zod";
import {
  type AlertRecord,
  type AlertType,
  alertRecord,
  alertResource,
  type Trouble,
} from "../contract/alerts.ts";
import { jsonObject } from "../contract/json.ts";
import { jsonColumn, type TableSql, Tables } from "../durable/rows.ts";
import { iso } from "../lib/instants.ts";
import type { Messages } from "./messages.ts";

/** One message for each type and resource in this time. */
const QUIET_MS = 3_600_000;
/** What nobody reports as mended counts as such after this time. */
const FORGOTTEN_MS = 24 * 3_600_000;

const stored = z.object({
  type: alertRecord.shape.type,
  resource: alertResource,
  data: jsonObject,
  page: z.string(),
  isActive: z.boolean(),
  since: z.int(),
  lastAt: z.int(),
  count: z.int(),
  /** What happened since the last message, and when that was sent. */
  untold: z.int(),
  toldAt: z.int().nullable(),
  /** Whether a message was sent since it began. */
  isTold: z.boolean(),
});
type Stored = z.infer<typeof stored>;
const alertRow = z.object({ alert: jsonColumn(stored) });

/** What is wrong in the account now: stored, and all of it in memory. Each is told once in an hour. */
export class Alerts extends Tables {
  readonly #messages: Pick<Messages, "emit">;
  readonly #wake: () => void;
  readonly #known: Map<string, Stored>;

  /** `wake` has `tellHeld` called at `nextLook`. */
  constructor(sql: TableSql, messages: Pick<Messages, "emit">, wake: () => void) {
    super(sql);
    this.#messages = messages;
    this.#wake = wake;
    const alerts = { shape: alertRow, what: "alert", id: "resource_id" };
    const rows = this.readable(alerts, "SELECT resource_id, alert FROM alerts");
    this.#known = new Map(rows.map(({ alert }) => [keyOf(alert.type, alert.resource.id), alert]));
  }

  /** When to tell of an alert that waits for the end of its hour (epoch milliseconds), or null. */
  get nextLook(): number | null {
    const times = this.#held().map(quietUntil);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Notes that something went wrong, and tells of it, or after the hour if that was done within it. */
  raise({ count = 1, ...trouble }: Trouble, now: number): void {
    const before = this.#known.get(keyOf(trouble.type, trouble.resource.id));
    const { toldAt = null, untold = 0 } = before ?? {};
    const open = before?.isActive === true ? before : { since: now, count: 0, isTold: false };
    const after: Stored = {
      ...trouble,
      toldAt,
      isActive: true,
      since: open.since,
      lastAt: now,
      count: open.count + count,
      untold: untold + count,
      isTold: open.isTold,
    };
    this.#store(after);
    if (this.tellHeld(now) !== null) this.#wake();
  }

  /** Tells of what is wrong and was kept quiet for an hour. Returns when to look again, or null. */
  tellHeld(now: number): number | null {
    for (const alert of this.#held().filter((each) => quietUntil(each) <= now)) {
      this.#store({ ...alert, untold: 0, toldAt: now, isTold: true });
      this.#tell(alert.type, alert, { ...alert.data, count: alert.untold }, now);
    }
    return this.nextLook;
  }

  /** Notes whether something is wrong. Writes only when that has changed. */
  watch(isWrong: boolean, trouble: Trouble, now: number): void {
    const { type, resource } = trouble;
    const wasWrong = this.#known.get(keyOf(type, resource.id))?.isActive === true;
    if (isWrong === wasWrong) return;
    if (isWrong) this.raise(trouble, now);
    else this.clear(type, resource.id, now);
  }

  /** Notes that something is mended; what was told of an endpoint is followed by its recovery. */
  clear(type: AlertType, resourceId: string, now: number): void {
    const before = this.#known.get(keyOf(type, resourceId));
    if (before === undefined || !before.isActive) return;
    this.#store({ ...before, isActive: false });
    if (type !== "endpoint.failing" || !before.isTold) return;
    this.#tell("endpoint.recovered", before, { count: before.count }, now);
  }

  /** Notes that a resource was deleted, and that nothing is wrong with it any more. */
  drop(resourceId: string, now: number): void {
    for (const { type, resource } of [...this.#known.values()])
      if (resource.id === resourceId) this.clear(type, resourceId, now);
  }

  list(now: number): AlertRecord[] {
    return [...this.#known.values()]
      .filter(({ type, isActive, lastAt }) => isActive && !isForgotten(type, lastAt, now))
      .map(({ type, resource, data, since, lastAt, count }) => ({
        type,
        resource,
        data,
        count,
        since: iso(since),
        lastAt: iso(lastAt),
      }));
  }

  /** Deletes what is mended and no longer quiet. */
  prune(now: number): void {
    for (const [key, alert] of this.#known) {
      const { type, resource, isActive, lastAt } = alert;
      if (now < quietUntil(alert) || (isActive && !isForgotten(type, lastAt, now))) continue;
      this.#known.delete(key);
      this.sql.exec("DELETE FROM alerts WHERE type = ? AND resource_id = ?", type, resource.id);
    }
  }

  /** Returns what is wrong and has happened since it was told. */
  #held(): Stored[] {
    return [...this.#known.values()].filter(({ isActive, untold }) => isActive && untold > 0);
  }

  #tell(
    type: AlertType | "endpoint.recovered",
    { resource, page, since: began }: Stored,
    data: z.infer<typeof jsonObject>,
    at: number,
  ): void {
    const since = iso(began);
    this.#messages.emit(type, () => ({
      key: `${type}_${resource.id.replace(/[^\w.-]/g, "-").slice(-40)}_${at}`,
      at,
      page,
      data: { resourceId: resource.id, name: resource.name, since, ...data },
    }));
  }

  #store(alert: Stored): void {
    this.#known.set(keyOf(alert.type, alert.resource.id), alert);
    const { type, resource } = alert;
    this.upsert("alerts", "type, resource_id", { type, resourceId: resource.id, alert });
  }
}

/** Returns when the hour without messages of an alert ends (epoch milliseconds). */
function quietUntil({ toldAt }: Stored): number {
  return toldAt === null ? 0 : toldAt + QUIET_MS;
}

/** Nothing reports that a connection works again. */
function isForgotten(type: AlertType, lastAt: number, now: number): boolean {
  return type === "connection.needs_attention" && now - lastAt >= FORGOTTEN_MS;
}

function keyOf(type: string, resourceId: string): string {
  return `${type} ${resourceId}`;
}
