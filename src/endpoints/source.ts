import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import {
  type SourceState,
  type StoredSource,
  sourceStatus,
  storedSource,
} from "../contract/webhooks/source.ts";
import type { TableStorage } from "../durable/rows.ts";
import { canonicalJson } from "../lib/json-values.ts";

const KEY = "source";
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 3_600_000;
const POLL_MS = 30_000;
const LONGEST_MS = 86_400_000;
const LIST_PAGES = 20;
const POLL_EVENTS = 50;

/** What is followed, and how far that is. Times are epoch milliseconds. */
const following = z.object({
  source: storedSource,
  state: sourceStatus,
  reason: z.string().nullable(),
  /** How the server delivers; null until it was asked. */
  mode: z.enum(["webhook", "poll"]).nullable(),
  /** The position up to which the server knows that events arrived; null before the first. */
  cursor: z.string().nullable(),
  /** Failed tries in a row. */
  failures: z.int(),
  /** When to act next; null once it has ended. */
  nextAt: z.int().nullable(),
});
type Following = z.infer<typeof following>;

/** The parts of the answers that are read; servers differ in the rest. */
const listed = z.looseObject({
  events: z.array(
    z.looseObject({ name: z.string(), delivery: z.array(z.string()).default(["webhook"]) }),
  ),
  nextCursor: z.string().optional(),
});
const subscribed = z.looseObject({
  refreshBefore: z.iso.datetime({ offset: true }).optional(),
  ttlMs: z.number().positive().optional(),
  cursor: z.string().nullish(),
});
const polledEvent = z.looseObject({ eventId: z.string(), timestamp: z.string(), data: z.json() });
const polled = z.looseObject({
  events: z.array(polledEvent),
  cursor: z.string(),
  hasMore: z.boolean().default(false),
  nextPollMs: z.number().positive().optional(),
});

/** An event that was polled. */
export type PolledEvent = z.infer<typeof polledEvent>;

interface Parts {
  kv: TableStorage["kv"];
  config(): EndpointConfig;
  /** Returns the server's answer to a request of the events extension. Throws a `SourceFault` without one. */
  ask(source: StoredSource, method: string, params: JsonObject): Promise<JsonObject>;
  /** Returns the address of the endpoint, to which the server delivers. */
  address(source: StoredSource): string;
  /** Returns the secret with which the server signs; an endpoint that is deleted has none. */
  secret(): Promise<string>;
  /** Takes an event as a webhook. Returns why it was not taken, or null. */
  deliver(source: StoredSource, event: PolledEvent, cursor: string): Promise<string | null>;
}

/** A try that failed; `isFinal` where no further one can succeed. */
export class SourceFault extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.name = "SourceFault";
    this.isFinal = isFinal;
  }
}

/**
 * Subscribes an endpoint to the event of a remote MCP server, and renews the subscription at half of its
 * life; polls where the server offers no webhooks. What arrives twice is a duplicate by its event id, so a
 * crash at any point costs a repeat at most.
 */
export class SourceFollower {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns how the subscription is; null for an endpoint without a source. */
  state(): SourceState | null {
    const config = this.#parts.config();
    if (config.source === null) return null;
    if (wantedOf(config) === null) return { state: "ended", reason: "The endpoint is disabled." };
    const known = this.#read();
    if (known === null || !isSame(known.source, config.source))
      return { state: "pending", reason: null };
    return { state: known.state, reason: known.reason };
  }

