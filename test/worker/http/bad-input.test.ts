import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { routes } from "../../../src/http/routes.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  send,
  trigger,
  untilEvent,
} from "../../support/worker/client.ts";
import { pathOf } from "../../support/worker/routes.ts";

let account: Awaited<ReturnType<typeof newAccount>>;
let executionId: string;
let before: unknown;

beforeAll(async () => {
  account = await newAccount();
  executionId = await trigger(account.apiKey);
  await untilEvent(account.apiKey, executionId, "step.started");
  before = await snapshot();
});

const ids = z.object({ executions: z.array(z.object({ executionId: z.string() })) });

/** All that a request could have changed, without what goes on by itself. */
async function snapshot(): Promise<unknown> {
  const headers = { Accept: "application/json" };
  const get = async (path: string) => (await send(path, { token: account.apiKey, headers })).json();
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

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(`${AGENT}/trigger`, { method: "POST", token: account.apiKey, body, headers });

describe("a body", () => {
  it.each([
    ["names a field twice", '{"x":1,"x":2}', "malformed_json"],
    ["is 5,000 levels deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, "invalid_request"],
    ["is a list", "[]", "invalid_request"],
    ["is null", "null", "invalid_request"],
    ["names the prototype", '{"__proto__":{"prompt":"x"}}', "invalid_request"],
  ] as const)("that %s is refused", async (_, body, code) => {
    await expectProblem(await post(body), 400, code);
  });

  it.each([
    { "Content-Type": "text/plain" },
    { "Content-Type": "application/x-www-form-urlencoded" },
    { "Content-Type": "application/json; charset=latin1" },
    { "Content-Type": "application/jsonx" },
    { "Content-Type": "application/json", "Content-Encoding": "gzip" },
  ])("of another type or coding is refused: %j", async (headers) => {
    await expectProblem(await post({ prompt: "x" }, headers), 415, "unsupported_media_type");
  });
});

const withBody = routes.flatMap(({ body, ...route }) =>
  body.content === null ? [] : [{ ...route, content: body.content }],
);

it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s refuses another body, and a query",
  async (_, route) => {
    const { method, auth, content } = route;
    const token = auth.kind === "admin" ? ADMIN_TOKEN : account.apiKey;
    const { accountId, keyId } = account;
    const path = pathOf(route, { executionId, accountId, keyId });
    const request = { method, token, body: content.example };
    await expectProblem(await send(path, { ...request, body: "{" }), 400, "malformed_json");
    const unknown = await send(path, { ...request, body: '{"nobody":1}' });
    const { errors } = await expectProblem(unknown, 400, "invalid_request");
    expect(errors?.map((error) => error.path)).toContain("nobody");
    const query = await send(`${path}?verbose=true`, request);
    const problem = await expectProblem(query, 400, "invalid_request");
    expect(problem.detail).toMatch(/^Unknown parameter `verbose`\./);

    // The bytes are counted, whatever the Content-Length says.
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent > content.maxBytes) return controller.close();
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const headers = { "Content-Type": "application/json", "Content-Length": "10" };
    const large = await send(path, { method, token, stream, headers });
    await expectProblem(large, 413, "payload_too_large");
  },
);

it("a parameter with one value is refused if it is repeated, a list is not", async () => {
  const list = (query: string) =>
    send(`${AGENT}/trigger/list?status=failed&status=stopped&${query}`, { token: account.apiKey });
  expect((await list("limit=1")).status).toBe(200);
  for (const name of ["limit", "cursor", "createdAfter"]) {
    const problem = await expectProblem(await list(`${name}=1&${name}=2`), 400, "invalid_request");
    expect(problem.detail).toBe(`\`${name}\` must be given once.`);
  }
});

it("refused requests have changed nothing", async () => {
  expect(await snapshot()).toEqual(before);
});
