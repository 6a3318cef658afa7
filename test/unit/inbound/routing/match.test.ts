import { describe, expect, it } from "vitest";
import type { Route } from "../../../../src/contract/inbound/routing.ts";
import { NO_SOURCES } from "../../../../src/inbound/mapping/sources.ts";
import { blockingErrors, matchRoutes } from "../../../../src/inbound/routing/match.ts";
import { routeWith, workflowWith } from "../../../support/endpoint.ts";

const orderId = {
  name: "orderId",
  type: "integer",
  required: true,
  default: null,
  description: "",
} as const;
const workflow = workflowWith({ inputs: [orderId] });

const matched = (routes: Route[], payload = { kind: "order", orderId: 7 }) =>
  matchRoutes(routes, payload, NO_SOURCES);

describe("routes", () => {
  it("match each by itself, and are mapped each by its own mapping", async () => {
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
});
