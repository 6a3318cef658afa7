import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { LogPosition, LogQuery } from "../../../src/contract/webhooks/inbox.ts";
import { wholeEntry } from "../../../src/endpoints/log-reader.ts";
import { BY_STATUS } from "../../../src/endpoints/tables.ts";
import {
  accepting,
  arrive,
  endOf,
  entryOf,
  openInbox,
  refusing,
  type TestInbox,
  wholeLog,
} from "../../support/worker/inboxes.ts";

const AT = 1_700_000_000_000;

/** Thirty requests, three of each time: accepted ones, duplicates of one event, refused ones. */
async function filled() {
  const inbox = await openInbox();
  const all: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const decision = [accepting({ eventId: "evt" }), accepting(), refusing("validation")][n % 3];
    const request = { receivedAt: AT + Math.floor(n / 3) };
    all.push(await arrive(inbox, { request, ...(decision && { decision }) }));
  }
  return { inbox, all };
}

async function pages(inbox: TestInbox, query: LogQuery) {
  const entries = [];
  let cursor: LogPosition | null = null;
  do {
    const page: Awaited<ReturnType<TestInbox["api"]["list"]>> = await inbox.api.list({
      ...query,
      cursor,
    });
    expect(page.entries.length).toBeLessThanOrEqual(query.limit);
    entries.push(...page.entries);
    cursor = page.next;
  } while (cursor !== null);
  return entries;
}

describe("the list", () => {
  it("filters by each status while requests change", async () => {
    const { inbox, all } = await filled();
    const { executionId = null } = (await entryOf(inbox, all[4] ?? "")) ?? {};
    const run = { requestId: all[4] ?? "", executionId };
    const counts = async () => {
      const found: [status: string, count: number][] = [];
      for (const status of ["queued", "running", "succeeded", "failed"] as const) {
        const query = { ...wholeLog, limit: 4, statuses: [status] };
        found.push([status, (await pages(inbox, query)).length]);
      }
      const both: LogQuery = { ...wholeLog, limit: 4, statuses: ["succeeded", "rejected"] };
      found.push(["succeeded or rejected", (await pages(inbox, both)).length]);
      return Object.fromEntries(found);
    };
    const others = { failed: 0, "succeeded or rejected": 10 };
    expect(await counts()).toEqual({ queued: 11, running: 0, succeeded: 0, ...others });
    await inbox.api.report(endOf(run, { version: 2, status: "active", finishedAt: null }));
    expect(await counts()).toEqual({ queued: 10, running: 1, succeeded: 0, ...others });
    await inbox.api.report(endOf(run));
    const succeeded = { succeeded: 1, "succeeded or rejected": 11, failed: 0 };
    expect(await counts()).toEqual({ queued: 10, running: 0, ...succeeded });
  });

  it("uses indexes for a log of any length", async () => {
    const { inbox } = await filled();
    const plan = async (condition: string) => {
      const steps = await inbox.sql(
        `EXPLAIN QUERY PLAN SELECT seq, received_at, request_id FROM requests
         WHERE (received_at, request_id) < (5, 'a') AND received_at > 1 ${condition}
         ORDER BY received_at DESC, request_id DESC LIMIT 5`,
      );
      return steps.map(({ detail }) => String(detail)).join();
    };
    const failed = `AND status = 'failed' AND ${BY_STATUS}`;
    expect(await plan("")).toMatch(/COVERING INDEX requests_by_time/);
    expect(await plan("AND duplicate = 1")).toMatch(/INDEX requests_duplicate/);
    expect(await plan("AND duplicate = 0")).toMatch(/COVERING INDEX requests_by_time/);
    expect(await plan(failed)).toMatch(/COVERING INDEX requests_by_status/);
    for (const each of ["", "AND duplicate = 1", failed]) {
      expect(await plan(each)).not.toContain("TEMP B-TREE");
    }
  });
});

