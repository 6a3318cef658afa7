import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import type { ReceivedRequest, WorkBatch, WorkItem } from "../contract/webhooks/inbox.ts";
import { Tables } from "../durable/rows.ts";
import { mayHaveFiles } from "../intake/payload/parse.ts";
import { timeOf } from "../lib/execution-id.ts";
import { parseTraceparent } from "../lib/trace-context.ts";
import type { Configs } from "./configs.ts";
import type { RequestLog } from "./log.ts";
import type { EntryView } from "./log-reader.ts";
import { inputsOf, isReady, ownStart, type Starts, seqOf } from "./starts.ts";
import type { EntryRow } from "./tables.ts";

const readyRow = z.object({ seq: z.int(), execution_id: z.string(), config_version: z.int() });
const heldRow = z.object({ count: z.int(), bytes: z.int(), untried: z.int() });
const bytesRow = z.object({ body_bytes: z.int() });
const seqRow = z.object({ seq: z.int() });
const namedRow = z.object({ seq: z.int(), request_id: z.string() });
const countRow = z.object({ count: z.int() });

export type ReadyRow = z.infer<typeof readyRow>;

/**
 * The number of held requests and the bytes of their bodies. `untried` is the number of those that are
 * released as soon as there is something to start; the others could not be mapped.
 */
export type HeldWork = z.infer<typeof heldRow>;

/** Requests that are not started yet: held until a workflow can start them, or ready. */
export class Work extends Tables {
  /** Counted once: counting again for each request would take ever longer. */
  #held: HeldWork | null = null;

  hold(seq: number, bodyBytes: number): void {
    this.insert("work", { seq, released: 0, body_bytes: bodyBytes });
    if (this.#held === null) return;
    const { count, bytes, untried } = this.#held;
    this.#held = { count: count + 1, bytes: bytes + bodyBytes, untried: untried + 1 };
  }

  /** Adds a request that has something to start, unless it is here still. */
  add(seq: number, executionId: string, configVersion: number, bodyBytes: number): void {
    const row = { seq, execution_id: executionId, config_version: configVersion };
    const work = { ...row, released: 0, body_bytes: bodyBytes };
    this.insert("work", work, "ON CONFLICT (seq) DO NOTHING");
  }

  held(): HeldWork {
    this.#held ??= heldRow.parse(
      this.sql
        .exec(
          `SELECT count(*) AS count, coalesce(sum(body_bytes), 0) AS bytes,
             (SELECT count(*) FROM work WHERE execution_id IS NULL AND config_version IS NULL) AS untried
           FROM work WHERE execution_id IS NULL`,
        )
        .one(),
    );
    return this.#held;
  }

  /** Returns the places of held ones after a place, in the order of arrival. */
  heldAfter(seq: number, limit: number): number[] {
    const query =
      "SELECT seq FROM work WHERE execution_id IS NULL AND seq > ? ORDER BY seq LIMIT ?";
    return this.rows(seqRow, query, seq, limit).map((row) => row.seq);
  }

  /** Returns the place of the first held one to release, or null. */
  firstUntried(): number | null {
    const query = `SELECT seq FROM work WHERE execution_id IS NULL AND config_version IS NULL
      ORDER BY seq LIMIT 1`;
    return this.first(seqRow, query)?.seq ?? null;
  }

  /** Makes a held one ready. Released work is dispatched in order. */
  release(seq: number, executionId: string, configVersion: number): void {
    const changes = { execution_id: executionId, config_version: configVersion, released: 1 };
    const row = this.update("work", changes, "seq = ? RETURNING body_bytes", seq).one();
    if (this.#held === null) return;
    const { count, bytes, untried } = this.#held;
    const { body_bytes: bodyBytes } = bytesRow.parse(row);
    this.#held = { count: count - 1, bytes: bytes - bodyBytes, untried: untried - 1 };
  }

  /** Notes that a held one cannot be mapped under this configuration: the next ones come first. */
  keepHeld(seq: number, configVersion: number): void {
    this.sql.exec("UPDATE work SET config_version = ? WHERE seq = ?", configVersion, seq);
    if (this.#held !== null) this.#held = { ...this.#held, untried: this.#held.untried - 1 };
  }

  /** Lets all held ones be released again, in the order of arrival. */
  retryHeld(): void {
    this.#held = null;
    this.sql.exec("UPDATE work SET config_version = NULL WHERE execution_id IS NULL");
  }

  forget(seq: number): void {
    // Nothing that is started is counted.
    if (this.#held?.count !== 0) this.#held = null;
    this.sql.exec("DELETE FROM work WHERE seq = ?", seq);
  }

  /** Whether released work is not started yet, so that order matters. */
  hasReleased(): boolean {
    return this.exists("SELECT 1 FROM work WHERE released = 1 LIMIT 1");
  }

  /** Returns the ready ones after a place, in order. */
  readyAfter(seq: number, limit: number): { seq: number; requestId: string }[] {
    return this.#named("work.seq > ? ORDER BY work.seq LIMIT ?", seq, limit);
  }

  /** Returns the ready ones among these, in order. */
  readyAmong(seqs: readonly number[]): { seq: number; requestId: string }[] {
    const among = "work.seq IN (SELECT value FROM json_each(?)) ORDER BY work.seq";
    return this.#named(among, JSON.stringify(seqs));
  }

  hasReady(): boolean {
    return this.exists("SELECT 1 FROM work WHERE execution_id IS NOT NULL LIMIT 1");
  }

  /** Returns since when the first ready one is ready, epoch milliseconds, or null. */
  readySince(): number | null {
    const first = this.#ready("execution_id IS NOT NULL ORDER BY seq LIMIT 1")[0];
    return first === undefined ? null : timeOf(first.execution_id);
  }

  /** Counts held and ready ones. */
  count(): number {
    return countRow.parse(this.sql.exec("SELECT count(*) AS count FROM work").one()).count;
  }

  readyAt(seq: number): ReadyRow | null {
    return this.#ready("seq = ? AND execution_id IS NOT NULL", seq)[0] ?? null;
  }

  readyAs(executionId: string): ReadyRow | null {
    return this.#ready("execution_id = ?", executionId)[0] ?? null;
  }

  /** Returns the ready ones of these requests, in the order of arrival. */
  readyOf(requestIds: readonly string[]): ReadyRow[] {
    return this.#ready(
      `execution_id IS NOT NULL AND seq IN (SELECT seq FROM requests
         WHERE request_id IN (SELECT value FROM json_each(?))) ORDER BY seq`,
      JSON.stringify(requestIds),
    );
  }

  #ready(condition: string, ...values: (string | number)[]): ReadyRow[] {
    const query = `SELECT seq, execution_id, config_version FROM work WHERE ${condition}`;
    return this.rows(readyRow, query, ...values);
  }

  /** Returns ready ones with the ids of their requests. */
  #named(condition: string, ...values: (string | number)[]): { seq: number; requestId: string }[] {
    const query = `SELECT work.seq, request_id FROM work JOIN requests USING (seq)
      WHERE work.execution_id IS NOT NULL AND ${condition}`;
    const rows = this.rows(namedRow, query, ...values);
    return rows.map(({ seq, request_id: requestId }) => ({ seq, requestId }));
  }
}