  /** Returns when there is something to do; null for never. */
  dueAt(): number | null {
    const wanted = wantedOf(this.#parts.config());
    const known = this.#read();
    if (wanted === null) return known === null ? null : 0;
    return known !== null && isSame(known.source, wanted) ? known.nextAt : 0;
  }

  /** Does what is due. Returns when to look again, or null. */
  async advance(): Promise<number | null> {
    const due = this.dueAt();
    if (due === null || due > Date.now()) return due;
    const wanted = wantedOf(this.#parts.config());
    const known = this.#read();
    if (known !== null && (wanted === null || !isSame(known.source, wanted))) {
      await this.#leave(known);
      this.#parts.kv.delete(KEY);
    }
    if (wanted === null) return null;
    const next = await this.#follow(this.#read() ?? begin(wanted));
    this.#parts.kv.put(KEY, JSON.stringify(next));
    // The configuration may have changed meanwhile.
    return this.dueAt();
  }

  async #follow(current: Following): Promise<Following> {
    try {
      const mode = current.mode ?? (await this.#modeOf(current.source));
      const known = { ...current, mode };
      const next = mode === "webhook" ? await this.#subscribe(known) : await this.#poll(known);
      return { ...next, state: "active", reason: null, failures: 0 };
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      const reason = error.message;
      if (error.isFinal) return { ...current, state: "ended", reason, nextAt: null };
      const failures = current.failures + 1;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
      return { ...current, state: "failing", reason, failures, nextAt: Date.now() + wait };
    }
  }

  /** Looks the event up in the server's list. */
  async #modeOf(source: StoredSource): Promise<"webhook" | "poll"> {
    let cursor: string | undefined;
    for (let page = 0; page < LIST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const { events, nextCursor } = await this.#ask(source, "events/list", params, listed);
      const found = events.find(({ name }) => name === source.event);
      if (found?.delivery.includes("webhook")) return "webhook";
      if (found?.delivery.includes("poll")) return "poll";
      if (found !== undefined)
        throw new SourceFault(
          `The server delivers ${source.event} neither by webhook nor by poll.`,
        );
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    throw new SourceFault(`The server has no event ${source.event}.`);
  }

  async #subscribe(current: Following): Promise<Following> {
    const { source, cursor } = current;
    const url = this.#parts.address(source);
    const delivery = { mode: "webhook", url, secret: await this.#parts.secret() };
    const params = { ...eventOf(source), cursor, delivery };
    const answer = await this.#ask(source, "events/subscribe", params, subscribed);
    const now = Date.now();
    const life =
      answer.refreshBefore === undefined
        ? (answer.ttlMs ?? LONGEST_MS)
        : Date.parse(answer.refreshBefore) - now;
    return { ...current, cursor: answer.cursor ?? cursor, nextAt: now + within(life / 2) };
  }

  /** Takes a page of events, in their order. The position is stored once all were taken. */
  async #poll(current: Following): Promise<Following> {
    const { source, cursor } = current;
    const params = { ...eventOf(source), cursor, maxEvents: POLL_EVENTS };
    const page = await this.#ask(source, "events/poll", params, polled);
    for (const event of page.events) {
      const refusal = await this.#parts.deliver(source, event, page.cursor);
      if (refusal !== null) throw new SourceFault(refusal);
    }
    // A page that does not advance is not asked for at once, or a faulty server would be asked without end.
    const isNext = page.hasMore && page.cursor !== cursor;
    const wait = isNext ? 0 : within(page.nextPollMs ?? POLL_MS);
    return { ...current, cursor: page.cursor, nextAt: Date.now() + wait };
  }

  /** Ends the subscription. One that cannot be ended expires by itself. */
  async #leave({ source, mode, state }: Following): Promise<void> {
    if (mode !== "webhook" || state === "ended") return;
    const url = this.#parts.address(source);
    const params = { ...eventOf(source), delivery: { mode: "webhook", url } };
    await this.#parts.ask(source, "events/unsubscribe", params).catch((error: unknown) => {
      if (!(error instanceof SourceFault)) throw error;
    });
  }

  async #ask<Schema extends z.ZodType>(
    source: StoredSource,
    method: string,
    params: JsonObject,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(await this.#parts.ask(source, method, params));
    if (!parsed.success) throw new SourceFault(`The server answers ${method} in an unknown form.`);
    return parsed.data;
  }

  #read(): Following | null {
    const stored = this.#parts.kv.get(KEY);
    return typeof stored === "string" ? following.parse(JSON.parse(stored)) : null;
  }
}

const begin = (source: StoredSource): Following => ({
  source,
  state: "pending",
  reason: null,
  mode: null,
  cursor: null,
  failures: 0,
  nextAt: 0,
});

function wantedOf({ source, enabled, deleted, account }: EndpointConfig): StoredSource | null {
  return enabled && !deleted && !account.suspended ? source : null;
}

const isSame = (one: StoredSource, other: StoredSource): boolean =>
  canonicalJson({ ...one }) === canonicalJson({ ...other });

const eventOf = ({ event, arguments: given }: StoredSource) => ({ name: event, arguments: given });

/** Returns a wait that a server names in whole milliseconds, within bounds. */
const within = (ms: number): number => Math.floor(Math.min(Math.max(ms, 1_000), LONGEST_MS));
