import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { matchOf, routeWith } from "../../support/endpoint.ts";
import { inputOf } from "../../support/mapping.ts";
import {
  accepting,
  arrive,
  change,
  endOf,
  entryOf,
  handed,
  openInbox,
  receive,
  sentIds,
  type TestInbox,
  untilSent,
  wake,
  wholeLog,
  workflow,
} from "../../support/worker/inboxes.ts";

describe("work", () => {
  it("is sent soon after its acceptance, many in one message", async () => {
    const inbox = await openInbox();
    const arrivals = Array.from({ length: 150 }, () => inbox.arrival());
    await Promise.all(arrivals.map((arrival) => inbox.api.accept(arrival)));
    const ids = await untilSent(inbox, 150);
    expect(new Set(ids)).toEqual(new Set(arrivals.map(({ request }) => request.requestId)));
    expect(ids).toHaveLength(150);
    expect(inbox.messages.length).toBeLessThan(50);
    for (const { requestIds } of inbox.messages) expect(requestIds.length).toBeLessThan(101);
  });

  it("runs under the configuration that admitted it", async () => {
    const inbox = await openInbox();
    const [one = ""] = await receive(inbox, 1);
    await change(inbox, { workflow: { ...workflow, prompt: "Another one" } });
    const [two = ""] = await receive(inbox, 1);
    await change(inbox, { name: "nothing waits for this one" });
    const { configs, items } = await inbox.api.workBatch([two, one]);
    expect(items).toMatchObject([
      { requestId: one, configVersion: 1 },
      { requestId: two, configVersion: 2 },
    ]);
    expect(configs.map(({ version }) => version)).toEqual([1, 2]);
    await inbox.api.acknowledge(handed([one, two]));
    await change(inbox, { name: "another" });
    expect(await inbox.sql("SELECT version FROM configs")).toEqual([{ version: 4 }]);
  });
});

describe("a message to the queue", () => {
  it("that is lost is resent", async () => {
    const inbox = await openInbox();
    const [one = "", two = ""] = await receive(inbox, 2);
    await untilSent(inbox, 2);
    await inbox.api.acknowledge(handed([one]));
    inbox.messages = [];
    await wake(inbox);
    expect(await untilSent(inbox, 1)).toEqual([two]);
  });

  it("is not resent while it may be in flight", async () => {
    const inbox = await openInbox();
    const ids = await receive(inbox, 2);
    await untilSent(inbox, 2);
    await runDurableObjectAlarm(inbox.object);
    await receive(inbox, 1);
    expect((await untilSent(inbox, 3)).slice(0, 2)).toEqual(ids);
    expect(sentIds(inbox)).toHaveLength(3);
  });
});

const unmapped = accepting({ mappedInputs: null });

