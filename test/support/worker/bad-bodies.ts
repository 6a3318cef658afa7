import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Route } from "../../../src/http/route.ts";
import { ADMIN_TOKEN } from "./bindings.ts";
import { AGENT, expectProblem, newAccount, send, trigger, untilEvent } from "./client.ts";
import { pathOf } from "./routes.ts";

type Content = NonNullable<Route["body"]["content"]>;

const ids = z.object({ executions: z.array(z.object({ executionId: z.string() })) });

/** All that a request could have changed, without what goes on by itself. */
async function snapshot(apiKey: string, executionId: string): Promise<unknown> {
  const get = async (path: string) =>
    (await send(path, { token: apiKey, headers: { Accept: "application/json" } })).json();
  return {
    executions: ids.parse(await get(`${AGENT}/trigger/list`)),
    events: await get(`${AGENT}/trigger/${executionId}/events`),
    credits: await get(`${AGENT}/credits`),
    keys: JSON.stringify(await get("/api/v1/keys")).replace(/"lastUsedAt":"[^"]*"/g, ""),
    mcpServers: await get("/api/v1/mcp-servers"),
    workflows: await get("/api/v1/workflows"),
    endpoints: await get("/api/v1/webhooks"),
  };
}

/** Checks that each of these routes refuses every bad body, says what is wrong, and changes nothing. */
export function refusesBadBodies(routes: readonly Route[]): void {
  const withBody = routes.flatMap((route) =>
    route.body.content ? [{ ...route, content: route.body.content }] : [],
  );
  describe.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s",
    (_, route) => describeRoute(route),
  );
}

function describeRoute(route: Route & { content: Content }): void {
  const { method, auth, content } = route;
  let account: Awaited<ReturnType<typeof newAccount>>;
  let executionId: string;
  let before: unknown;

  // Each has an account of its own: together they would come to its limit of requests.
  beforeAll(async () => {
    account = await newAccount();
    executionId = await trigger(account.apiKey);
    await untilEvent(account.apiKey, executionId, "step.started");
    before = await snapshot(account.apiKey, executionId);
  });

  const token = () => (auth.kind === "admin" ? ADMIN_TOKEN : account.apiKey);
  const request = (body: unknown, headers: Record<string, string> = {}) =>
    send(pathOf(route, { executionId, ...account }), {
      method,
      token: token(),
      body,
      headers,
    });

  it.each([
    ["is cut off", '{"a":', "malformed_json"],
    ["is no JSON", "prompt=x", "malformed_json"],
    ["names a field twice", '{"x":1,"x":2}', "malformed_json"],
    ["names a field twice, once escaped", '{"x":1,"\\u0078":2}', "malformed_json"],
    ["is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "malformed_json"],
    ["is 5,000 levels deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, "invalid_request"],
    ["holds half a surrogate pair", '{"name":"\\ud800"}', "invalid_request"],
    ["holds a number without bounds", '{"amount":1e999}', "invalid_request"],
    ["is a list", "[]", "invalid_request"],
    ["is null", "null", "invalid_request"],
    ["has an unknown field", '{"nobody":1}', "invalid_request"],
    ["names the prototype", '{"__proto__":{"prompt":"x"}}', "invalid_request"],
  ] as const)("refuses a body that %s", async (_, body, code) => {
    await expectProblem(await request(body), 400, code);
  });

  it("refuses every field that is wrong in type or size", async () => {
    const fields = z.object(z.instanceof(z.ZodObject).parse(content.schema).shape).shape;
    const example = z.record(z.string(), z.unknown()).parse(content.example);
    const wrong = [null, true, -1, 1e300, "x".repeat(40_000), [null], { a: {} }];
    for (const field of Object.keys(fields)) {
      for (const value of wrong) {
        const body = { ...example, [field]: value };
        if (content.schema.safeParse(body).success) continue;
        const problem = await expectProblem(await request(body), 400, "invalid_request");
        expect(problem.errors?.some(({ path }) => path.startsWith(field))).toBe(true);
      }
    }
  });

  it("refuses a body of another type or coding", async () => {
    for (const headers of [
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Type": "application/jsonx" },
      { "Content-Type": "application/json", "Content-Encoding": "gzip" },
    ]) {
      const response = await request(content.example, headers);
      await expectProblem(response, 415, "unsupported_media_type");
    }
  });

  it("counts the bytes of a body that is too large, whatever its Content-Length says", async () => {
    const { maxBytes } = content;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent > 3 * maxBytes) return controller.close();
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const response = await send(pathOf(route, { executionId, ...account }), {
      method,
      token: token(),
      stream: body,
      headers: { "Content-Type": "application/json", "Content-Length": "10" },
    });
    await expectProblem(response, 413, "payload_too_large");
  });

  it("refuses any query", async () => {
    const path = `${pathOf(route, { executionId, ...account })}?verbose=true`;
    const response = await send(path, { method, token: token(), body: content.example });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.detail).toMatch(/^Unknown parameter `verbose`\./);
  });

  it("has changed nothing by all of these", async () => {
    expect(await snapshot(account.apiKey, executionId)).toEqual(before);
  });
}
