import { describe, expect, it } from "vitest";
import { routes } from "../../../src/http/routes.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  newKey,
  ORIGIN,
  send,
} from "../../support/worker/client.ts";
import { pathOf } from "../../support/worker/routes.ts";

describe("every answer", () => {
  it("carries an id of its own, whatever the client sends", async () => {
    const headers = { "X-Request-Id": "mine" };
    const ids = await Promise.all(
      ["/healthz", "/nothing", `${AGENT}/credits`].map(async (path) =>
        (await send(path, { headers })).headers.get("X-Request-Id"),
      ),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("forbids sniffing and storing", async () => {
    for (const path of ["/healthz", "/nothing", `${AGENT}/credits`]) {
      const { headers } = await send(path);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });
});

describe("plain HTTP", () => {
  it("is refused before anything else", async () => {
    for (const path of ["/healthz", "/nothing", `${AGENT}/trigger`]) {
      const response = await send(`http://prompthook.example${path}`);
      await expectProblem(response, 403, "https_required");
      expect(response.headers.get("Location")).toBeNull();
    }
  });

  it("is refused for names that only look like this machine", async () => {
    for (const host of ["localhost.example.com", "127.0.0.1.example.com", "10.0.0.1"]) {
      await expectProblem(await send(`http://${host}/healthz`), 403, "https_required");
    }
  });

  it("is served on this machine", async () => {
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "app.localhost"]) {
      expect((await send(`http://${host}/healthz`)).status).toBe(200);
    }
  });
});

describe("paths and methods", () => {
  it("answers 404 for a path that is not there", async () => {
    for (const path of ["/", "/api/v1", "/api/v1/agent/", `${AGENT}/trigger/`, "/API/v1/keys"]) {
      await expectProblem(await send(path), 404, "not_found");
    }
  });

  it.each([...new Set(routes.map(({ path }) => path))])(
    "names the methods of %s when another is used",
    async (path) => {
      const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (methods.some((known) => known === method)) continue;
        const response = await send(pathOf({ path }), { method });
        await expectProblem(response, 405, "method_not_allowed");
        const allowed = response.headers.get("Allow")?.split(", ") ?? [];
        expect(allowed.filter((each) => each !== "HEAD").sort()).toEqual([...methods].sort());
        expect(allowed.includes("HEAD")).toBe(methods.includes("GET"));
      }
    },
  );

  it("answers HEAD as GET, without the body", async () => {
    const { apiKey } = await newAccount();
    for (const path of ["/healthz", "/openapi.json", `${AGENT}/credits`]) {
      const response = await send(path, { method: "HEAD", token: apiKey });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
    }
  });
});

describe("the rate limit", () => {
  it("shows on every counted answer, good or bad, and counts down", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 7 });
    const answers = [
      await send(`${AGENT}/credits`, { token: apiKey }),
      await send(`${AGENT}/trigger/list?x=1`, { token: apiKey }),
      await send(`${AGENT}/trigger/${crypto.randomUUID()}/status`, { token: apiKey }),
      await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body: "{" }),
      await send(`${AGENT}/trigger`, {
        method: "POST",
        token: apiKey,
        body: "x",
        headers: { "Content-Type": "text/plain" },
      }),
      await send(`${AGENT}/trigger`, {
        method: "POST",
        token: apiKey,
        body: { prompt: "x" },
        headers: { "Idempotency-Key": "with space" },
      }),
      await send(`${AGENT}/trigger`, {
        method: "POST",
        token: apiKey,
        body: { prompt: "x", model: "nobody/knows" },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 400, 415, 400, 400]);
    for (const [at, { headers }] of answers.entries()) {
      expect(headers.get("RateLimit-Policy")).toBe('"default";q=7;w=60');
      expect(headers.get("RateLimit")).toMatch(new RegExp(`^"default";r=${6 - at};t=\\d+$`));
    }
  });

  it("turns away with 429 and the time to wait, whatever else is wrong", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    await send(`${AGENT}/credits`, { token: apiKey });
    for (const response of [
      await send(`${AGENT}/credits`, { token: apiKey }),
      await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body: "{" }),
      await send(`${AGENT}/trigger/list?x=1`, { token: apiKey }),
      await send(`${AGENT}/trigger/no-uuid/status`, { token: apiKey }),
    ]) {
      await expectProblem(response, 429, "rate_limited");
      const wait = Number(response.headers.get("Retry-After"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(response.headers.get("RateLimit")).toBe(`"default";r=0;t=${wait}`);
    }
  });

  it("counts what names no path or no method of the agent API as well", async () => {
    const { apiKey: owner } = await newAccount({ requestsPerMinute: 2 });
    const { apiKey } = await newKey(owner, { name: "k", scopes: ["executions:read"] });
    const strays = [
      await send(`${AGENT}/nothing`, { token: apiKey }),
      await send(`${AGENT}/credits`, { method: "POST", token: apiKey }),
      await send(`${AGENT}/nothing`, { token: apiKey }),
    ];
    expect(strays.map(({ status }) => status)).toEqual([404, 405, 429]);
    expect(strays[1]?.headers.get("RateLimit")).toMatch(/r=0;/);
  });

  it("does not count what comes without a good key", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    for (const token of ["x", `${apiKey}x`]) await send(`${AGENT}/credits`, { token });
    expect((await send(`${AGENT}/nothing`, { token: "x" })).status).toBe(404);
    expect((await send(`${AGENT}/credits`, { method: "POST" })).status).toBe(405);
    expect((await send(`${AGENT}/credits`, { token: apiKey })).status).toBe(200);
  });

  it("is another one for the management of keys", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    for (let at = 1; at <= 3; at += 1) {
      const { status, headers } = await send("/api/v1/keys", { token: apiKey });
      expect(status).toBe(200);
      expect(headers.get("RateLimit-Policy")).toBe('"management";q=600;w=60');
    }
    expect((await send(`${AGENT}/credits`, { token: apiKey })).status).toBe(200);
  });
});

describe("the bearer scheme", () => {
  it("is known in any case, and no other scheme is", async () => {
    const { apiKey } = await newAccount();
    const asked = async (Authorization: string) =>
      (await send(`${ORIGIN}${AGENT}/credits`, { headers: { Authorization } })).status;
    expect(await asked(`bearer ${apiKey}`)).toBe(200);
    expect(await asked(`Basic ${btoa(`${apiKey}:`)}`)).toBe(401);
    expect(await asked(apiKey)).toBe(401);
    expect(await asked(`Bearer ${apiKey} ${apiKey}`)).toBe(401);
  });
});
