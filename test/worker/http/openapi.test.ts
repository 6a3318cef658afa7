import { describe, expect, it } from "vitest";
import * as z from "zod";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { hookRoutes } from "../../../src/http/hooks.ts";
import { routes as mounted } from "../../../src/http/routes.ts";
import { send } from "../../support/worker/client.ts";

/** Webhooks are described like a route, and served apart. */
const routes = [...hookRoutes, ...mounted];

const response = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.looseObject({})).default({}),
});
const answerOrReference = z.union([z.object({ $ref: z.string() }), response]);
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({})) }).optional(),
  responses: z.record(z.string(), answerOrReference),
});
const document = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), response),
  }),
});

/** The last part of a reference. */
const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const read = async () => document.parse(await (await send("/openapi.json")).json());

describe("/openapi.json", () => {
  it("describes every route once, and no other", async () => {
    const { paths } = await read();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it("gives each operation its key, its errors, its limit and examples", async () => {
    const { paths, components } = await read();
    const resolved = (answer: z.infer<typeof answerOrReference> | undefined) =>
      answer && "$ref" in answer ? components.responses[lastOf(answer.$ref)] : answer;
    for (const { method, path, auth, problems, body } of routes) {
      const found = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      expect(found?.security.length).toBe({ public: 0, key: 1, admin: 1, sender: 2 }[auth.kind]);
      for (const code of [...problems, "internal_error" as const]) {
        const answer = resolved(found?.responses[String(PROBLEMS[code].status)]);
        expect(answer?.content["application/problem+json"]?.examples).toHaveProperty(code);
        expect("RateLimit" in (answer?.headers ?? {})).toBe(auth.kind === "key");
      }
      for (const content of Object.values(found?.requestBody?.content ?? {})) {
        expect(content.example).toEqual(body.content?.example);
      }
    }
  });

  it("shows whole numbers, lists and ids among the parameters as what they are", async () => {
    const { paths } = await read();
    const parameters = paths["/api/v1/agent/trigger/list"]?.get?.parameters ?? [];
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      in: "query",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    });
    const status = paths["/api/v1/agent/trigger/{executionId}/status"]?.get?.parameters ?? [];
    expect(status.find(({ name }) => name === "executionId")).toMatchObject({
      in: "path",
      required: true,
      schema: { type: "string", format: "uuid" },
    });
  });

  it("may be kept for a while", async () => {
    expect((await send("/openapi.json")).headers.get("Cache-Control")).toContain("max-age");
  });
});
