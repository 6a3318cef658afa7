import { beforeEach, describe, expect, it } from "vitest";
import type { CaseQuery, CaseRecord } from "../../../src/contract/webhooks/case.ts";
import { caseRuleOf } from "../../../src/contract/webhooks/routing.ts";
import { Cases } from "../../../src/endpoints/cases.ts";
import { RequestLog } from "../../../src/endpoints/log.ts";
import { PLACES, Starts } from "../../../src/endpoints/starts.ts";
import { NO_CHUNKS } from "../../support/logged.ts";
import { addRequest, inboxStorage } from "../../support/table-storage.ts";

const SECOND = 1_000;

let storage = inboxStorage();
let reader: Cases;
let arrived = 0;

beforeEach(() => {
  storage = inboxStorage();
  reader = new Cases(storage.sql);
  arrived = 0;
});

const starts = () => new Starts(storage.sql, new RequestLog(storage.sql, NO_CHUNKS));

/** An event of these routes' cases, a second after the one before; answers its place. */
function arrive(key: string, routes: string[], executionId: string | null = null): number {
  arrived += 1;
  addRequest(storage, arrived, { at: arrived * SECOND });
  for (const [place, route] of routes.entries()) {
    const caseId = new Cases(storage.sql).note(route, key, caseRuleOf({}), arrived * SECOND);
    const start = { route, executionId, configVersion: 1, inputs: null, warnings: [], errors: [] };
    starts().add(arrived, place, start, { caseId, bytes: 0 });
  }
  return arrived;
}

/** An execution ran from one time to another, in seconds, and got the events at these places. */
function run(seqs: number[], from: number, to: number): void {
  for (const seq of seqs) {
    starts().change({
      startId: seq * PLACES,
      route: "r",
      status: "succeeded",
      outcome: { errors: [], warnings: [] },
      runVersion: 2,
      toStart: Math.max(0, from - seq) * SECOND,
      toCompletion: (to - seq) * SECOND,
    });
  }
}

const read = (query: Partial<CaseQuery> = {}) =>
  reader.page("ep_1", { key: null, route: null, before: null, limit: 20, ...query });

const eventsOf = ({ timeline }: CaseRecord) =>
  timeline.flatMap((moment) =>
    moment.type === "event" ? Number(moment.requestId.split(" ")[1]) : [],
  );

/** All pages of a query, one after the other. */
function pages(query: Partial<CaseQuery>): CaseRecord[][] {
  const found: CaseRecord[][] = [];
  let before: number | null = null;
  do {
    const page = read({ ...query, before });
    found.push(page.cases);
    before = page.next;
  } while (before !== null);
  return found;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("a case of many events", () => {
  it("shows the newest events in the list of cases, and that there are earlier ones", () => {
    for (let n = 1; n <= 101; n += 1) arrive("a", ["pulls"]);
    arrive("b", ["pulls"]);
    const { cases, next } = read();
    expect(next).toBeNull();
    expect(cases.map(({ key, truncated, waiting }) => [key, truncated, waiting])).toEqual([
      ["b", false, 1],
      ["a", true, 101],
    ]);
    expect(cases.map(eventsOf)).toEqual([[102], numbers(2, 101)]);
  });

  it("shows all of them, page by page, by its key", () => {
    for (let n = 1; n <= 250; n += 1) arrive("a", ["pulls"]);
    arrive("b", ["pulls"]);
    const found = pages({ key: "a" });
    expect(found.map((page) => page.map(eventsOf))).toEqual([
      [numbers(151, 250)],
      [numbers(51, 150)],
      [numbers(1, 50)],
    ]);
    expect(found.flat().map(({ truncated }) => truncated)).toEqual([true, true, false]);
  });

  it("ends with a full page if there is no earlier event", () => {
    for (let n = 1; n <= 100; n += 1) arrive("a", ["pulls"]);
    expect(pages({ key: "a" }).map((page) => page.map(eventsOf))).toEqual([[numbers(1, 100)]]);
  });
});

describe("cases of one key at several routes", () => {
  it("share the pages, each with its own events", () => {
    for (let n = 1; n <= 60; n += 1) arrive("a", n <= 55 ? ["pulls"] : ["pulls", "labels"]);
    expect(read({ key: "a" }).cases.map(({ route }) => route)).toEqual(["labels", "pulls"]);
    expect(read({ key: "a" }).cases.map(eventsOf)).toEqual([numbers(56, 60), numbers(1, 60)]);
    expect(pages({ key: "a", route: "labels" }).map((page) => page.map(eventsOf))).toEqual([
      [numbers(56, 60)],
    ]);
    expect(read({ route: "labels" }).cases.map(({ route }) => route)).toEqual(["labels"]);
  });

  it("continue on further pages if they exceed one", () => {
    arrive("a", ["one", "two", "three"]);
    const found = pages({ key: "a", limit: 2 });
    expect(found.map((page) => page.map(({ route }) => route))).toEqual([
      ["three", "two"],
      ["one"],
    ]);
    expect(pages({ limit: 2 }).flat()).toHaveLength(3);
  });
});

describe("an execution of several events", () => {
  it("starts at the first and ends at the last, by time", () => {
    for (let n = 1; n <= 3; n += 1) arrive("a", ["pulls"], "execution 1");
    run([1, 2, 3], 2.5, 9);
    const [record] = read({ key: "a" }).cases;
    expect(record?.timeline.map(({ type, at }) => [type, Date.parse(at) / SECOND])).toEqual([
      ["event", 1],
      ["event", 2],
      ["execution.started", 2.5],
      ["event", 3],
      ["execution.ended", 9],
    ]);
  });

  it("has one start and one end over all pages", () => {
    for (let n = 1; n <= 150; n += 1) arrive("a", ["pulls"], "execution 1");
    run(numbers(1, 150), 1, 200);
    const found = pages({ key: "a" }).map(([record]) =>
      record?.timeline.filter(({ type }) => type !== "event").map(({ type }) => type),
    );
    expect(found).toEqual([["execution.ended"], ["execution.started"]]);
  });
});
