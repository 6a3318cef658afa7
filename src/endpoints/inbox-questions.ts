import type { FeedPage, FeedQuery } from "../contract/mcp-events.ts";
import type { InboxUsage, UsageRange } from "../contract/usage.ts";
import type { CasePage, CaseQuery } from "../contract/webhooks/case.ts";
import type {
  LearnedShape,
  LoggedRequest,
  LogPosition,
  LogQuery,
  WorkBatch,
} from "../contract/webhooks/inbox.ts";
import { StoredObject } from "../durable/stored-object.ts";
import type { Components } from "./components.ts";
import { readHeld } from "./held.ts";
import type { TaskName } from "./tasks.ts";
import { countUsage } from "./usage.ts";
import { workBatch } from "./work.ts";

/** Portions that are learned before the shape is returned. */
const LEARN_AT_ONCE = 20;
const NOTHING_LEARNED: LearnedShape = {
  learnedFrom: 0,
  profile: null,
  drifted: 0,
  eventTypes: [],
};
const NO_EVENTS = { events: [], more: false, isTruncated: false };
const NO_WORK: WorkBatch = { configs: [], items: [], more: false };

/** The part of an inbox that answers questions. An inbox that was never configured has nothing to tell. */
export abstract class InboxQuestions extends StoredObject<TaskName> {
  /** Null before the first configuration, and after the endpoint's removal. */
  protected components: Components | null = null;

  async workBatch(requestIds: string[]): Promise<WorkBatch> {
    return this.#ask(NO_WORK, (components) => {
      const { work } = components;
      return workBatch(components, work.readyOf(requestIds), work.hasReleased());
    });
  }

  async pending(executionId: string): Promise<WorkBatch> {
    return this.#ask(NO_WORK, (components) => {
      const ready = components.router.readyAs(executionId);
      return ready === null ? NO_WORK : workBatch(components, [ready]);
    });
  }

  async list(query: LogQuery) {
    return this.#ask({ entries: [], next: null }, ({ reader }) => reader.list(query));
  }

  async find(query: LogQuery) {
    return this.#ask({ positions: [], next: null }, ({ reader }) => reader.find(query));
  }

  async entries(requestIds: string[]) {
    return this.components?.reader.entries(requestIds) ?? [];
  }

  async entry(requestId: string): Promise<LoggedRequest | null> {
    return this.components?.reader.entry(requestId) ?? null;
  }

  async recent(limit: number, after: LogPosition | null) {
    return this.#ask({ requests: [], next: null }, ({ reader }) => reader.recent(limit, after));
  }

  async events(query: FeedQuery): Promise<FeedPage> {
    return this.components?.feed.read(query) ?? { ...NO_EVENTS, upTo: query.after ?? 0 };
  }

  async hasSubscription(keyId: string, url: string): Promise<boolean> {
    return this.components?.subscriptions.has(keyId, url, Date.now()) ?? false;
  }

  async cases(query: CaseQuery): Promise<CasePage> {
    return this.#ask({ cases: [], next: null }, ({ cases, configs }) =>
      cases.page(configs.current.endpointId, query),
    );
  }

  async claimOf(eventKey: string) {
    const claim = this.components?.log.claimOf(eventKey) ?? null;
    return claim && { requestId: claim.requestId, executionId: claim.executionId };
  }

  async queuedCount(): Promise<number> {
    return this.components?.work.count() ?? 0;
  }

  async held(after: number) {
    const none = { count: 0, requests: [], next: null };
    return this.#ask(none, (components) => readHeld(components, after));
  }

  async shape(): Promise<LearnedShape> {
    const components = this.components;
    if (components === null) return NOTHING_LEARNED;
    // A caller sees the payloads that arrived just before: learning does not wait for its alarm.
    for (let n = 0; n < LEARN_AT_ONCE && (await components.learner.advance()); n += 1);
    return components.learner.shape();
  }

  async usage(query: UsageRange): Promise<InboxUsage> {
    const components = this.components;
    if (components === null) {
      return { countedFrom: query.from, queuedCount: 0, strata: [], overLimit: [] };
    }
    const counted = await countUsage(this.ctx.storage.sql, query);
    const overLimit = components.overLimit.count(query);
    return { ...counted, queuedCount: components.work.count(), overLimit };
  }

  async queuedSince(): Promise<number | null> {
    return this.components?.work.readySince() ?? null;
  }

  /** Asks the components; an inbox that was never configured answers with `empty`. */
  #ask<Answer>(empty: Answer, ask: (components: Components) => Answer): Answer {
    return this.components === null ? empty : ask(this.components);
  }
}
