import * as z from "zod";
import { json } from "../contract/json.ts";
import type { LearnedShape } from "../contract/webhooks/inbox.ts";
import type { PayloadValue } from "../contract/webhooks/payload.ts";
import { Tables } from "../durable/rows.ts";
import { loggedPayload } from "../intake/logged.ts";
import {
  driftsFrom,
  emptyProfile,
  learn,
  type ShapeProfile,
  schemaOf,
  shapeProfile,
} from "../intake/shape/profile.ts";
import type { RequestLog } from "./log.ts";
import type { LogReader } from "./log-reader.ts";
import type { EntryRow } from "./tables.ts";

const KEY = "shape";
/** Payloads to learn from before another one counts as drifted. */
const ENOUGH = 10;
/** Entries of one portion: requests wait behind it. */
const PORTION = 100;
const PORTION_BYTES = 1_048_576;

/** The event types of an endpoint that are known by name. */
const MAX_EVENT_TYPES = 200;

const learned = z.object({
  v: z.literal(1),
  /** All entries up to this place are processed. */
  upTo: z.int(),
  profile: shapeProfile,
  eventTypes: z.array(z.string().nullable()).default([]),
});
type Learned = z.infer<typeof learned>;

/** A payload to learn, with the place of its entry. */
interface Lesson {
  seq: number;
  payload: PayloadValue;
}

interface LearnerComponents {
  storage: DurableObjectStorage;
  log: RequestLog;
  reader: LogReader;
}

/** Learns the shape of accepted payloads, and flags those that differ from the ones before. */
export class Learner extends Tables {
  readonly #components: LearnerComponents;
  #underWay: Promise<boolean> | null = null;

  constructor(components: LearnerComponents) {
    super(components.storage.sql);
    this.#components = components;
  }

  shape(): LearnedShape {
    const { profile, eventTypes } = this.#learned();
    const query = "SELECT count(*) FROM requests WHERE drifted = 1";
    return {
      learnedFrom: profile.learnedFrom,
      profile: profile.learnedFrom === 0 ? null : json.parse(profile),
      drifted: this.number(query) ?? 0,
      eventTypes,
    };
  }

  /** Learns from the next portion. Returns true if there may be more. */
  advance(): Promise<boolean> {
    // Two at once would learn the same portion twice.
    this.#underWay ??= this.#advance().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #advance(): Promise<boolean> {
    const before = this.#learned();
    const lessons: Lesson[] = [];
    const eventTypes = new Set(before.eventTypes);
    let { upTo } = before;
    let bytes = 0;
    const unseen = "SELECT seq FROM requests WHERE seq > ? ORDER BY seq LIMIT ?";
    const { storage, log, reader } = this.#components;
    for (const seq of this.numbers(unseen, before.upTo, PORTION)) {
      if (bytes > PORTION_BYTES) break;
      upTo = seq;
      const row = log.at(seq);
      if (row === null || !teaches(row)) continue;
      const request = reader.request(row);
      bytes += request.body?.byteLength ?? 0;
      const parsed = await loggedPayload(request);
      if (!parsed.ok) continue;
      lessons.push({ seq, payload: parsed.payload });
      if (eventTypes.size < MAX_EVENT_TYPES) eventTypes.add(row.facts.eventType);
    }
    if (upTo === before.upTo) return false;
    storage.transactionSync(() => {
      if (before.profile.learnedFrom >= ENOUGH) this.#noteDrifts(before.profile, lessons);
      const profile = lessons.reduce((so, { payload }) => learn(so, payload), before.profile);
      const now: Learned = { v: 1, upTo, profile, eventTypes: [...eventTypes] };
      storage.kv.put(KEY, now);
    });
    return true;
  }

  #noteDrifts(profile: ShapeProfile, lessons: readonly Lesson[]): void {
    const schema = schemaOf(profile);
    for (const { seq, payload } of lessons) {
      const found = driftsFrom(schema, payload);
      if (found.length > 0) this.#components.log.noteDrift(seq, found);
    }
  }

  #learned(): Learned {
    const stored = this.#components.storage.kv.get(KEY);
    if (stored === undefined) return { v: 1, upTo: 0, profile: emptyProfile(), eventTypes: [] };
    return learned.parse(stored);
  }
}

/** Whether to learn from an entry: duplicates and replays would distort the shape. */
function teaches({ facts, bodyTruncated }: EntryRow): boolean {
  const { receipt, replayOf } = facts;
  return receipt.kind === "accepted" && !receipt.duplicate && replayOf === null && !bodyTruncated;
}
