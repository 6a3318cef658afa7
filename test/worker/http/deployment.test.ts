import { createExecutionContext } from "cloudflare:test";
import { afterAll, describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { accountCreated } from "../../../src/contract/operators.ts";
import { placeOf } from "../../../src/lib/place.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  anyAddress,
  env,
  expectProblem,
  newAccount,
  ORIGIN,
} from "../../support/worker/client.ts";

/** A request to a service with other variables or bindings than the rest of the tests have. */
function request(
  path: string,
  changes: object,
  { token, body }: { token?: string; body?: unknown } = {},
): Response | Promise<Response> {
  const headers = new Headers({
    "Content-Type": "application/json",
    "CF-Connecting-IP": anyAddress(),
  });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return app.fetch(
    new Request(ORIGIN + path, { headers, ...init }),
    { ...env, ...changes },
    createExecutionContext(),
  );
}

describe("without ADMIN_TOKEN", () => {
  it("nobody is an operator", async () => {
    for (const token of [ADMIN_TOKEN, "undefined", "null"]) {
      const response = await request(
        "/api/v1/admin/accounts",
        { ADMIN_TOKEN: undefined },
        { token },
      );
      await expectProblem(response, 401, "unauthorized");
    }
  });
});

describe("with DEFAULT_REGION", () => {
  it("an account that names no region is created there", async () => {
    const create = (body: object) =>
      request(
        "/api/v1/admin/accounts",
        { DEFAULT_REGION: "oc" },
        { token: ADMIN_TOKEN, body: { name: "Acme", credits: 1, ...body } },
      );
    const ids = await Promise.all(
      [{}, { region: "weur" }].map(async (body) =>
        accountCreated.parse(await (await create(body)).json()),
      ),
    );
    expect(ids.map(({ accountId }) => placeOf(accountId)?.name)).toEqual(["oc", "weur"]);
  });
});

describe("without ENCRYPTION_KEY", () => {
  const changes = { ENCRYPTION_KEY: "" };
  const secret = { prompt: "x", callbackSecret: "12345678" };

  it("no secret is taken, and it is said why", async () => {
    const { apiKey } = await newAccount();
    const response = await request(`${AGENT}/trigger`, changes, { token: apiKey, body: secret });
    const problem = await expectProblem(response, 503, "unavailable");
    expect(problem.detail).toContain("ENCRYPTION_KEY");
    expect(response.headers.get("Retry-After")).not.toBeNull();
    expect(response.headers.get("RateLimit")).not.toBeNull();
  });

  it("a prompt without a secret runs as ever", async () => {
    const { apiKey } = await newAccount();
    const response = await request(`${AGENT}/trigger`, changes, {
      token: apiKey,
      body: { prompt: "x" },
    });
    expect(response.status).toBe(202);
  });
});

describe("without a search provider", () => {
  const changes = { SEARXNG_URL: undefined };

  it.each([
    [`${AGENT}/trigger`, { prompt: "x" }],
    ["/api/v1/workflows", { name: "x", prompt: "x", inputs: [] }],
  ])("%s refuses search_web by name, and runs all tools that there are", async (path, body) => {
    const { apiKey } = await newAccount();
    const named = { ...body, tools: ["browse", "search_web"] };
    const refused = await request(path, changes, { token: apiKey, body: named });
    const problem = await expectProblem(refused, 400, "invalid_request");
    expect(problem.detail).toContain("search_web, which needs a search provider");
    expect((await request(path, changes, { token: apiKey, body })).status).toBeLessThan(300);
  });
});

describe("without a database", () => {
  const fail = () => Promise.reject(new Error("D1_ERROR: secret details"));
  const changes = { DB: { prepare: () => ({ first: fail }), batch: fail } };

  it("the service says that it is not well", async () => {
    await expectProblem(await request("/healthz", changes), 503, "unavailable");
  });

  it("no account is opened, and nothing of the cause is told", async () => {
    const response = await request("/api/v1/admin/accounts", changes, {
      token: ADMIN_TOKEN,
      body: { name: "x", credits: 1 },
    });
    const problem = await expectProblem(response, 503, "unavailable");
    expect(problem.detail).not.toContain("D1");
  });
});

describe("with a database", () => {
  const wholeAnd = (changes: object) => request("/healthz", { DB: env.SPARE, ...changes });

  // Other files use this database too.
  afterAll(() => env.SPARE.exec("ALTER TABLE executions ADD revision integer"));

  it("the service is well only with every table and column that it uses", async () => {
    expect((await wholeAnd({})).status).toBe(200);
    await env.SPARE.exec("ALTER TABLE executions DROP COLUMN revision");
    await expectProblem(await wholeAnd({}), 503, "unavailable");
    await expectProblem(await wholeAnd({ DB: env.DB, RECORDS_0: env.SPARE }), 503, "unavailable");
    expect((await wholeAnd({ DB: env.DB })).status).toBe(200);
  });
});

describe("with a variable that cannot be", () => {
  it("the fault is ours and told to nobody", async () => {
    const { apiKey } = await newAccount();
    const response = await request(
      `${AGENT}/trigger`,
      { EXECUTION_RETENTION_DAYS: "soon" },
      { token: apiKey, body: { prompt: "x" } },
    );
    const problem = await expectProblem(response, 500, "internal_error");
    expect(JSON.stringify(problem)).not.toContain("RETENTION");
  });

  it("the service says that it is not well", async () => {
    const response = await request("/healthz", { ADMIN_TOKEN: "short" });
    await expectProblem(response, 500, "internal_error");
  });
});
