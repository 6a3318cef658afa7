import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { RequestLog } from "../../../src/endpoints/log.ts";
import { Starts } from "../../../src/endpoints/starts.ts";
import type { EntryRow } from "../../../src/endpoints/tables.ts";
import { type ReadyRow, Work, workBatch } from "../../../src/endpoints/work.ts";
import { configWith } from "../../support/endpoint.ts";
import { NO_CHUNKS, requestWith } from "../../support/logged.ts";
import { addRequest, inboxStorage } from "../../support/table-storage.ts";

const REQUEST_IDS = [1, 2, 3].map((n) => `request ${n}`);
const SENT = {
  method: "POST",
  path: "/",
  query: {},
  headers: {},
  contentType: null,
  sourceIp: null,
};
const MEGABYTE = 1_048_576;

interface Entry {
  routes?: string[];
  inputs?: JsonObject | null;
  bytes?: number;
  replayOf?: string;
}

/** Batches over entries at the places 1, 2 and so on, with the starts that a test adds. */
function batchesOf(entries: Entry[]) {
  const storage = inboxStorage();
  const log = new RequestLog(storage.sql, NO_CHUNKS);
  const starts = new Starts(storage.sql, log);
  for (const { routes = [], replayOf = null } of entries) {
    const matched = routes.map((name) => ({ name, matched: true, reason: "", key: null }));
    const decided = { diagnosis: [], receipt: { kind: "noted" }, httpStatus: 202, replayOf };
    const facts = { v: 1, ...SENT, ...decided, edited: false, routes: matched };
    addRequest(storage, log.head() + 1, { facts });
  }
  const reader = {
    inputs: ({ seq }: EntryRow) => entries[seq - 1]?.inputs ?? null,
    request: ({ seq, requestId }: EntryRow) =>
      requestWith({ requestId, body: new Uint8Array(entries[seq - 1]?.bytes ?? seq) }),
  };
  const asked: number[][] = [];
  const configs = {
    at: (versions: readonly number[]) => {
      asked.push([...versions]);
      return versions.map((version) => configWith({ version }));
    },
  };
  const start = (
    seq: number,
    place: number,
    route: string,
    changes: Record<string, unknown> = {},
  ) =>
    starts.add(
      seq,
      place,
      {
        route,
        executionId: `execution ${seq} ${route}`,
        configVersion: 4,
        inputs: { of: route },
        warnings: [],
        errors: [],
        ...changes,
      },
      { caseId: null, bytes: 0 },
    );
  const batches = {
    of: (ready: ReadyRow[], isOrdered?: boolean) =>
      workBatch({ log, reader, configs, starts }, ready, isOrdered),
  };
  return { batches, starts, start, asked };
}

const ready = (seq: number, changes: Partial<ReadyRow> = {}): ReadyRow => ({
  seq,
  requestId: `request ${seq}`,
  executionId: `execution ${seq}`,
  configVersion: 3,
  ...changes,
});

