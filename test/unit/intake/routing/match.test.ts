import { describe, expect, it } from "vitest";
import type { Route } from "../../../../src/contract/webhooks/routing.ts";
import { NO_SOURCES } from "../../../../src/intake/mapping/sources.ts";
import { blockingErrors, matchRoutes, readKey } from "../../../../src/intake/routing/match.ts";
import { routeWith, workflowWith } from "../../../support/endpoint.ts";
import { inputOf } from "../../../support/mapping.ts";

const orderId = inputOf("orderId", "integer", { required: true });
const workflow = workflowWith({ inputs: [orderId] });

const matched = (routes: Route[], payload = { kind: "order", orderId: 7 }) =>
  matchRoutes(routes, payload, NO_SOURCES);

describe("routes", () => {
  it("match independently, each with its own mapping", async () => {
    const decisions = await matched([
      routeWith({ name: "all", workflow }),
      routeWith({ name: "refunds", when: { path: "kind", equals: "refund" } }),
      routeWith({ name: "whole", when: { path: "kind", equals: "order" } }),
    ]);
    expect(decisions).toMatchObject([
      { name: "all", matched: true, inputs: { orderId: 7 } },
      { name: "refunds", matched: false, reason: '`kind` is "order", not "refund".', inputs: null },
      { name: "whole", matched: true, inputs: { payload: { kind: "order", orderId: 7 } } },
    ]);
  });

  it("that lost their workflow start nothing", async () => {
    expect(await matched([routeWith({ workflow: null })])).toMatchObject([
      { matched: false, reason: "The workflow of this route is deleted." },
    ]);
  });

  it("refuse a request only if none of those that match can start", async () => {
    const strict = routeWith({ validation: { required: ["total"], types: {}, schema: null } });
    const unmapped = routeWith({
      workflow: workflowWith({ inputs: [{ ...orderId, name: "number" }] }),
    });
    const failing = await matched([strict, unmapped]);
    expect(blockingErrors(failing)).toMatchObject([
      { stage: "validation", path: "total" },
      { stage: "mapping", path: "number" },
    ]);
    expect(blockingErrors(await matched([strict, routeWith()]))).toEqual([]);
    expect(blockingErrors([])).toEqual([]);
  });

  it("report a failed validation, and map nothing then", async () => {
    const validation = { required: ["total"], types: {}, schema: null };
    const errors = [{ stage: "validation", path: "total", rule: "required" }];
    expect(await matched([routeWith({ validation, key: { path: "kind" } })])).toMatchObject([
      { matched: true, reason: "The route has no condition.", key: "order", inputs: null, errors },
    ]);
  });

  it("use the key of the request, and warn of one without a value", async () => {
    const keyed = (path: string) => routeWith({ name: "keyed", key: { path } });
    expect(await matched([keyed("orderId"), keyed("customer"), routeWith()])).toMatchObject([
      { key: "7", warnings: [] },
      {
        key: null,
        matched: true,
        errors: [],
        warnings: ["the route keyed has no value for its key in this request"],
      },
      { key: null, warnings: [] },
    ]);
  });

  it("cannot start a request with too long a key", async () => {
    const route = routeWith({ name: "keyed", key: { path: "kind" } });
    const message = "of the route keyed has more than 1000 characters";
    const errors = [{ stage: "mapping", path: "key", rule: "key", message }];
    expect(await matched([route], { kind: "x".repeat(1_001), orderId: 7 })).toMatchObject([
      { matched: true, key: null, inputs: null, errors },
    ]);
  });

  it("map collected requests at their start, except requests without a key", async () => {
    const rule = { onEvent: "collect", quietSeconds: 10, maxWaitSeconds: 300 } as const;
    const collecting = (path: string) => routeWith({ workflow, key: { path }, rule });
    const queued = routeWith({ workflow, key: { path: "kind" } });
    expect(await matched([collecting("kind"), collecting("customer"), queued])).toMatchObject([
      { key: "order", inputs: null, errors: [] },
      { key: null, inputs: { orderId: 7 } },
      { key: "order", inputs: { orderId: 7 } },
    ]);
  });

  it("keep the warnings of the key and of the mapping", async () => {
    const inputs = [inputOf("note")];
    const route = routeWith({
      name: "keyed",
      key: { path: "customer" },
      workflow: workflowWith({ inputs }),
      mapping: { auto: false, fields: [{ to: "note", from: "absent", transforms: [] }] },
    });
    const [decision] = await matched([route]);
    expect(decision?.warnings).toEqual([
      "the route keyed has no value for its key in this request",
      expect.stringContaining("absent"),
    ]);
  });
});

const keyOf = (id: string | null, template?: string) =>
  readKey(template === undefined ? { path: "id" } : { template }, { id }, NO_SOURCES);

describe("the key of a request", () => {
  it("is the value at its path, or the result of its template", () => {
    expect(keyOf("7")).toEqual({ ok: true, key: "7" });
    expect(keyOf("7", "order/{{body.id}}")).toEqual({ ok: true, key: "order/7" });
    const headers = new Headers({ "x-repo": "shop" });
    const sources = { ...NO_SOURCES, headers, query: new URLSearchParams("no=12") };
    const template = "{{header.X-Repo}}#{{ query.no }}";
    expect(readKey({ template }, {}, sources)).toEqual({ ok: true, key: "shop#12" });
  });

  it("is null if its value is absent, null or empty", () => {
    for (const id of [null, ""]) expect(keyOf(id)).toEqual({ ok: true, key: null });
    for (const part of ["body.other", "id"]) {
      expect(keyOf("7", `order/{{${part}}}`)).toEqual({ ok: true, key: null });
    }
  });

  it("has at most 1,000 characters", () => {
    const longest = "k".repeat(1_000);
    expect(keyOf(longest)).toEqual({ ok: true, key: longest });
    expect(keyOf(`${longest}k`)).toMatchObject({ ok: false });
  });
});
