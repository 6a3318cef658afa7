import type { Counters } from "./instrumented.ts";

/**
 * Cloudflare's list prices of the paid plan, in US dollars per million, beyond what is included
 * (developers.cloudflare.com: workers, durable-objects, d1, queues and workers-logs, pricing; 24 November 2026).
 */
const PER_MILLION = {
  workerRequest: 0.3,
  objectRequest: 0.15,
  rowRead: 0.001,
  rowWritten: 1,
  queueOperation: 0.4,
  gigabyteSecond: 12.5,
  logLine: 0.6,
};
/** The lines of an execution of one step: its request and its end; one more for each attempt of a callback. */
const LOG_LINES = 2;
/**
 * The rows that go at the end of the retention, counted with a clock a month ahead: two commits, the head, and
 * the rows of account and D1. A callback has one commit more and a page five; a webhook has its request, and
 * the account's mark of what it promised, which is written and deleted.
 */
const DELETED_ROWS = 5;
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

/** US dollars for the log lines of a million executions of one step, beyond the 20 million that are included. */
export const LOGS_PER_MILLION = LOG_LINES * PER_MILLION.logLine;

/** US dollars to delete a million executions of one step. */
export const DELETION_PER_MILLION = DELETED_ROWS * PER_MILLION.rowWritten;

/**
 * Returns US dollars for a million times that so many objects (a share of one, where executions wait
 * together in an object) are in memory for `seconds`, without what the plan includes.
 */
export function durationPricePerMillion(objects: number, seconds: number): number {
  return objects * seconds * GIGABYTES_PER_OBJECT * PER_MILLION.gigabyteSecond;
}
