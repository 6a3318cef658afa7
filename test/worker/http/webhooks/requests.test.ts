import { describe, expect, it } from "vitest";
import { logPage } from "../../../../src/contract/webhooks/log.ts";
import { expectProblem, newAccount, send } from "../../../support/worker/client.ts";
import { newEndpoint, WEBHOOKS } from "../../../support/worker/webhooks.ts";

describe("the log of an endpoint", () => {
  it("lists what was accepted and what was refused, the newest first", async () => {
    const endpoint = await newEndpoint({ validation: { required: ["id"] } });
    const accepted = await endpoint.take({ id: "evt_1", total: 5 });
    const refused = await endpoint.hook({ total: 5 });
    const refusedId = refused.headers.get("X-Request-Id");
    expect(refused.status).toBe(422);
    const { requests, nextCursor } = await endpoint.log();
    expect(nextCursor).toBeNull();
    expect(requests.map(({ requestId }) => requestId)).toEqual([refusedId, accepted]);
    expect(requests[0]).toMatchObject({
      endpointId: endpoint.endpointId,
      status: "rejected",
      httpStatus: 422,
      errors: [{ stage: "validation", path: "id" }],
      body: '{"total":5}',
      replayOf: null,
      edited: false,
    });
    expect(requests[1]).toMatchObject({ status: "queued", httpStatus: 202, eventId: "evt_1" });
  });

  it("goes page by page through all of them once", async () => {
    const endpoint = await newEndpoint();
    const sent: string[] = [];
    for (let at = 0; at < 7; at += 1) sent.push(await endpoint.take({ at }));
    const seen: string[] = [];
    let query = "?limit=3";
    for (let pages = 0; pages < 3; pages += 1) {
      const { requests, nextCursor } = await endpoint.log(query);
      seen.push(...requests.map(({ requestId }) => requestId));
      query = `?limit=3&cursor=${encodeURIComponent(nextCursor ?? "none")}`;
    }
    expect(seen.toSorted()).toEqual(sent.toSorted());
    expect(query).toContain("none");
  });

  it("is searched together with those of the account's other endpoints", async () => {
    const one = await newEndpoint({ eventId: { in: "body", path: "id" } });
    const body = { name: "other" };
    const made = await send(WEBHOOKS, { method: "POST", token: one.apiKey, body });
    const { endpointId } = await made.json<{ endpointId: string }>();
    const sent: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      sent.push(await one.take({ id: `evt_${at}`, type: "order.paid", order: `ord_${at}` }));
      const response = await send(`/hooks/${endpointId}`, {
        method: "POST",
        body: { id: `evt_${at}`, order: `ord_${at}` },
      });
      sent.push(response.headers.get("X-Request-Id") ?? "");
    }
    const search = async (query: string, token = one.apiKey) => {
      const response = await send(`/api/v1/webhook-requests${query}`, { token });
      return logPage.parse(await response.json());
    };
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { requests, nextCursor } = await search(`?limit=3${cursor}`);
      seen.push(...requests.map(({ requestId }) => requestId));
      if (nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    expect(seen.toSorted()).toEqual(sent.toSorted());
    const ids = async (query: string) =>
      (await search(query)).requests.map(({ requestId }) => requestId);
    expect(await ids("?text=ord_3")).toEqual([sent[7], sent[6]]);
    expect(await ids(`?text=ord_3&endpointId=${endpointId}`)).toEqual([sent[7]]);
    expect(await ids("?eventId=evt_2&status=queued")).toContain(sent[4]);
    expect(await ids("?eventType=order.paid")).toHaveLength(5);
    const stranger = await newAccount();
    expect((await search("", stranger.apiKey)).requests).toEqual([]);
    const foreign = await send(`/api/v1/webhook-requests?endpointId=${endpointId}`, {
      token: stranger.apiKey,
    });
    await expectProblem(foreign, 404, "not_found");
    const short = await send("/api/v1/webhook-requests?text=ab", { token: one.apiKey });
    await expectProblem(short, 400, "invalid_request");
  });

  it("filters by status, duplicates and time", async () => {
    const endpoint = await newEndpoint({ validation: { required: ["id"] } });
    const first = await endpoint.take({ id: "evt_1" });
    const again = await endpoint.take({ id: "evt_1" });
    const refused = (await endpoint.hook({})).headers.get("X-Request-Id");
    const ids = async (query: string) =>
      (await endpoint.log(query)).requests.map(({ requestId }) => requestId).toSorted();
    expect(await ids("?status=queued")).toEqual([first]);
    expect(await ids("?status=duplicate,rejected")).toEqual([again, refused].toSorted());
    expect(await ids("?status=duplicate&status=rejected")).toEqual([again, refused].toSorted());
    expect(await ids("?duplicate=true")).toEqual([again]);
    expect(await ids("?duplicate=false")).toEqual([first, refused].toSorted());
    const { receivedAt } = await endpoint.entry(first);
    const at = encodeURIComponent(receivedAt);
    expect(await ids(`?receivedBefore=${at}`)).toEqual([]);
    expect(await ids("?receivedAfter=2020-01-01T00:00:00Z")).toHaveLength(3);
    expect(await ids("?receivedAfter=2999-01-01T00:00:00Z")).toEqual([]);
  });

  it("tells of a duplicate which request came first, whether it runs or not", async () => {
    const endpoint = await newEndpoint();
    const first = await endpoint.take({ id: "evt_1" });
    const skipped = await endpoint.take({ id: "evt_1" });
    await endpoint.change({ onDuplicate: "run" });
    const run = await endpoint.take({ id: "evt_1" });
    expect((await endpoint.entry(first)).duplicateOf).toBeNull();
    expect((await endpoint.entry(skipped)).duplicateOf).toBe(first);
    expect((await endpoint.entry(run)).duplicateOf).toBe(first);
    const { requests } = await endpoint.log("?duplicate=true");
    expect(requests.map(({ duplicateOf }) => duplicateOf)).toEqual([first, first]);
  });

  it("shows the whole body in the entry, and its beginning in the list", async () => {
    const endpoint = await newEndpoint();
    const text = "x".repeat(200_000);
    const requestId = await endpoint.take({ text });
    const whole = await endpoint.entry(requestId);
    expect(whole.body).toBe(JSON.stringify({ text }));
    expect(whole.bodyTruncated).toBe(false);
    const [listed] = (await endpoint.log()).requests;
    expect(listed?.body?.length).toBeLessThan(20_000);
    expect(listed?.bodyTruncated).toBe(true);
  });

  it("takes no other values of its filters", async () => {
    const endpoint = await newEndpoint();
    for (const query of [
      "?status=done",
      "?duplicate=yes",
      "?receivedAfter=today",
      "?cursor=x",
      "?x=1",
    ]) {
      await expectProblem(await endpoint.call(`/requests${query}`), 400, "invalid_request");
    }
  });
});

describe("whose log it is", () => {
  const _PATHS = ["/requests", "/shape"];

  it("has no entry of another endpoint, and none under a wrong id", async () => {
    const endpoint = await newEndpoint();
    const other = await newEndpoint();
    const requestId = await other.take({ id: 1 });
    for (const id of [requestId, crypto.randomUUID(), "none"]) {
      await expectProblem(await endpoint.call(`/requests/${id}`), 404, "not_found");
    }
    const nowhere = `${WEBHOOKS}/ep_${"0".repeat(40)}/requests`;
    await expectProblem(await send(nowhere, { token: endpoint.apiKey }), 404, "not_found");
  });
});