describe("a search", () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

  /** Orders 0 to 59, two of each time; every third one is of the type `order.paid`. */
  async function orders() {
    const inbox = await openInbox();
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const body = bytes({ order: `ord_${n}`, note: n % 2 === 0 ? "Grüße" : "none" });
      const decision = accepting({
        eventId: n % 10 === 0 ? "evt" : `evt_${n}`,
        eventType: n % 3 === 0 ? "order.paid" : "p",
      });
      const request = { receivedAt: AT + Math.floor(n / 2), body };
      ids.push(await arrive(inbox, { request, decision }));
    }
    return { inbox, ids };
  }

  it("finds texts, events and their types, page by page", async () => {
    const { inbox, ids } = await orders();
    for (const [filters, expected] of [
      [{ text: "ORD_5" }, [5, ...Array.from({ length: 10 }, (_, n) => 50 + n)]],
      [{ text: "grüße" }, Array.from({ length: 30 }, (_, n) => 2 * n)],
      [{ text: "ord_1", eventType: "order.paid" }, [12, 15, 18]],
      [{ text: '"order":"ord_33","note' }, [33]],
      [{ text: "ordord" }, []],
      [{ eventId: "evt" }, [0, 10, 20, 30, 40, 50]],
      [{ eventId: "evt", duplicate: false }, [0]],
      [{ eventId: "evt", statuses: ["duplicate"], receivedAfter: AT + 15 }, [40, 50]],
      [{ eventId: "ev" }, []],
      [{ eventType: "p", receivedBefore: AT + 2 }, [1, 2]],
      [{ eventType: "paid" }, []],
    ] satisfies [Partial<LogQuery>, number[]][]) {
      const found = await pages(inbox, { ...wholeLog, limit: 4, ...filters });
      const at = found.map(({ requestId }) => ids.indexOf(requestId));
      expect(
        at.toSorted((a, b) => a - b),
        JSON.stringify(filters),
      ).toEqual(expected);
      const keys = found.map(({ receivedAt, requestId }) => receivedAt + requestId);
      expect(keys).toEqual([...keys].sort().reverse());
    }
  });

  it("finds requests received earlier that arrived later, and the payload of a GET", async () => {
    const inbox = await openInbox();
    const now = Date.now();
    const times = [now, now - 3_000, now - 1_000, now - 2_000];
    for (const receivedAt of times) {
      const request = { receivedAt, method: "GET", body: null, query: { order: "ord_1" } };
      await inbox.api.accept(inbox.arrival({ request }));
    }
    const found = await pages(inbox, { ...wholeLog, limit: 1, text: "ord_1" });
    expect(found.map(({ receivedAt }) => Date.parse(receivedAt))).toEqual(
      times.toSorted((a, b) => b - a),
    );
  });

  it("forgets entries removed from the log", async () => {
    const { inbox } = await orders();
    expect(await pages(inbox, { ...wholeLog, text: "ord_7" })).toHaveLength(1);
    await inbox.sql("DELETE FROM requests WHERE seq = 8");
    expect(await pages(inbox, { ...wholeLog, text: "ord_7" })).toEqual([]);
  });
});

describe("a body", () => {
  const bodies = async (body: Uint8Array) => {
    const inbox = await openInbox();
    const requestId = await arrive(inbox, { request: { body } });
    const [listed] = (await inbox.api.list(wholeLog)).entries;
    const logged = await inbox.api.entry(requestId);
    if (listed === undefined || logged === null) throw new Error("not logged");
    return { inbox, listed, logged, whole: wholeEntry(logged) };
  };

  it("of more than 16 KiB is cut in lists between characters, and stored whole", async () => {
    const { listed: short } = await bodies(new Uint8Array(16_384).fill(120));
    expect(short).toMatchObject({ body: "x".repeat(16_384), bodyTruncated: false });
    const text = `x${"ü".repeat(10_000)}`;
    const { listed, whole } = await bodies(new TextEncoder().encode(text));
    expect(listed.bodyTruncated).toBe(true);
    expect(listed.body).toBe(text.slice(0, listed.body?.length));
    expect(whole).toMatchObject({ body: text, bodyTruncated: false });
  });

  it("of ten mebibytes is stored once, in pieces", async () => {
    const body = crypto.getRandomValues(new Uint8Array(65_536));
    const big = new Uint8Array(10 * 1_048_576);
    for (let at = 0; at < big.length; at += body.length) big.set(body, at);
    const { inbox, logged } = await bodies(big);
    const kept = logged.request.body ?? new Uint8Array();
    expect(kept.byteLength).toBe(big.byteLength);
    expect(crypto.subtle.timingSafeEqual(kept, big)).toBe(true);
    await runInDurableObject(inbox.object, (_, { storage }) => {
      expect(storage.sql.databaseSize).toBeLessThan(11.5 * 1_048_576);
    });
  });
});

