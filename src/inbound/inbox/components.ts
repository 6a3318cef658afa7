import type { InboundMessage } from "../../contract/inbound/inbox.ts";
import { Crowd } from "../../durable/crowd.ts";
import { Dispatcher } from "../dispatch.ts";
import { Intake, Meter } from "./acceptance.ts";
import { Claims } from "./claims.ts";
import { Adoption, Configs } from "./configs.ts";
import { executionIdOf, ID_BYTES, type Moment, momentAfter } from "./execution-id.ts";
import { Learner } from "./learner.ts";
import { Chunks, RequestLog } from "./log.ts";
import { Listing, Reading, View } from "./log-reader.ts";
import { Outcomes } from "./outcomes.ts";
import { Retention } from "./retention.ts";
import { UsageCounter } from "./usage.ts";
import { Slices, Work } from "./work.ts";

/** What the parts of an inbox reach outside of its storage. */
export interface Outside {
  /** Epoch milliseconds. */
  now(): number;
  send(messages: InboundMessage[]): Promise<void>;
  /** Arranges for work to be sent at this time, or before. */
  wakeAt(at: number): void;
  /** What the whole inbox may come to, in bytes. */
  mostBytes: number;
}

export type Parts = ReturnType<typeof assemble>;

/** Puts the parts of an inbox together over its storage, whose tables exist. */
export function assemble(storage: DurableObjectStorage, { now, send, wakeAt, mostBytes }: Outside) {
  const { sql } = storage;
  const configs = new Configs(storage);
  const chunks = new Chunks(sql);
  const log = new RequestLog(sql, chunks);
  const view = new View(chunks);
  const work = new Work(sql);
  const claims = new Claims(sql);
  const meter = new Meter(sql, now());
  const outcomes = new Outcomes(log, work);
  const crowd = new Crowd();
  let moment: Moment = { at: 0, place: 0 };
  const newExecutionId = (at: number) => {
    moment = momentAfter(moment, at);
    const random = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    return executionIdOf(configs.current.endpointId, moment, random);
  };
  return {
    configs,
    crowd,
    claims,
    log,
    work,
    reading: new Reading(configs, log, new Listing(sql), view),
    slices: new Slices(log, view, configs),
    usage: new UsageCounter(sql),
    outcomes,
    adoption: new Adoption({ configs, work, outcomes, newExecutionId }),
    learner: new Learner({ storage, log, view }),
    retention: new Retention({ sql, chunks, mostBytes }),
    intake: new Intake({ storage, configs, claims, log, work, meter, newExecutionId }),
    dispatcher: new Dispatcher({
      work,
      crowd,
      now,
      send,
      wakeAt,
      endpointId: () => configs.current.endpointId,
    }),
  };
}
