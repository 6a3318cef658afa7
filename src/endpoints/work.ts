import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import type { WorkBatch, WorkItem } from "../contract/webhooks/inbox.ts";
import { rowShape, Tables } from "../durable/rows.ts";
import { mayHaveFiles } from "../intake/payload/parse.ts";
import { timeOf } from "../lib/execution-id.ts";
import { traceOf } from "../lib/trace-context.ts";
import type { Configs } from "./configs.ts";
import type { RequestLog } from "./log.ts";
import type { LogReader } from "./log-reader.ts";
import { inputsOf, isEntry, isReady, type Starts, seqOf } from "./starts.ts";
import type { EntryRow } from "./tables.ts";

const readyRow = rowShape({
  seq: z.int(),
  requestId: z.string(),
  executionId: z.string(),
  configVersion: z.int(),
});
const heldRow = z.object({ count: z.int(), bytes: z.int(), untried: z.int() });
const bytesRow = rowShape({ bodyBytes: z.int() });

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
    this.insert("work", { seq, released: 0, bodyBytes });
    this.#count(1, bodyBytes, 1);
  }

  /** Adds a request that has something to start, unless it is here still. */
  add(seq: number, executionId: string, configVersion: number, bodyBytes: number): void {
    const row = { seq, executionId, configVersion, released: 0, bodyBytes };
    this.insert("work", row, "ON CONFLICT (seq) DO NOTHING");
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
    return this.numbers(query, seq, limit);
  }

  /** Returns the place of the first held one to release, or null. */
  firstUntried(): number | null {
    const query = `SELECT seq FROM work WHERE execution_id IS NULL AND config_version IS NULL
      ORDER BY seq LIMIT 1`;
    return this.number(query);
  }

  /** Makes a held one ready. Released work is dispatched in order. */
  release(seq: number, executionId: string, configVersion: number): void {
    const changes = { executionId, configVersion, released: 1 };
    const row = this.update("work", changes, "seq = ? RETURNING body_bytes", seq).one();
    this.#count(-1, -bytesRow.parse(row).bodyBytes, -1);
  }

  /** Notes that a held one cannot be mapped under this configuration: the next ones come first. */
  keepHeld(seq: number, configVersion: number): void {
    this.sql.exec("UPDATE work SET config_version = ? WHERE seq = ?", configVersion, seq);
    this.#count(0, 0, -1);
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
  readyAfter(seq: number, limit: number): ReadyRow[] {
    return this.#ready("seq > ? ORDER BY seq LIMIT ?", seq, limit);
  }

  /** Returns the ready ones among these, in order. */
  readyAmong(seqs: readonly number[]): ReadyRow[] {
    const among = "seq IN (SELECT value FROM json_each(?)) ORDER BY seq";
    return this.#ready(among, JSON.stringify(seqs));
  }

  hasReady(): boolean {
    return this.exists("SELECT 1 FROM ready LIMIT 1");
  }

  /** Returns since when the first ready one is ready, epoch milliseconds, or null. */
  readySince(): number | null {
    const [first] = this.readyAfter(0, 1);
    return first === undefined ? null : timeOf(first.executionId);
  }

  /** Counts held and ready ones. */
  count(): number {
    return this.held().count + (this.number("SELECT count(*) FROM ready") ?? 0);
  }

  readyAt(seq: number): ReadyRow | null {
    return this.#ready("seq = ?", seq)[0] ?? null;
  }

  readyAs(executionId: string): ReadyRow | null {
    return this.#ready("execution_id = ?", executionId)[0] ?? null;
  }

  /** Returns the ready ones of these requests, in the order of arrival. */
  readyOf(requestIds: readonly string[]): ReadyRow[] {
    const among = "request_id IN (SELECT value FROM json_each(?)) ORDER BY seq";
    return this.#ready(among, JSON.stringify(requestIds));
  }

  #ready(condition: string, ...values: (string | number)[]): ReadyRow[] {
    return this.rows(readyRow, `SELECT * FROM ready WHERE ${condition}`, ...values);
  }

  #count(count: number, bytes: number, untried: number): void {
    const known = this.#held;
    if (known === null) return;
    this.#held = {
      count: known.count + count,
      bytes: known.bytes + bytes,
      untried: known.untried + untried,
    };
  }
}

/** How many bytes of bodies and inputs one batch carries; a call between objects takes 32 MiB. */
const MAX_BATCH_BYTES = 8 * 1_048_576;

/** What the work of requests is read from. */
interface WorkSources {
  log: Pick<RequestLog, "at">;
  reader: Pick<LogReader, "inputs" | "request">;
  configs: Pick<Configs, "at">;
  starts: Pick<Starts, "of" | "as">;
}

/**
 * Returns the first of these as a batch for the consumer of the queue, as many as one call carries, and at least
 * one. With `isOrdered`, others wait for their acknowledgement.
 */
export function workBatch(
  sources: WorkSources,
  ready: readonly ReadyRow[],
  isOrdered = true,
): WorkBatch {
  const items: RoutedItem[] = [];
  let bytes = 0;
  let read = 0;
  for (const work of ready) {
    const entry = sources.log.at(work.seq);
    if (entry === null) throw new Error("work without an entry");
    const found = itemsOf(sources, work, entry);
    bytes += found.reduce((sum, item) => sum + sizeOf(item), 0);
    if (read > 0 && bytes > MAX_BATCH_BYTES) break;
    items.push(...found);
    read += 1;
  }
  const versions = new Set(items.map(({ configVersion }) => configVersion));
  const more = read < ready.length;
  const isPlain = items.every((item) => isEntry(item) && item.work.kind === "mapped");
  const isReported = isPlain && !more && !isOrdered;
  return { configs: sources.configs.at([...versions]), items, more, isReported };
}

type RoutedItem = WorkItem & { route: string };

/** Returns what a request starts: one execution for each route. */
function itemsOf(
  { log, reader, starts }: WorkSources,
  ready: ReadyRow,
  entry: EntryRow,
): RoutedItem[] {
  const { facts, requestId, eventId } = entry;
  const request = {
    requestId,
    origin: facts.replayOf === null ? "webhook" : "replay",
    ...(eventId !== null && { eventId }),
    ...traceOf(facts.headers.traceparent),
  } as const;
  const work = (inputs: JsonObject | null): WorkItem["work"] =>
    // The consumer reads the files of a request from it.
    inputs === null || mayHaveFiles(facts.contentType)
      ? { kind: "unmapped", request: reader.request(entry) }
      : { kind: "mapped", inputs };
  const gathered = (executionId: string): WorkItem["work"] => {
    const entries = starts.as(executionId).flatMap((start) => log.at(seqOf(start)) ?? []);
    return { kind: "gathered", requests: entries.map((each) => reader.request(each)) };
  };
  const found = starts.of(entry, ready).filter(isReady);
  return found.map((start) => {
    const { route, executionId, configVersion } = start;
    const inputs = inputsOf(start) ?? reader.inputs(entry);
    const given = start.gathered === 1 ? gathered(executionId) : work(inputs);
    return { ...request, route, executionId, configVersion, work: given };
  });
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