/** How many bytes of bodies and inputs one batch carries; a call between objects takes 32 MiB. */
const MAX_BATCH_BYTES = 8 * 1_048_576;

/** Reads batches of work for the consumer of the queue. */
export class WorkBatches {
  readonly #log: Pick<RequestLog, "at">;
  readonly #view: Pick<EntryView, "inputs" | "request">;
  readonly #configs: Pick<Configs, "at">;
  readonly #starts: Pick<Starts, "of" | "as">;

  constructor(
    log: Pick<RequestLog, "at">,
    view: Pick<EntryView, "inputs" | "request">,
    configs: Pick<Configs, "at">,
    starts: Pick<Starts, "of" | "as">,
  ) {
    this.#log = log;
    this.#view = view;
    this.#configs = configs;
    this.#starts = starts;
  }

  /**
   * Returns the first of these, as many as one call carries, and at least one. With `isOrdered`, others wait
   * for their acknowledgement.
   */
  of(ready: readonly ReadyRow[], isOrdered = true): WorkBatch {
    const items: WorkItem[] = [];
    let bytes = 0;
    let read = 0;
    for (const work of ready) {
      const entry = this.#log.at(work.seq);
      if (entry === null) throw new Error("work without an entry");
      const found = this.#items(work, entry);
      bytes += found.reduce((sum, item) => sum + sizeOf(item), 0);
      if (read > 0 && bytes > MAX_BATCH_BYTES) break;
      items.push(...found);
      read += 1;
    }
    const versions = new Set(items.map(({ configVersion }) => configVersion));
    const more = read < ready.length;
    const isPlain = items.every(({ route, work }) => route === null && work.kind === "mapped");
    const isReported = isPlain && !more && !isOrdered;
    return { configs: this.#configs.at([...versions]), items, more, isReported };
  }

  /** Returns what a request starts: one execution for each route, or the one of the endpoint's workflow. */
  #items(ready: ReadyRow, entry: EntryRow): WorkItem[] {
    const origin = entry.facts.replayOf === null ? "webhook" : "replay";
    const { traceparent } = entry.facts.headers;
    const isTraced = traceparent !== undefined && parseTraceparent(traceparent) !== null;
    const request = {
      requestId: entry.request_id,
      origin,
      ...(entry.event_id !== null && { eventId: entry.event_id }),
      ...(isTraced && { traceparent }),
    } as const;
    let whole: ReceivedRequest | null = null;
    const work = (inputs: JsonObject | null): WorkItem["work"] => {
      // The consumer reads the files of a request from it.
      if (inputs !== null && !mayHaveFiles(entry.facts.contentType))
        return { kind: "mapped", inputs };
      whole ??= this.#view.request(entry);
      return { kind: "unmapped", request: whole };
    };
    const isRouted = entry.facts.routes.length > 0;
    const starts = isRouted ? this.#starts.of(ready.seq) : [ownStart(entry, ready)];
    return starts.flatMap((start) => {
      const { execution_id: executionId, config_version: configVersion } = start;
      if (!isReady(start) || executionId === null) return [];
      const inputs = isRouted ? inputsOf(start) : this.#view.inputs(entry);
      const given = start.gathered === 1 ? this.#gathered(executionId) : work(inputs);
      const route = isRouted ? start.route : null;
      return [{ ...request, route, executionId, configVersion, work: given }];
    });
  }

  /** Returns the requests that start an execution together, in the order of arrival. */
  #gathered(executionId: string): WorkItem["work"] {
    const requests = this.#starts.as(executionId).flatMap((start) => {
      const entry = this.#log.at(seqOf(start));
      return entry === null ? [] : [this.#view.request(entry)];
    });
    return { kind: "gathered", requests };
  }
}

function sizeOf({ work }: WorkItem): number {
  switch (work.kind) {
    case "mapped":
      return JSON.stringify(work.inputs).length;
    case "unmapped":
      return work.request.body?.byteLength ?? 0;
    case "gathered":
      return work.requests.reduce((sum, { body }) => sum + (body?.byteLength ?? 0), 0);
  }
}
