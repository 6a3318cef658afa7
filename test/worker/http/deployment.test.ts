import { afterAll, describe, expect, it } from "vitest";
import { placeOf } from "../../../src/lib/place.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { AGENT, env, expectProblem, newAccount, textIn } from "../../support/worker/client.ts";
import { sendWith } from "../../support/worker/other-service.ts";

const ACCOUNTS = "/api/v1/admin/accounts";
const TRIGGER = `${AGENT}/trigger`;

const { apiKey: token } = await newAccount();

/** Posts to a service with other variables, by default with the key of an account. */
const post = (bindings: object, path: string, body: object, as = token) =>
  sendWith(bindings, path, { method: "POST", token: as, body });

it("without ADMIN_TOKEN there are no operators", async () => {
  for (const guess of [ADMIN_TOKEN, "undefined", "null"]) {
    const response = await sendWith({ ADMIN_TOKEN: undefined }, ACCOUNTS, { token: guess });
    await expectProblem(response, 401, "unauthorized");
  }
});

it("an account that names no region is created in DEFAULT_REGION", async () => {
  const regionOf = async (body: object) => {
    const given = { name: "Acme", credits: 1, ...body };
    const made = await post({ DEFAULT_REGION: "oc" }, ACCOUNTS, given, ADMIN_TOKEN);
    return placeOf(await textIn(made, "accountId"))?.name;
  };
  expect([await regionOf({}), await regionOf({ region: "weur" })]).toEqual(["oc", "weur"]);
});

it("without ENCRYPTION_KEY secrets are refused, and a prompt without secrets runs", async () => {
  const without = { ENCRYPTION_KEY: "" };
  const refused = await post(without, TRIGGER, { prompt: "x", callbackSecret: "12345678" });
  const problem = await expectProblem(refused, 503, "unavailable");
  expect(problem.detail).toContain("ENCRYPTION_KEY");
  expect(refused.headers.get("Retry-After")).not.toBeNull();
  expect(refused.headers.get("RateLimit")).not.toBeNull();
  expect((await post(without, TRIGGER, { prompt: "x" })).status).toBe(202);
});

it.each([
  [TRIGGER, { prompt: "x" }],
  ["/api/v1/workflows", { name: "x", prompt: "x", inputs: [] }],
])("%s refuses search_web by name without a search provider", async (path, body) => {
  const without = { SEARXNG_URL: undefined };
  const refused = await post(without, path, { ...body, tools: ["browse", "search_web"] });
  const problem = await expectProblem(refused, 400, "invalid_request");
  expect(problem.detail).toContain("search_web, which needs a search provider");
  expect((await post(without, path, body)).status).toBeLessThan(300);
});

it("reports unhealthy without a database, hides the cause, and accepts executions", async () => {
  const fail = () => Promise.reject(new Error("D1_ERROR: secret details"));
  const broken = { DB: { prepare: () => ({ first: fail }), batch: fail } };
  await expectProblem(await sendWith(broken, "/healthz"), 503, "unavailable");
  const response = await post(broken, ACCOUNTS, { name: "x", credits: 1 }, ADMIN_TOKEN);
  const problem = await expectProblem(response, 503, "unavailable");
  expect(problem.detail).not.toContain("D1");
  expect((await post(broken, TRIGGER, { prompt: "x" })).status).toBe(202);
});

describe("with a database", () => {
  const wholeAnd = (changes: object) => sendWith({ DB: env.SPARE, ...changes }, "/healthz");

  // Other files use this database too.
  afterAll(() => env.SPARE.exec("ALTER TABLE executions ADD revision integer"));

  it("the service is healthy only with every table and column that it uses", async () => {
    expect((await wholeAnd({})).status).toBe(200);
    await env.SPARE.exec("ALTER TABLE executions DROP COLUMN revision");
    await expectProblem(await wholeAnd({}), 503, "unavailable");
    await expectProblem(await wholeAnd({ DB: env.DB, RECORDS_0: env.SPARE }), 503, "unavailable");
    expect((await wholeAnd({ DB: env.DB })).status).toBe(200);
  });
});

it("an invalid variable is an internal error with a hidden cause", async () => {
  const response = await post({ EXECUTION_RETENTION_DAYS: "soon" }, TRIGGER, { prompt: "x" });
  const problem = await expectProblem(response, 500, "internal_error");
  expect(JSON.stringify(problem)).not.toContain("RETENTION");
  const health = await sendWith({ ADMIN_TOKEN: "short" }, "/healthz");
  await expectProblem(health, 500, "internal_error");
});
