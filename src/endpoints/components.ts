import type { InboxGrant, InboxReport } from "../contract/account.ts";
import type { InboundMessage } from "../contract/webhooks/inbox.ts";
import { Subscriptions } from "../deliveries/subscriptions.ts";
import { RequestBatcher } from "../durable/request-batcher.ts";
import {
  executionIdOf,
  ID_BYTES,
  type Moment,
  momentAfter,
  slotOfEndpoint,
} from "../lib/execution-id.ts";
import { Acceptance, restoreRateLimiter } from "./acceptance.ts";
import { AccountShare } from "./account-share.ts";
import { CaseReader } from "./case-reader.ts";
import { Cases } from "./cases.ts";
import { Configs } from "./configs.ts";
import { Dispatcher } from "./dispatch.ts";
import { EventFeed } from "./event-feed.ts";
import { EndpointWatch } from "./health.ts";
import { Learner } from "./learner.ts";
import { Chunks, RequestLog } from "./log.ts";
import { EntryView, LogReader } from "./log-reader.ts";
import { Retention } from "./retention.ts";
import { Router } from "./router.ts";
import { SourceFollower } from "./source.ts";
import { type SourceContext, sourceCalls } from "./source-calls.ts";
import { Starts } from "./starts.ts";
import { OverLimit, UsageCounter } from "./usage.ts";
import { Waiters } from "./waiters.ts";
import { Work } from "./work.ts";

/** What the components of an inbox need besides its storage. */
export interface Dependencies {
  /** Epoch milliseconds. */
  now(): number;
  send(messages: InboundMessage[]): Promise<void>;
  /** Schedules a wake-up for dispatching, at this time or before. */
  wakeAt(at: number): void;
  /** The size limit of the inbox, in bytes. */
  mostBytes: number;
  /** Sends the message of an attempt to deliver an event. */
  sendDelivery(message: EventDelivery): Promise<unknown>;
  /** Whether a key of the account is still valid. */
  isValidKey(accountId: string, keyId: string): Promise<boolean>;
  /** An event or a subscription has something to do. */
  eventsDue(): void;
  /** Asks the account of the endpoint for a part of its quotas. */
  askAccount(accountId: string, endpointId: string, report: InboxReport): Promise<InboxGrant>;
  source: SourceContext;
}

/** An attempt to deliver an event of this endpoint. */
interface EventDelivery {
  accountId: string;
  endpointId: string;
  subscriptionId: string;
  deliveryId: string;
  attempt: number;
}

export type Components = ReturnType<typeof createComponents>;

/** Creates the components of an inbox over its storage, whose tables exist. */
export function createComponents(
  storage: DurableObjectStorage,
  { now, send, wakeAt, mostBytes, askAccount, ...dependencies }: Dependencies,
) {
  const { sql } = storage;
  const configs = new Configs(storage);
  const chunks = new Chunks(sql);
  const log = new RequestLog(sql, chunks);
  const starts = new Starts(sql);
  const cases = new Cases(sql);
  const waiters = new Waiters(sql);
  const view = new EntryView(chunks, starts);
  const work = new Work(sql);
  const rate = restoreRateLimiter(sql, now());
  const overLimit = new OverLimit(storage.kv);
  const batcher = new RequestBatcher();
  const share = new AccountShare({
    unaskedPerMinute: () => configs.current.account.unaskedPerMinute,
    storedBytes: () => sql.databaseSize,
    ask: (report) => askAccount(configs.current.accountId, configs.current.endpointId, report),
  });
  let moment: Moment = { at: 0, place: 0 };
  let started = 0;
  const live = new Set<string>();
  const newExecutionId = (at: number) => {
    moment = momentAfter(moment, at);
    const random = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    const { endpointId } = configs.current;
    started += 1;
    const slot = slotOfEndpoint(endpointId, live.size, started);
    const executionId = executionIdOf(endpointId, moment, { slot, random });
    live.add(executionId);
    return executionId;
  };
  const feed = new EventFeed({ sql, log, view, endpointId: () => configs.current.endpointId });
  const router = new Router({ log, work, starts, cases, newExecutionId });
  return {
    configs,
    batcher,
    /** The executions that this process started and that have not ended. */
    live,
    log,
    work,
    reader: new LogReader({ configs, log, sql, chunks, view }),
    view,
    starts,
    cases,
    waiters,
    caseReader: new CaseReader(sql),
    router,
    feed,
    subscriptions: new Subscriptions({
      sql,
      source: feed,
      due: dependencies.eventsDue,
      isValidKey: (keyId) => dependencies.isValidKey(configs.current.accountId, keyId),
      send: (message) => {
        const { accountId, endpointId } = configs.current;
        return dependencies.sendDelivery({ accountId, endpointId, ...message });
      },
    }),
    follower: new SourceFollower({
      kv: storage.kv,
      config: () => configs.current,
      ...sourceCalls(() => configs.current, dependencies.source),
    }),
    usage: new UsageCounter(sql),
    learner: new Learner({ storage, log, view }),
    retention: new Retention({ sql, chunks, starts, cases, waiters, mostBytes }),
    acceptance: new Acceptance({
      storage,
      configs,
      log,
      work,
      router,
      rate,
      overLimit,
      share,
    }),
    overLimit,
    share,
    watch: new EndpointWatch(storage),
    dispatcher: new Dispatcher({
      work,
      now,
      send,
      wakeAt,
      isBurst: (at) => batcher.isBusy(at),
      endpointId: () => configs.current.endpointId,
    }),
  };
}
