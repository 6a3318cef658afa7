import { expect, it } from "vitest";
import { RequestLog } from "../../../src/endpoints/log.ts";
import { Work } from "../../../src/endpoints/work.ts";
import { configWith } from "../../support/endpoint.ts";
import { ACCEPTED, NO_CHUNKS, requestWith } from "../../support/logged.ts";
import { addRequest, inboxStorage } from "../../support/table-storage.ts";

const BLANK = {
  outcome: { errors: [], warnings: [] },
  ...{ executionId: null, runVersion: 1, toStart: null, toCompletion: null },
};

/** A log to which ready requests are added; `again` is the log as another process reads it. */
function logOf() {
  const storage = inboxStorage();
  const { sql } = storage;
  const log = new RequestLog(sql, NO_CHUNKS);
  const add = () =>
    log.add({
      request: requestWith({ body: null }),
      entry: ACCEPTED,
      arrivedAt: 0,
      budget: "verified",
      under: configWith(),
    });
  const start = (seq: number) => log.change(seq, { ...BLANK, status: "running" }, 0);
  const ready = () => new Work(sql).readyAfter(0, 1_000).map(({ seq }) => seq);
  return { storage, sql, log, add, start, ready };
}

it("finds each ready request until it is started, however many follow", () => {
  const { add, start, ready } = logOf();
  const late = add();
  for (let n = 0; n < 400; n += 1) start(add());
  expect(ready()).toEqual([late]);
  const last = add();
  start(late);
  for (let n = 0; n < 400; n += 1) start(add());
  expect(ready()).toEqual([last]);
});

it("lists ready requests and those of older code in the order of arrival", () => {
  const { storage, add, ready, log } = logOf();
  const first = add();
  const second = log.head() + 1;
  addRequest(storage, second);
  new Work(storage.sql).add(second, "execution of older code", 1, 0);
  expect([...ready(), add()]).toEqual([first, second, second + 1]);
});

it("never reuses a position after the newest entries are removed, by any version of the code", () => {
  const { sql, add, log } = logOf();
  const given = [add(), add(), add()];
  sql.exec("DELETE FROM requests WHERE seq > ?", 1);
  given.push(add());
  // Older code lets SQLite choose.
  const query = `INSERT INTO requests SELECT NULL, 'by older code', received_at, arrived_at, counted,
      status, settled_at, duplicate, drifted, event_id, claim, first_seq, execution_id, run_version,
      to_start, to_completion, outcome, facts, inputs, inputs_chunked, body_chunked, body_truncated,
      body, NULL FROM requests LIMIT 1 RETURNING seq`;
  given.push(Number(sql.exec(query).one().seq));
  sql.exec("DELETE FROM requests");
  given.push(add());
  expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
  expect(log.head()).toBe(given.at(-1));
});

it("never assigns a position before one that older code reported to a subscriber", () => {
  const { sql, add } = logOf();
  add();
  const told = Number(
    sql.exec("SELECT seq FROM sqlite_sequence WHERE name = 'requests'").one().seq,
  );
  sql.exec("INSERT INTO subscriptions VALUES ('one', '{}', ?)", JSON.stringify({ position: told }));
  expect(add()).toBe(told + 1);
});
