import * as z from "zod";
import { afterAttempt } from "../../callbacks/schedule.ts";
import {
  type CallbackAttempt,
  type CallbackLog,
  callbackAttempt,
  type DeliveryReport,
} from "../../contract/callbacks.ts";
import { isLong, LongTexts } from "../../durable/long-texts.ts";

/** After this long an unanswered queue message counts as lost and is sent again. */
const GRACE_MS = 10_000;
const LONGEST_GRACE_MS = 600_000;
/** After this long a started attempt without a report counts as lost. */
const LEASE_MS = 45_000;
/** The message is sent right after the commit; this is when it is sent if that failed. */
const BACKUP_MS = 2_000;

const deliveryRow = z.object({
  delivery_id: z.string(),
  event: z.string(),
  webhook_id: z.string(),
  url: z.string(),
  snapshot: z.string().nullable(),
  state: z.enum(["pending", "delivered", "failed"]),
  attempt: z.number(),
  event_at: z.number(),
  check_at: z.number(),
  sends: z.number(),
  leased: z.number(),
});
export type Delivery = z.infer<typeof deliveryRow>;

/** Stores an execution's callback deliveries and all attempts. */
export class Deliveries {
  readonly #sql: SqlStorage;
  /** Holds snapshots that are too long for one value. */
  readonly #long: LongTexts;

  constructor({ sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#long = new LongTexts(kv);
  }

  /**
   * Adds a delivery. `snapshot` is its body if that can change later, else null. Call it within a
   * transaction.
   */
  add(
    owed: { event: string; webhookId: string; url: string; snapshot: string | null },
    now: number,
  ): void {
    const { count } = z
      .object({ count: z.number() })
      .parse(this.#sql.exec("SELECT count(*) AS count FROM deliveries").one());
    const deliveryId = `del_${count + 1}`;
    const { snapshot } = owed;
    const inPieces = snapshot !== null && isLong(snapshot);
    if (inPieces) this.#long.put(bodyOf(deliveryId), snapshot);
    this.#sql.exec(
      `INSERT INTO deliveries
         (delivery_id, event, webhook_id, url, snapshot, state, attempt, event_at, check_at, sends, leased)
       VALUES (?, ?, ?, ?, ?, 'pending', 1, ?, ?, 0, 0)`,
      deliveryId,
      owed.event,
      owed.webhookId,
      owed.url,
      inPieces ? null : snapshot,
      now,
      now + BACKUP_MS,
    );
  }

  /** Returns when the next delivery is due for a check, or null. */
  nextCheck(): number | null {
    const row = this.#sql
      .exec("SELECT min(check_at) AS at FROM deliveries WHERE state = 'pending'")
      .one();
    return z.object({ at: z.number().nullable() }).parse(row).at;
  }

  /** Returns the deliveries whose message must be sent now: new, due, or lost. */
  toSend(now: number): Delivery[] {
    return this.#select(
      "state = 'pending' AND (check_at <= ? OR (attempt = 1 AND sends = 0)) ORDER BY event_at",
      now,
    );
  }

  /** Records a sent message. If no attempt follows, it is sent again, at growing intervals. */
  sent({ delivery_id, sends }: Delivery, now: number): void {
    const grace = Math.min(GRACE_MS * 2 ** sends, LONGEST_GRACE_MS);
    this.#sql.exec(
      "UPDATE deliveries SET sends = sends + 1, leased = 0, check_at = ? WHERE delivery_id = ?",
      now + grace,
      delivery_id,
    );
  }

  /**
   * Records that the queue refused the message, and retries soon. A refused message does not count, or
   * an outage would delay the retry of the first message lost after it.
   */
  notSent({ delivery_id }: Delivery, now: number): void {
    this.#sql.exec(
      "UPDATE deliveries SET sends = max(sends - 1, 1), check_at = ? WHERE delivery_id = ?",
      now + BACKUP_MS,
      delivery_id,
    );
  }

  /** Starts an attempt; returns null if it is over, not due, or running elsewhere. */
  begin(deliveryId: string, attempt: number, now: number): Delivery | null {
    const delivery = this.#open(deliveryId, attempt);
    if (delivery === null || (delivery.leased === 1 && delivery.check_at > now)) return null;
    this.#sql.exec(
      "UPDATE deliveries SET leased = 1, check_at = ? WHERE delivery_id = ?",
      now + LEASE_MS,
      deliveryId,
    );
    return { ...delivery, snapshot: delivery.snapshot ?? this.#long.get(bodyOf(deliveryId)) };
  }

  /** Records an attempt and plans the next one. A report for a finished attempt changes nothing. */
  end(
    deliveryId: string,
    attempt: number,
    report: DeliveryReport,
    clock: { now: number; random: number },
  ): void {
    const delivery = this.#open(deliveryId, attempt);
    if (delivery === null) return;
    const eventAt = delivery.event_at;
    const verdict = afterAttempt({ attempt, eventAt, report, ...clock });
    const entry: CallbackAttempt = {
      attempt,
      event: delivery.event,
      webhookId: delivery.webhook_id,
      at: new Date(report.at).toISOString(),
      url: delivery.url,
      status: report.status,
      durationMs: report.durationMs,
      ...(report.error === null ? {} : { error: report.error }),
      ...(verdict.kind === "retry" ? { nextAttemptAt: new Date(verdict.at).toISOString() } : {}),
    };
    this.#sql.exec(
      "INSERT INTO attempts (delivery_id, attempt) VALUES (?, ?)",
      deliveryId,
      JSON.stringify(entry),
    );
    if (verdict.kind === "retry") {
      this.#sql.exec(
        "UPDATE deliveries SET attempt = attempt + 1, sends = 0, leased = 0, check_at = ? WHERE delivery_id = ?",
        verdict.at,
        deliveryId,
      );
      return;
    }
    this.#sql.exec(
      "UPDATE deliveries SET state = ?, leased = 0 WHERE delivery_id = ?",
      verdict.kind,
      deliveryId,
    );
    this.#long.delete(bodyOf(deliveryId));
  }

  log(): CallbackLog {
    const latest = this.#select("1 ORDER BY rowid DESC LIMIT 1")[0];
    const attempts = this.#sql
      .exec("SELECT attempt FROM attempts ORDER BY idx")
      .toArray()
      .map((row) =>
        callbackAttempt.parse(JSON.parse(z.object({ attempt: z.string() }).parse(row).attempt)),
      );
    return { attempts, state: latest?.state ?? "none" };
  }

  #open(deliveryId: string, attempt: number): Delivery | null {
    const found = this.#select(
      "delivery_id = ? AND attempt = ? AND state = 'pending'",
      deliveryId,
      attempt,
    );
    return found[0] ?? null;
  }

  #select(where: string, ...bindings: (string | number)[]): Delivery[] {
    return this.#sql
      .exec(`SELECT * FROM deliveries WHERE ${where}`, ...bindings)
      .toArray()
      .map((row) => deliveryRow.parse(row));
  }
}

/** Returns the key of a long snapshot. */
function bodyOf(deliveryId: string): string {
  return `callback/${deliveryId}`;
}
