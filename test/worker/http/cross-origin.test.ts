import { expect, it } from "vitest";
import { AGENT, expectProblem, newAccount, send, trigger } from "../../support/worker/client.ts";

const ORIGIN = "https://page.example";

function preflight(path: string, method: string) {
  return send(path, {
    method: "OPTIONS",
    headers: {
      Origin: ORIGIN,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
    },
  });
}

it("allows a page of any origin to ask with a key, and to read what the headers say", async () => {
  const { apiKey } = await newAccount();
  const { status, headers } = await send(`${AGENT}/credits`, {
    token: apiKey,
    headers: { Origin: ORIGIN },
  });
  expect(status).toBe(200);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  const exposed = headers.get("Access-Control-Expose-Headers")?.split(",");
  expect(exposed).toEqual(expect.arrayContaining(["RateLimit", "Retry-After", "X-Request-Id"]));
});

it("lets a page read why it was refused", async () => {
  const refused = await send(`${AGENT}/credits`, { headers: { Origin: ORIGIN } });
  expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
  await expectProblem(refused, 401, "unauthorized");
});

it("answers what a browser asks beforehand, which counts against no limit", async () => {
  const { apiKey } = await newAccount({ requestsPerMinute: 1 });
  for (const method of ["POST", "POST"]) {
    const { status, headers } = await preflight(`${AGENT}/trigger`, method);
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Methods")).toContain(method);
    expect(headers.get("Access-Control-Allow-Headers")).toContain("authorization");
    expect(headers.get("RateLimit")).toBeNull();
  }
  await trigger(apiKey);
});

it("never lets a browser send cookies along", async () => {
  const { headers } = await preflight("/api/v1/keys", "POST");
  expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
});

it("opens nothing but the API", async () => {
  for (const path of ["/dashboard", "/dashboard/keys", "/mcp", "/hooks/ep_x", "/healthz"]) {
    const { headers } = await preflight(path, "POST");
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  }
});

it("allows nothing over plain HTTP, so that no key crosses the network in the clear", async () => {
  const { status, headers } = await preflight(`http://prompthook.example${AGENT}/trigger`, "POST");
  expect(status).toBe(403);
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
});