describe("a batch of work", () => {
  it("needs no acknowledgement if each execution reports to its request", () => {
    const plain = { inputs: { orderId: 7 } };
    const reported = (entries: Entry[], isOrdered: boolean, work = [ready(1)]) => {
      const { batches, start } = batchesOf(entries);
      start(1, 0, "a");
      return batches.of(work, isOrdered).isReported;
    };
    expect(reported([plain], false)).toBe(true);
    expect(reported([plain], true)).toBe(false);
    expect(reported([{}], false)).toBe(false);
    expect(reported([{ ...plain, routes: ["a"] }], false)).toBe(false);
    const large = { inputs: { text: "x".repeat(5 * MEGABYTE) } };
    expect(reported([large, large], false, [ready(1), ready(2)])).toBe(false);
    expect(reported([plain, {}], false, [ready(1), ready(2)])).toBe(false);
  });

  it("has the mapped inputs of requests, or the whole request", () => {
    const replayOf = crypto.randomUUID();
    const { batches, asked } = batchesOf([{ inputs: { orderId: 7 } }, { replayOf }]);
    const batch = batches.of([ready(1), ready(2, { configVersion: 5 })]);
    expect(batch.items).toMatchObject([
      {
        requestId: REQUEST_IDS[0],
        executionId: "execution 1",
        origin: "webhook",
        configVersion: 3,
        route: "",
        work: { kind: "mapped", inputs: { orderId: 7 } },
      },
      {
        origin: "replay",
        configVersion: 5,
        work: { kind: "unmapped", request: { requestId: REQUEST_IDS[1] } },
      },
    ]);
    expect(batch.more).toBe(false);
    expect(asked).toEqual([[3, 5]]);
    expect(batch.configs.map(({ version }) => version)).toEqual([3, 5]);
  });

  it("has an item for each start of a ready request", () => {
    const { batches, start, starts } = batchesOf([{ routes: ["a", "b", "c", "d"] }]);
    start(1, 0, "a");
    start(1, 1, "b", { executionId: null });
    start(1, 2, "c", { inputs: null });
    start(1, 3, "d");
    starts.join(1 * 32 + 3, "execution 1 d");
    expect(batches.of([ready(1)]).items).toMatchObject([
      { route: "a", executionId: "execution 1 a", configVersion: 4, work: { inputs: { of: "a" } } },
      { route: "c", work: { kind: "unmapped", request: { requestId: REQUEST_IDS[0] } } },
    ]);
  });

  it("has the whole requests of a shared execution, in the order of arrival", () => {
    const { batches, start, starts } = batchesOf(REQUEST_IDS.map(() => ({ routes: ["a"] })));
    for (const seq of [1, 2, 3]) start(seq, 0, "a", { executionId: null, inputs: null });
    starts.join(1 * 32, "execution together");
    starts.join(2 * 32, "execution together");
    starts.begin(3 * 32, "execution together", true);
    const { items } = batches.of([ready(3)]);
    expect(items).toMatchObject([
      {
        requestId: REQUEST_IDS[2],
        executionId: "execution together",
        work: { kind: "gathered", requests: REQUEST_IDS.map((requestId) => ({ requestId })) },
      },
    ]);
  });

  it.each<[string, Entry]>([
    ["inputs", { inputs: { text: "x".repeat(5 * MEGABYTE) } }],
    ["bodies", { bytes: 5 * MEGABYTE }],
  ])("carries as many %s as fit in a call, and at least one request", (_, large) => {
    const { batches } = batchesOf([large, large, {}]);
    const batch = batches.of([ready(1), ready(2), ready(3)]);
    expect(batch).toMatchObject({ items: [{ requestId: REQUEST_IDS[0] }], more: true });
    const huge = batchesOf([{ bytes: 9 * MEGABYTE }]).batches.of([ready(1)]);
    expect(huge).toMatchObject({ items: [{ requestId: REQUEST_IDS[0] }], more: false });
  });

  it("carries as many gathered bodies as fit in a call", () => {
    const large = { routes: ["a"], bytes: 3 * MEGABYTE };
    const { batches, start, starts } = batchesOf([large, large, large]);
    for (const seq of [1, 2]) start(seq, 0, "a", { executionId: null, inputs: null });
    starts.join(1 * 32, "execution together");
    starts.begin(2 * 32, "execution together", true);
    start(3, 0, "a", { inputs: null });
    expect(batches.of([ready(2), ready(3)])).toMatchObject({ more: true, items: [{}] });
  });
});

describe("held requests", () => {
  const open = () => {
    const storage = inboxStorage();
    return { storage, work: new Work(storage.sql), again: () => new Work(storage.sql) };
  };

  it("have the same counts as they change and after a restart", () => {
    const { work, again, storage } = open();
    addRequest(storage, 1);
    expect(work.held()).toEqual({ count: 0, bytes: 0, untried: 0 });
    for (const seq of [1, 2, 3, 4]) work.hold(seq, seq * 10);
    expect(work.held()).toEqual({ count: 4, bytes: 100, untried: 4 });
    work.release(1, "execution 1", 2);
    work.keepHeld(2, 2);
    const after = { count: 3, bytes: 90, untried: 2 };
    expect([work.held(), again().held()]).toEqual([after, after]);
    work.forget(3);
    const fewer = { count: 2, bytes: 60, untried: 1 };
    expect([work.held(), again().held()]).toEqual([fewer, fewer]);
    work.retryHeld();
    expect(work.held()).toEqual({ count: 2, bytes: 60, untried: 2 });
    expect(work.count()).toBe(3);
  });

  it("are released in the order of arrival, past those that cannot be mapped", () => {
    const { work, storage } = open();
    for (const seq of [1, 2, 3]) {
      addRequest(storage, seq);
      work.hold(seq, 1);
    }
    expect(work.firstUntried()).toBe(1);
    work.keepHeld(1, 2);
    expect(work.firstUntried()).toBe(2);
    work.release(2, "execution 2", 2);
    expect([work.firstUntried(), work.heldAfter(0, 9), work.heldAfter(1, 9)]).toEqual([
      3,
      [1, 3],
      [3],
    ]);
    expect(work.heldAfter(0, 1)).toEqual([1]);
    work.keepHeld(3, 2);
    expect(work.firstUntried()).toBeNull();
    work.retryHeld();
    expect(work.firstUntried()).toBe(1);
    expect(work.readyAt(1)).toBeNull();
    expect(work.readyAt(2)).toEqual(ready(2, { configVersion: 2 }));
  });
});
