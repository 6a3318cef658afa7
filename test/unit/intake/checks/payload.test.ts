import { describe, expect, it } from "vitest";
import type { PayloadObject } from "../../../../src/contract/webhooks/payload.ts";
import type { Route } from "../../../../src/contract/webhooks/routing.ts";
import { mapping, parse, routing } from "../../../../src/intake/checks/payload.ts";
import { plainBody } from "../../../../src/intake/payload/body.ts";
import type { Endpoint } from "../../../../src/intake/types.ts";
import { configWith, routeWith, workflowWith } from "../../../support/endpoint.ts";
import { endpointWith, requestWith } from "../../../support/hook-request.ts";
import { inputOf } from "../../../support/mapping.ts";
import { rulesOf, verdictOf } from "./support.ts";

const NOT_PARSED = { kind: "skipped", note: "The payload is not parsed." };

describe("the payload", () => {
  const unreadable = { kind: "unsupported", detail: "", beginning: new Uint8Array() } as const;
  const limitOf = (maxBytes: number) =>
    endpointWith({ validation: { ...configWith().validation, maxBytes } });

  it.each([
    ["of a GET is its query, whatever its body says", "GET", '{"order":8}', { order: "7" }],
    ["of a GET with a body that cannot be read is its query", "GET", unreadable, { order: "7" }],
    ["of any other method is its body", "PUT", '{"order":8}', { order: 8 }],
  ] as const)("%s", async (_, method, body, payload) => {
    const url = "https://prompthook.example/hooks/a?order=7";
    const verdict = await verdictOf(parse, endpointWith(), requestWith({ method, url, body }));
    expect(verdict).toEqual({ kind: "passed", found: { payload } });
  });

  it.each([
    ["too long", { kind: "too_large", limit: 4, beginning: null }],
    ["in another encoding", unreadable],
  ] as const)("is not parsed from a body that is %s", async (_, body) => {
    expect(await verdictOf(parse, endpointWith(), requestWith({ body }))).toEqual(NOT_PARSED);
  });

  it("may reach the limit, and is refused one byte above it", async () => {
    // The limit may have been lowered since the body was read.
    const body = plainBody(new TextEncoder().encode("[1,2]"));
    expect(await rulesOf(parse, limitOf(5), requestWith({ body }))).toBe("passed");
    expect(await rulesOf(parse, limitOf(4), requestWith({ body }))).toBe(
      "payload_too_large: max_bytes",
    );
  });
});

describe("the routes", () => {
  const workflow = workflowWith({ inputs: [inputOf("id", "integer", { required: true })] });
  const route = routeWith({ name: "orders", workflow, when: { path: "kind", equals: "order" } });
  const strict = routeWith({
    name: "totals",
    workflow,
    validation: { required: ["total"], types: {}, schema: null },
  });
  const routed = (routes: Route[], payload: PayloadObject) =>
    verdictOf(routing, endpointWith({ routing: { routes } }), requestWith(), { payload });

  it("are skipped without routes, and without a parsed payload", async () => {
    expect(await verdictOf(routing, endpointWith(), requestWith())).toEqual({
      kind: "skipped",
      note: "The endpoint has no routes.",
    });
    const at = endpointWith({ routing: { routes: [route] } });
    expect(await verdictOf(routing, at, requestWith())).toEqual(NOT_PARSED);
  });

  it("name the matching routes, and pass a request that none matches", async () => {
    expect(await routed([route, routeWith({ name: "all" })], { kind: "order", id: 7 })).toEqual({
      kind: "passed",
      found: { routes: [expect.objectContaining({ matched: true }), expect.anything()] },
      note: "Matches orders, all.",
    });
    expect(await routed([route], { kind: "refund" })).toEqual({
      kind: "passed",
      found: { routes: [expect.objectContaining({ name: "orders", matched: false })] },
      note: "No route matches.",
    });
  });

  it.each([
    ["mapped", [route], "mapping", "mapping_failed", "id"],
    ["validated", [strict], "validation", "validation_failed", "total"],
    ["validated or mapped", [strict, route], "validation", "validation_failed", "total"],
    ["mapped or validated", [route, strict], "mapping", "mapping_failed", "id"],
  ] as const)(
    "refuse a request that cannot be %s at any of them, with the code of the first error",
    async (_, routes, stage, code, path) => {
      const verdict = await routed([...routes], { kind: "order" });
      expect(verdict).toMatchObject({ kind: "refused", stage, code, found: { routes: {} } });
      if (verdict.kind !== "refused") throw new Error(verdict.kind);
      expect(verdict.errors[0]).toMatchObject({ path, rule: "required" });
      expect(verdict.errors).toHaveLength(routes.length);
    },
  );
});

describe("the mapping", () => {
  const found = { payload: { order: 7 } };
  const whole = { mappedInputs: { payload: { order: 7 } }, warnings: [] };
  const mapped = (at: Endpoint, mapAnyway: boolean) =>
    verdictOf(mapping, at, requestWith(), found, { mapAnyway });

  it("waits until a workflow is attached", async () => {
    expect(await mapped(endpointWith(), false)).toEqual({
      kind: "skipped",
      note: "No workflow is attached.",
    });
  });

  it("of a preview runs without a workflow, with a note", async () => {
    expect(await mapped(endpointWith(), true)).toEqual({
      kind: "passed",
      found: whole,
      note: "No workflow is attached. Mapped without knowing what inputs it will declare.",
    });
  });

  it("is left to the routes if there are any", async () => {
    const at = endpointWith({ routing: { routes: [routeWith()] } });
    expect(await mapped(at, true)).toEqual({ kind: "skipped", note: "Each route maps by itself." });
  });

  it("refuses a request without a required input", async () => {
    const workflow = workflowWith({ inputs: [inputOf("total", "number", { required: true })] });
    expect(await mapped(endpointWith({ workflow }), false)).toMatchObject({
      kind: "refused",
      code: "mapping_failed",
      errors: [{ path: "total", rule: "required" }],
    });
  });

  it("needs no note if the workflow is known", async () => {
    expect(await mapped(endpointWith({ workflow: workflowWith() }), true)).toEqual({
      kind: "passed",
      found: whole,
    });
  });
});
