import { expect, it } from "vitest";
import type { InboxApi, LoggedRequest } from "../../../src/contract/webhooks/inbox.ts";
import { whatIf } from "../../../src/intake/what-if.ts";
import { configWith, workflowWith } from "../../support/endpoint.ts";
import { loggedRequest } from "../../support/logged.ts";
import { inputOf } from "../../support/mapping.ts";

const inputs = [inputOf("id", "string", { required: true })];
const config = configWith({ workflow: workflowWith({ inputs }) });
const draft = { ...config, validation: { ...config.validation, required: ["total"] } };

const many = (count: number): LoggedRequest[] =>
  Array.from({ length: count }, (_, at) =>
    loggedRequest({ id: "x", ...(at % 2 && { total: 1 }) }, { receivedAt: 9_000 - at }),
  );

/** A log that hands out at most `most` of its requests in one call; notes how many it was asked for. */
function logOf(requests: LoggedRequest[], most = 1_000) {
  const asked: number[] = [];
  const recent: InboxApi["recent"] = async (limit, after) => {
    asked.push(limit);
    const from =
      after === null
        ? 0
        : requests.findIndex(({ entry }) => entry.requestId === after.requestId) + 1;
    const portion = requests.slice(from, from + Math.min(limit, most));
    const last = portion.at(-1);
    const isEnd = last === undefined || last === requests.at(-1);
    const { requestId = "", receivedAt = 0 } = last?.request ?? {};
    return { requests: portion, next: isEnd ? null : { requestId, receivedAt } };
  };
  return { asked, recent };
}

const still = () => 0;

it("counts only changes by a draft: not the order of fields, nor unchanged refusals", async () => {
  const fields = ["id", "total"].map((to) => ({ to, from: to, transforms: [] }));
  const mapped = { ...config, mapping: { auto: false, fields } };
  const turned = { ...mapped, mapping: { auto: false, fields: fields.toReversed() } };
  const log = logOf([...many(2), loggedRequest({ other: 1 })]);
  const { totals } = await whatIf(mapped, turned, 50, { inbox: log, now: still });
  expect(totals).toMatchObject({ looked: 3, refusedBefore: 1, refusedAfter: 1, changed: 0 });
});

it("reads the log page by page, each request once", async () => {
  const requests = many(70);
  const log = logOf(requests, 7);
  const tried = await whatIf(config, draft, 50, { inbox: log, now: still });
  expect(tried.requests.map(({ requestId }) => requestId)).toEqual(
    requests.slice(0, 50).map(({ entry }) => entry.requestId),
  );
  expect(tried.totals).toEqual({
    looked: 50,
    refusedBefore: 0,
    refusedAfter: 25,
    changed: 25,
    truncated: false,
  });
  expect(Math.max(...log.asked)).toBeLessThanOrEqual(20);
  expect(log.asked.at(-1)).toBe(1);
});

it("ends with the log", async () => {
  const tried = await whatIf(config, draft, 200, { inbox: logOf(many(3)), now: still });
  expect(tried.totals).toMatchObject({ looked: 3, truncated: false });
});

it("stops if it takes too long, with a note", async () => {
  let time = 0;
  const now = () => {
    time += 500;
    return time;
  };
  const tried = await whatIf(config, draft, 50, { inbox: logOf(many(50)), now });
  expect(tried.totals.truncated).toBe(true);
  expect(tried.totals.looked).toBeGreaterThan(5);
  expect(tried.totals.looked).toBeLessThan(30);
});

it("stops if the bodies are large, with a note", async () => {
  const large = () => loggedRequest({}, { body: new Uint8Array(9_000_000) });
  const log = logOf(Array.from({ length: 8 }, large), 1);
  const tried = await whatIf(config, config, 8, { inbox: log, now: still });
  expect(tried.totals).toMatchObject({ looked: 4, truncated: true });
});

it("compares long inputs, and omits them", async () => {
  const renamed = {
    ...config,
    mapping: { auto: false, fields: [{ to: "id", from: "other", transforms: [] }] },
  };
  const long = "x".repeat(20_000);
  const inbox = logOf([loggedRequest({ id: `${long}a`, other: `${long}b` })]);
  const { requests } = await whatIf(config, renamed, 1, { inbox, now: still });
  const left = { ok: true, errors: [], mappedInputs: null, routes: [] };
  expect(requests).toMatchObject([{ before: left, after: left, changed: true }]);
});

it("does not count a request that is refused for another reason", async () => {
  const both = { ...draft, workflow: workflowWith() };
  const inbox = logOf([loggedRequest({ other: 1 })]);
  const { requests, totals } = await whatIf(config, both, 1, { inbox, now: still });
  expect(requests[0]?.before.errors).not.toEqual(requests[0]?.after.errors);
  expect(totals).toMatchObject({ refusedBefore: 1, refusedAfter: 1, changed: 0 });
});

it("reevaluates requests that were answered as handshakes", async () => {
  const inbox = logOf([loggedRequest({ type: "url_verification", challenge: "abc" })]);
  const { requests } = await whatIf(config, config, 1, { inbox, now: still });
  expect(requests[0]?.before.errors).toMatchObject([{ stage: "mapping", path: "id" }]);
});

it("reads a header that the log has cut", async () => {
  const contentType = `text/plain; note=${"x".repeat(50)}…`;
  const inbox = logOf([loggedRequest("text", { contentType })]);
  const { requests } = await whatIf({ ...config, workflow: workflowWith() }, config, 1, {
    inbox,
    now: still,
  });
  expect(requests[0]?.before).toMatchObject({
    ok: true,
    mappedInputs: { payload: { body: '"text"' } },
  });
});