it("long inputs are stored whole, and omitted from lists", async () => {
  const inbox = await openInbox();
  const mappedInputs = { text: "ü".repeat(5_000_000) };
  const requestId = await arrive(inbox, { decision: accepting({ mappedInputs }) });
  expect((await inbox.api.list(wholeLog)).entries).toMatchObject([{ mappedInputs: null }]);
  expect((await inbox.api.entry(requestId))?.entry.mappedInputs?.text).toHaveLength(5_000_000);
  const [item] = (await inbox.api.workBatch([requestId])).items;
  expect(item?.work.kind === "mapped" && item.work.inputs.text).toHaveLength(5_000_000);
});

it("errors of any length are logged as far as a row holds them", async () => {
  const inbox = await openInbox();
  const long = "x".repeat(1_000_000);
  const error = { stage: "validation" as const, path: long, rule: "no", message: long };
  const decision = { ...refusing("validation"), errors: [error, error, error] };
  await inbox.api.accept(inbox.arrival({ decision }));
  const [entry] = (await inbox.api.list(wholeLog)).entries;
  expect(entry?.errors[0]).toMatchObject({ stage: "validation", path: "x".repeat(2_000) });
});

describe("the newest requests for reevaluation", () => {
  it("are those with a parsed payload, page by page", async () => {
    const inbox = await openInbox();
    const wanted: string[] = [];
    const answer = { kind: "answer", httpStatus: 200, isVerified: true } as const;
    const decisions = [accepting(), refusing("signature"), refusing("validation"), answer];
    for (let n = 0; n < 12; n += 1) {
      const decision = decisions[n % 4] ?? accepting();
      const requestId = await arrive(inbox, { request: { receivedAt: AT + n }, decision });
      if (n % 4 === 0 || n % 4 === 2) wanted.unshift(requestId);
    }
    await arrive(inbox, { request: { bodyTruncated: true } });
    const first = await inbox.api.recent(4, null);
    const second = await inbox.api.recent(4, first.next);
    const found = [...first.requests, ...second.requests];
    expect(found.map(({ entry }) => entry.requestId)).toEqual(wanted);
    expect(second.next).toBeNull();
  });

  it("fit in one call", async () => {
    const inbox = await openInbox();
    const body = new Uint8Array(5_000_000).fill(120);
    for (let n = 0; n < 3; n += 1) await inbox.api.accept(inbox.arrival({ request: { body } }));
    const seen: string[] = [];
    let next: LogPosition | null = null;
    do {
      const page: Awaited<ReturnType<TestInbox["api"]["recent"]>> = await inbox.api.recent(
        10,
        next,
      );
      expect(page.requests).toHaveLength(1);
      seen.push(...page.requests.map(({ entry }) => entry.requestId));
      next = page.next;
    } while (next !== null);
    expect(new Set(seen).size).toBe(3);
  });
});

describe("the learned shape", () => {
  const send = (inbox: TestInbox, payload: unknown, changes = {}) => {
    const body = new TextEncoder().encode(JSON.stringify(payload));
    return arrive(inbox, { request: { body, ...changes } });
  };

  it("learns from accepted requests, and flags drift from ten or more", async () => {
    const inbox = await openInbox();
    for (let n = 0; n < 8; n += 1) await send(inbox, { orderId: n, email: "a@example.com" });
    const early = await send(inbox, { orderId: "nine", email: "a@example.com" });
    const usual = await send(inbox, { orderId: 10, email: "b@example.com" });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(10);
    const strange = await send(inbox, { orderId: null });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(11);
    for (const id of [early, usual]) {
      expect(await entryOf(inbox, id)).toMatchObject({ drifted: false, warnings: [] });
    }
    const entry = await entryOf(inbox, strange);
    expect(entry?.drifted).toBe(true);
    expect(entry?.warnings.join()).toMatch(/orderId.*email|email.*orderId/);
    expect(await inbox.api.shape()).toMatchObject({ drifted: 1, profile: { v: 1 } });
  });

  it("ignores replays, refused requests and unreadable payloads", async () => {
    const inbox = await openInbox();
    const first = await send(inbox, { orderId: 1 });
    await send(inbox, { orderId: 1 }, { replayOf: first });
    await send(inbox, { orderId: 1 }, { contentType: "multipart/form-data" });
    await arrive(inbox, { decision: refusing("validation") });
    await send(inbox, { orderId: 2 });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(2);
  });

  it("continues where it stopped after many at once", async () => {
    const inbox = await openInbox();
    await Promise.all(Array.from({ length: 250 }, (_, n) => send(inbox, { orderId: n })));
    await inbox.evict();
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(250);
  });
});
