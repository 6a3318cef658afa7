import type { Counters } from "../test/support/instrumented.ts";

/**
 * Cloudflare's list prices of the paid plan, in US dollars per million, beyond what is included
 * (developers.cloudflare.com: workers, durable-objects, d1 and queues, platform/pricing).
 */
const PER_MILLION = {
  workerRequest: 0.3,
  objectRequest: 0.15,
  rowRead: 0.001,
  rowWritten: 1,
  queueOperation: 0.4,
  gigabyteSecond: 12.5,
};
/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;
/** An object is billed for this much memory, whatever it uses. */
const GIGABYTES_PER_OBJECT = 0.128;

/**
 * Returns US dollars for a million executions of which each has these counts, without CPU time and the
 * time that objects stay in memory. An execution is one request to the Worker and one call of the
 * consumer for each message that it takes.
 */
export function pricePerMillion(counters: Counters): number {
  const { objectRequests, alarms, objectRowsRead, objectRowsWritten } = counters;
  const { d1RowsRead, d1RowsWritten, queueMessagesSent, queueMessagesReceived } = counters;
  return (
    (1 + queueMessagesReceived) * PER_MILLION.workerRequest +
    (objectRequests + alarms) * PER_MILLION.objectRequest +
    (objectRowsRead + d1RowsRead) * PER_MILLION.rowRead +
    (objectRowsWritten + d1RowsWritten) * PER_MILLION.rowWritten +
    queueMessagesSent * OPERATIONS_PER_MESSAGE * PER_MILLION.queueOperation
  );
}

/**
 * Returns US dollars for a million times that so many objects (a share of one, where executions wait
 * together in an object) are in memory for `seconds`, without what the plan includes.
 */
export function durationPricePerMillion(objects: number, seconds: number): number {
  return objects * seconds * GIGABYTES_PER_OBJECT * PER_MILLION.gigabyteSecond;
}
