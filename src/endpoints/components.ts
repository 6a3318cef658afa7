import { Subscriptions } from "../deliveries/subscriptions.ts";
import { RequestBatcher } from "../durable/request-batcher.ts";
import { accountStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import {
  executionIdOf,
  ID_BYTES,
  type Moment,
  momentAfter,
  slotOfEndpoint,
} from "../lib/execution-id.ts";
import { Acceptance, restoreRateLimiter } from "./acceptance.ts";
import { AccountShare } from "./account-share.ts";
import { Cases } from "./cases.ts";
import { Configs } from "./configs.ts";
import { Dispatcher } from "./dispatch.ts";
import { EventFeed } from "./event-feed.ts";
import { EndpointWatch } from "./health.ts";
import { Learner } from "./learner.ts";
import { Chunks, RequestLog } from "./log.ts";
import { LogReader } from "./log-reader.ts";
import { Retention } from "./retention.ts";
import { Router } from "./router.ts";
import { SourceFollower } from "./source.ts";
import { type SourceContext, sourceCalls } from "./source-calls.ts";
import { Starts } from "./starts.ts";
import { OverLimit } from "./usage.ts";
import { Waiters } from "./waiters.ts";
import { Work } from "./work.ts";

/** A sender, and an event's subscriber, waits for the account's answer. */
const ASK_TIMEOUT_MS = 3_000;

/** What the components of an inbox need besides its storage. */
export interface Dependencies extends SourceContext {
  /** Epoch milliseconds. */
  now(): number;
  /** Schedules a wake-up at this time or before. */
  wake(name: "drain" | "events", at: number): void;
  /** The size limit of the inbox, in bytes. */
  mostBytes: number;
}

export type Components = ReturnType<typeof createComponents>;

/** Creates the components of an inbox over its storage, whose tables exist. */
export function createComponents(
  storage: DurableObjectStorage,
  { env, inbox, now, wake, mostBytes }: Dependencies,
) {
  const { sql } = storage;
  const configs = new Configs(storage);
  const account = () => accountStub(env(), configs.current.accountId);
  const chunks = new Chunks(sql);
  const log = new RequestLog(sql, chunks);
  const starts = new Starts(sql, log);
  const cases = new Cases(sql);
  const waiters = new Waiters(sql);
  const reader = new LogReader({ configs, log, sql, chunks, starts });
  const work = new Work(sql);
  const rate = restoreRateLimiter(sql, now());
  const overLimit = new OverLimit(storage.kv);
  const batcher = new RequestBatcher();
  const share = new AccountShare({
    unaskedPerMinute: () => configs.current.account.unaskedPerMinute,
    storedBytes: () => sql.databaseSize,
    ask(report) {
      const granted = account().grantWebhooks(configs.current.endpointId, report);
      return within("the account", ASK_TIMEOUT_MS, granted);
    },
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
  const feed = new EventFeed({ sql, log, reader, endpointId: () => configs.current.endpointId });
  const router = new Router({ log, work, starts, cases, newExecutionId });
  return {
    configs,
    batcher,
    /** The executions that this process started and that have not ended. */
    live,
    log,
    work,
    reader,
    starts,
    cases,
    waiters,
    router,
    feed,
    subscriptions: new Subscriptions({
      sql,
      source: feed,
      due: () => wake("events", now()),
      isValidKey: (keyId) => within("the account", ASK_TIMEOUT_MS, account().isValidKey(keyId)),
      send: (message) => {
        const { accountId, endpointId } = configs.current;
        return env().CALLBACKS.send({ v: 1, accountId, endpointId, ...message });
      },
    }),
    follower: new SourceFollower({
      kv: storage.kv,
      config: () => configs.current,
      ...sourceCalls(() => configs.current, { env, inbox }),
    }),
    learner: new Learner({ storage, log, reader }),
    retention: new Retention({ sql, chunks, starts, cases, waiters, mostBytes }),
    acceptance: new Acceptance({
      storage,
      configs,
      log,
      work,
      router,
      starts,
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
      async send(messages) {
        await env().INBOUND.sendBatch(messages.map((body) => ({ body })));
      },
      wakeAt: (at) => wake("drain", at),
      isBurst: (at) => batcher.isBusy(at),
      endpointId: () => configs.current.endpointId,
    }),
  };
}