describe("requests that were held", () => {
  const holdAll = async (payloads: unknown[]) => {
    const inbox = await openInbox({ workflow: null });
    const ids: string[] = [];
    for (const payload of payloads) {
      const body = new TextEncoder().encode(JSON.stringify(payload));
      ids.push(await arrive(inbox, { request: { body }, decision: unmapped }));
    }
    return { inbox, ids };
  };
  const hold = (count: number) => holdAll(Array.from({ length: count }, () => ({ orderId: 7 })));
  /** The work of these requests, once all of them are released. */
  const released = async (inbox: TestInbox, ids: string[]) => {
    await expect.poll(async () => (await inbox.api.workBatch(ids)).items.length).toBe(ids.length);
    return await inbox.api.workBatch(ids);
  };

  it("start in order before newer ones, if the object is lost between any two steps", async () => {
    const { inbox, ids } = await hold(110);
    await wake(inbox);
    expect((await inbox.api.workBatch(ids)).items).toEqual([]);
    expect(inbox.messages).toEqual([]);
    expect(await inbox.api.queuedCount()).toBe(110);
    await change(inbox, { workflow });
    const order = [...ids, ...(await receive(inbox, 5))];
    const started: string[] = [];
    while (started.length < order.length) {
      inbox.messages = [];
      await wake(inbox);
      await untilSent(inbox, 1);
      const { requestIds = [] } = inbox.messages[0] ?? {};
      await inbox.evict();
      const { items } = await inbox.api.workBatch(requestIds.toReversed());
      await inbox.evict();
      await inbox.api.acknowledge(handed(items.map(({ requestId }) => requestId)));
      started.push(...items.map(({ requestId }) => requestId));
    }
    expect(started).toEqual(order);
  });

  it("are released further by a report that precedes the acknowledgement", async () => {
    const { inbox } = await hold(101);
    await change(inbox, { workflow });
    const { items } = await inbox.api.workBatch(await untilSent(inbox, 100));
    for (const item of items) {
      await inbox.api.report(endOf(item, { version: 2, status: "active", finishedAt: null }));
    }
    expect(await untilSent(inbox, 101)).toHaveLength(101);
  });

  it("run under the configuration that released them", async () => {
    const { inbox, ids } = await hold(1);
    const [held = ""] = ids;
    expect(await entryOf(inbox, held)).toMatchObject({ revision: 1, workflowRevision: null });
    await change(inbox, { workflow, revision: 2 });
    await released(inbox, ids);
    await change(inbox, { workflow: null, revision: 3 });
    expect(await entryOf(inbox, held)).toMatchObject({ revision: 2, workflowRevision: 1 });
    const { items, configs } = await inbox.api.workBatch(ids);
    expect(configs).toMatchObject([{ version: 2, workflow }]);
    const work = { kind: "mapped", inputs: { payload: { orderId: 7 } } };
    expect(items).toMatchObject([{ configVersion: 2, work }]);
  });

  it("count their latencies from the release, not from the receipt", async () => {
    const inbox = await openInbox({ workflow: null });
    const receivedAt = Date.now() - 3_600_000;
    const requestId = await arrive(inbox, { decision: unmapped, request: { receivedAt } });
    await change(inbox, { workflow });
    const [{ executionId } = { executionId: null }] = (await released(inbox, [requestId])).items;
    const startedAt = Date.now() + 40;
    const finishedAt = startedAt + 900;
    await inbox.api.report(endOf({ requestId, executionId }, { startedAt, finishedAt }));
    const { toStart, toCompletion } = (await entryOf(inbox, requestId))?.latencyMs ?? {};
    expect(toStart).toBeLessThan(60_000);
    expect(toCompletion).toBe((toStart ?? 0) + 900);
  });

  it("show their execution, inputs and warnings after the release", async () => {
    const { inbox, ids } = await holdAll([{ a: { order: 1 }, b: { order: 2 } }]);
    const [requestId = ""] = ids;
    await change(inbox, { workflow: { ...workflow, inputs: [inputOf("order")] } });
    const { items } = await released(inbox, ids);
    const warnings = [expect.stringContaining("left unmapped")];
    expect(await entryOf(inbox, requestId)).toMatchObject({
      status: "queued",
      executionId: items[0]?.executionId,
      mappedInputs: {},
      warnings,
    });
    await inbox.api.acknowledge(handed(ids));
    expect(await entryOf(inbox, requestId)).toMatchObject({
      status: "running",
      executionId: items[0]?.executionId,
      warnings,
    });
  });

  it("pass their execution to earlier duplicates", async () => {
    const inbox = await openInbox({ workflow: null });
    const event = accepting({ eventId: "evt_1" });
    const first = await arrive(inbox, { decision: event });
    const second = inbox.arrival({ decision: event });
    expect(await inbox.api.accept(second)).toMatchObject({ kind: "duplicate", executionId: null });
    await change(inbox, { workflow });
    const [item] = (await released(inbox, [first])).items;
    await inbox.api.acknowledge(handed([first]));
    const executionId = item?.executionId ?? "";
    expect(executionId).not.toBe("");
    expect(await entryOf(inbox, second.request.requestId)).toMatchObject({ executionId });
  });

  it("are each released once if the workflow is attached during arrivals", async () => {
    const inbox = await openInbox({ workflow: null });
    const before = inbox.config;
    const after = { ...before, version: 2, workflow };
    const arrivals = Array.from({ length: 100 }, () => inbox.arrival());
    const receipts = await Promise.all(
      arrivals.map(async (arrival, n) => {
        if (n === 50) await inbox.api.configure(after);
        const receipt = await inbox.api.accept(arrival);
        // As the service does it: admitted again under the newer configuration.
        return receipt.kind === "outdated"
          ? await inbox.api.accept({ ...arrival, configVersion: 2 })
          : receipt;
      }),
    );
    expect(receipts.filter(({ kind }) => kind === "accepted")).toHaveLength(100);
    const ids = arrivals.map(({ request }) => request.requestId);
    const { items } = await released(inbox, ids);
    expect(new Set(items.map(({ requestId }) => requestId))).toEqual(new Set(ids));
    expect(new Set(items.map(({ executionId }) => executionId)).size).toBe(100);
  });

  it("are routed in the order of arrival once the endpoint has routes, before newer ones", async () => {
    const inbox = await openInbox({ workflow: null });
    const hold = (id: number, decision = unmapped) => {
      const body = new TextEncoder().encode(JSON.stringify({ id }));
      return arrive(inbox, { request: { body }, decision });
    };
    const ids = [await hold(1), await hold(2), await hold(0), await hold(2)];
    const rule = { onEvent: "queue", quietSeconds: 10, maxWaitSeconds: 300 } as const;
    const route = routeWith({ name: "r", when: { path: "id", gt: 0 }, key: { path: "id" }, rule });
    await change(inbox, { routing: { routes: [route] } });
    const routes = [matchOf("r", { key: "7" })];
    ids.push(await hold(7, accepting({ mappedInputs: null, routes })));
    const entries = () => Promise.all(ids.map((id) => entryOf(inbox, id)));
    await expect
      .poll(async () => (await entries()).map((entry) => entry?.routes[0]?.key))
      .toEqual(["1", "2", null, "2", "7"]);
    const [first, second, none, behind, newer] = await entries();
    expect(none).toMatchObject({ status: "unrouted", routes: [{ matched: false }] });
    // The earlier event of its case is live.
    expect(behind).toMatchObject({ status: "queued", executionId: null });
    const { items } = await inbox.api.workBatch(ids);
    const started = [first, second, newer].map((entry) => entry?.executionId);
    expect(items.map(({ executionId }) => executionId)).toEqual(started);
    expect(await inbox.api.queuedCount()).toBe(3);
  });

  describe("that cannot be mapped", () => {
    const inputs = [inputOf("orderId", "integer", { required: true })];
    const attached = { workflow: { ...workflow, inputs } };
    const mapping = {
      auto: true,
      fields: [{ to: "orderId", from: "orderId", transforms: [], default: 0 }],
    };
    /** Two of five that cannot be mapped, with the workflow attached and the others released. */
    const holdSome = async () => {
      const payloads = [{ orderId: 1 }, {}, { orderId: 3 }, { orderId: "x" }, { orderId: 5 }];
      const { inbox, ids } = await holdAll(payloads);
      const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
      await change(inbox, attached);
      await released(inbox, [first, third, fifth]);
      return { inbox, ids, started: [first, third, fifth], kept: [second, fourth] };
    };

    it("stay held with their errors, while the others start in order and new ones at once", async () => {
      const { inbox, ids, started, kept } = await holdSome();
      const { items } = await inbox.api.workBatch(ids);
      expect(items.map(({ requestId }) => requestId)).toEqual(started);
      const entries = await Promise.all(kept.map((id) => entryOf(inbox, id)));
      expect(entries).toMatchObject([
        {
          status: "queued",
          executionId: null,
          errors: [{ stage: "mapping", path: "orderId", rule: "required" }],
        },
        { status: "queued", executionId: null, errors: [{ stage: "mapping", rule: "type" }] },
      ]);
      await inbox.api.acknowledge(handed(started));
      expect(await inbox.api.accept(inbox.arrival())).toMatchObject({
        kind: "accepted",
        executionId: expect.any(String),
      });
      expect(await inbox.api.queuedCount()).toBe(3);
    });

    it("are retried by a release or another workflow, not by other changes or a restart", async () => {
      const { inbox, started, kept } = await holdSome();
      await inbox.api.acknowledge(handed(started));
      await change(inbox, { mapping });
      await wake(inbox);
      expect((await inbox.api.workBatch(kept)).items).toEqual([]);
      const [missing = "", wrong = ""] = kept;
      expect(await inbox.api.release(inbox.config)).toBe(2);
      const { items } = await released(inbox, [missing]);
      expect(items).toMatchObject([{ work: { kind: "mapped", inputs: { orderId: 0 } } }]);
      expect(await entryOf(inbox, missing)).toMatchObject({ status: "queued", errors: [] });
      expect(await entryOf(inbox, wrong)).toMatchObject({ errors: [{ rule: "type" }] });
      expect((await inbox.api.held(0)).requests).toMatchObject([{ requestId: wrong }]);
      await change(inbox, { workflow: { ...workflow, workflowId: "wf_11111111111111111111" } });
      await released(inbox, [wrong]);
    });

    it("are released once each despite an eviction or a concurrent release", async () => {
      const { inbox, started, kept } = await holdSome();
      await inbox.api.acknowledge(handed(started));
      await change(inbox, { workflow: null });
      await inbox.evict();
      await change(inbox, { ...attached, mapping: { auto: false, fields: [] } });
      const inputs = [inputOf("orderId")];
      await change(inbox, { workflow: { ...workflow, inputs } });
      await Promise.all([inbox.api.release(inbox.config), inbox.api.release(inbox.config)]);
      await inbox.evict();
      const { items } = await released(inbox, kept);
      expect(new Set(items.map(({ executionId }) => executionId)).size).toBe(2);
    });

    it("by any matching route stay held without blocking the next ones", async () => {
      const { inbox, ids } = await holdAll([{ a: 1 }, { orderId: 2 }, { other: 3 }]);
      const [first = "", second = "", third = ""] = ids;
      const when = { not: { path: "other", exists: true } };
      const route = routeWith({ name: "r", when, workflow: attached.workflow });
      await change(inbox, { routing: { routes: [route] } });
      await released(inbox, [second]);
      await expect.poll(async () => (await entryOf(inbox, third))?.status).toBe("unrouted");
      expect(await entryOf(inbox, first)).toMatchObject({
        status: "queued",
        errors: [{ stage: "mapping", rule: "required" }],
        routes: [],
      });
    });
  });

  it("fail with the reason if the endpoint is deleted, while ready requests still run", async () => {
    const inbox = await openInbox();
    const [ready = ""] = await receive(inbox, 1);
    await change(inbox, { workflow: null });
    const [held = ""] = await receive(inbox, 1);
    expect((await inbox.api.workBatch([ready, held])).items).toMatchObject([{ requestId: ready }]);
    await change(inbox, { deleted: true });
    expect(await entryOf(inbox, held)).toMatchObject({
      status: "failed",
      errors: [{ stage: "start", rule: "endpoint_deleted" }],
    });
    expect((await inbox.api.workBatch([ready, held])).items).toMatchObject([{ requestId: ready }]);
    expect((await inbox.api.list(wholeLog)).entries).toHaveLength(2);
  });
});
