import { describe, expect, it } from "vitest";
import { routes } from "../../../src/http/routes.ts";
import {
  AGENT,
  callsOf,
  expectProblem,
  newAccount,
  newKey,
  send,
  trigger,
} from "../../support/worker/client.ts";
import { pathOf } from "../../support/worker/routes.ts";

const CREDITS = `${AGENT}/credits`;

it("every response has its own id, and forbids sniffing and caching", async () => {
  const ids = new Set<string>();
  for (const path of ["/healthz", "/nothing", CREDITS]) {
    const { headers } = await send(path, { headers: { "X-Request-Id": "mine" } });
    ids.add(headers.get("X-Request-Id") ?? "");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
  expect(ids.size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect((await send("/openapi.json")).headers.get("Cache-Control")).toContain("max-age");
});

describe("plain HTTP", () => {
  it.each([
    "prompthook.example/healthz",
    "prompthook.example/nothing",
    `prompthook.example${AGENT}/trigger`,
    "localhost.example.com/healthz",
    "127.0.0.1.example.com/healthz",
    "10.0.0.1/healthz",
  ])("is refused before anything else: %s", async (address) => {
    const response = await send(`http://${address}`);
    await expectProblem(response, 403, "https_required");
    expect(response.headers.get("Location")).toBeNull();
  });

  it("is served on loopback", async () => {
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "app.localhost"]) {
      expect((await send(`http://${host}/healthz`)).status).toBe(200);
    }
  });
});

describe("paths and methods", () => {
  it("answers 404 for a path that does not exist", async () => {
    for (const path of ["/", "/api/v1", "/api/v1/agent/", `${AGENT}/trigger/`, "/API/v1/keys"]) {
      await expectProblem(await send(path), 404, "not_found");
    }
  });

  it("lists the methods of each path for another method", async () => {
    for (const [path, siblings] of Map.groupBy(routes, (route) => route.path)) {
      const methods: string[] = siblings.map(({ method }) => method);
      const other = ["GET", "POST", "PUT", "PATCH", "DELETE"].find((one) => !methods.includes(one));
      for (const method of [other, "OPTIONS"]) {
        const response = await send(pathOf({ path }), { method: method ?? "" });
        await expectProblem(response, 405, "method_not_allowed");
        const head = methods.includes("GET") ? ["HEAD"] : [];
        const allowed = response.headers.get("Allow")?.split(", ");
        expect(allowed?.toSorted(), path).toEqual([...methods, ...head].toSorted());
      }
    }
  });

  it("answers HEAD like GET, without the body", async () => {
    const { apiKey } = await newAccount();
    for (const path of ["/healthz", "/openapi.json", CREDITS]) {
      const response = await send(path, { method: "HEAD", token: apiKey });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
    }
  });
});

describe("the rate limit", () => {
  it("is on every counted response, and counts down", async () => {
    const { get, post } = await newAccount({ requestsPerMinute: 7 });
    const start = (body: unknown, headers = {}) => post(`${AGENT}/trigger`, body, headers);
    const answers = [
      await get(CREDITS),
      await get(`${AGENT}/trigger/list?x=1`),
      await get(`${AGENT}/trigger/${crypto.randomUUID()}/status`),
      await start("{"),
      await start("x", { "Content-Type": "text/plain" }),
      await start({ prompt: "x" }, { "Idempotency-Key": "with space" }),
      await start({ prompt: "x", model: "nobody/knows" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 400, 415, 400, 400]);
    for (const [at, { headers }] of answers.entries()) {
      expect(headers.get("RateLimit-Policy")).toBe('"default";q=7;w=60');
      expect(headers.get("RateLimit")).toMatch(new RegExp(`^"default";r=${6 - at};t=\\d+$`));
    }
    for (const response of [
      await get(CREDITS),
      await start("{"),
      await get(`${AGENT}/trigger/list?x=1`),
      await get(`${AGENT}/trigger/no-uuid/status`),
    ]) {
      await expectProblem(response, 429, "rate_limited");
      const wait = Number(response.headers.get("Retry-After"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(response.headers.get("RateLimit")).toBe(`"default";r=0;t=${wait}`);
    }
  });

  it("counts unknown paths and methods of the agent API", async () => {
    const { apiKey: owner } = await newAccount({ requestsPerMinute: 2 });
    const { apiKey } = await newKey(owner, { name: "k", scopes: ["executions:read"] });
    const { get, post } = callsOf(apiKey);
    const strays = [
      await get(`${AGENT}/nothing`),
      await post(CREDITS),
      await get(`${AGENT}/nothing`),
    ];
    expect(strays.map(({ status }) => status)).toEqual([404, 405, 429]);
    expect(strays[1]?.headers.get("RateLimit")).toMatch(/r=0;/);
  });

  it("does not count requests without a valid key, or the management of keys", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    for (const token of ["x", `${apiKey}x`]) await send(CREDITS, { token });
    expect((await send(`${AGENT}/nothing`, { token: "x" })).status).toBe(404);
    expect((await send(CREDITS, { method: "POST" })).status).toBe(405);
    for (let at = 1; at <= 3; at += 1) {
      const { status, headers } = await send("/api/v1/keys", { token: apiKey });
      expect(status).toBe(200);
      expect(headers.get("RateLimit-Policy")).toBe('"management";q=600;w=60');
    }
    expect((await send(CREDITS, { token: apiKey })).status).toBe(200);
  });
});

it("the bearer scheme is case-insensitive, and the only one", async () => {
  const { apiKey } = await newAccount();
  const asked = async (Authorization: string) =>
    (await send(CREDITS, { headers: { Authorization } })).status;
  expect(await asked(`bearer ${apiKey}`)).toBe(200);
  expect(await asked(`Basic ${btoa(`${apiKey}:`)}`)).toBe(401);
  expect(await asked(apiKey)).toBe(401);
  expect(await asked(`Bearer ${apiKey} ${apiKey}`)).toBe(401);
});

describe("a page of another origin", () => {
  const Origin = "https://page.example";
  const preflight = (path: string) =>
    send(path, {
      method: "OPTIONS",
      headers: {
        Origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
      },
    });

  it("may call the API with a key, and read the headers, even of refusals", async () => {
    const { apiKey } = await newAccount();
    const { status, headers } = await send(CREDITS, { token: apiKey, headers: { Origin } });
    expect(status).toBe(200);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(",");
    expect(exposed).toEqual(expect.arrayContaining(["RateLimit", "Retry-After", "X-Request-Id"]));
    const refused = await send(CREDITS, { headers: { Origin } });
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
    await expectProblem(refused, 401, "unauthorized");
  });

  it("gets its preflight answered, without limits or cookies", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await preflight(`${AGENT}/trigger`);
      expect(status).toBe(204);
      expect(headers.get("Access-Control-Allow-Methods")).toContain("POST");
      expect(headers.get("Access-Control-Allow-Headers")).toContain("authorization");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("RateLimit")).toBeNull();
    }
    await trigger(apiKey);
  });

  it.each([
    "/dashboard",
    "/dashboard/keys",
    "/mcp",
    "/hooks/ep_x",
    "/healthz",
    `http://prompthook.example${AGENT}/trigger`,
  ])("may not call %s", async (path) => {
    const { headers } = await preflight(path);
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});
