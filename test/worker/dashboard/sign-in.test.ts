import { createExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { anyAddress, env, newAccount, newKey, send } from "../../support/worker/client.ts";
import { browse, signedIn } from "../../support/worker/dashboard.ts";

describe("the service's own address", () => {
  it("leads a browser to the dashboard", async () => {
    const response = await browse("/", { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/dashboard");
  });

  it("is nothing to a program", async () => {
    expect((await browse("/")).status).toBe(404);
  });
});

describe("somebody who is not signed in", () => {
  it.each(["/dashboard", "/dashboard/keys", "/dashboard/nowhere"])(
    "is asked to sign in at %s",
    async (path) => {
      const response = await browse(path);
      expect(response.status).toBe(303);
      expect(response.headers.get("Location")).toBe("/dashboard/sign-in");
    },
  );

  it.each(["", "nonsense", "ph_live_nope", "é", "a\r\nb"])(
    "is told that %j is no key",
    async (apiKey) => {
      const response = await browse("/dashboard/sign-in", { form: { apiKey } });
      expect(response.status).toBe(401);
      expect(response.headers.get("Set-Cookie")).toBeNull();
      expect(await response.text()).toContain('role="alert"');
    },
  );
});

describe("the operators' token", () => {
  /** Signs in to a service whose database has no account. */
  const signInAnew = (apiKey: string) =>
    app.fetch(
      new Request("http://localhost/dashboard/sign-in", {
        method: "POST",
        headers: { Origin: "http://localhost", "CF-Connecting-IP": anyAddress() },
        body: new URLSearchParams({ apiKey }),
      }),
      { ...env, DB: env.SPARE },
      createExecutionContext(),
    );

  it("opens the first account, whose key is shown once, and no second one", async () => {
    const opened = await signInAnew(ADMIN_TOKEN);
    expect(opened.status).toBe(303);
    const path = opened.headers.get("Location") ?? "";
    expect(path).toMatch(/^\/dashboard\/keys\/[^/]+\/created$/);
    const cookie = opened.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
    const page = await (await browse(path, { cookie })).text();
    const [apiKey = ""] = /ph_live_\w+/.exec(page) ?? [];
    const account = await send("/api/v1/account", { token: apiKey });
    expect(await account.json()).toMatchObject({ name: "operator" });

    const again = await signInAnew(ADMIN_TOKEN);
    expect(again.status).toBe(401);
    expect(await again.text()).toContain("there are accounts already");
  });

  it("is told apart from any other text", async () => {
    const response = await signInAnew(`${ADMIN_TOKEN}x`);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("operators");
  });
});

it("reads no more of a form than one may have, of whoever sends it", async () => {
  const response = await browse("/dashboard/sign-in", { form: { apiKey: "a".repeat(2_000_000) } });
  expect(response.status).toBe(413);
});

describe("what is done on a page", () => {
  it("counts against the limit of agents, and what is read does not", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    const session = await signedIn(apiKey);
    for (const path of ["/dashboard", "/dashboard/executions"]) {
      expect((await session.get(path)).status).toBe(200);
    }
    const run = () => session.post("/dashboard/executions/new", { prompt: "Wait for me." });
    expect((await run()).status).toBe(303);
    expect((await run()).status).toBe(429);
  });
});

describe("a session", () => {
  it("starts with a key, in a cookie that scripts cannot read and that does not show the key", async () => {
    const { apiKey } = await newAccount();
    const response = await browse("/dashboard/sign-in", { form: { apiKey } });
    expect(response.status).toBe(303);
    const cookie = response.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toContain(apiKey);
  });

  it("is pinned to the host and to HTTPS where there is HTTPS", async () => {
    const { apiKey } = await newAccount();
    const response = await browse("/dashboard/sign-in", {
      origin: "https://prompthook.example",
      form: { apiKey },
    });
    expect(response.headers.get("Set-Cookie")).toMatch(/^__Host-prompthook=.*; Secure/i);
  });

  it("keeps its way on where there is nothing", async () => {
    const session = await signedIn((await newAccount()).apiKey);
    const nothing = await session.get("/dashboard/nonsense");
    expect(nothing.status).toBe(404);
    expect(await nothing.text()).toContain('<nav aria-label="Sections">');
  });

  it("shows its account, and what its key may do only", async () => {
    const { apiKey } = await newAccount();
    const reader = await newKey(apiKey, { name: "reader", scopes: ["executions:read"] });
    const [all, reads] = [await signedIn(apiKey), await signedIn(reader.apiKey)];
    const page = await (await reads.get("/dashboard/executions")).text();
    expect(page).toContain('<strong class="account">test</strong>');
    expect(page).not.toContain("Start execution");
    expect(await (await all.get("/dashboard/executions")).text()).toContain("Start execution");
  });

  it("ends when its key is revoked", async () => {
    const { apiKey, keyId } = await newAccount();
    const session = await signedIn(apiKey);
    expect((await session.get("/dashboard/keys")).status).toBe(200);
    await session.post(`/dashboard/keys/${keyId}/revoke`);
    const after = await session.get("/dashboard/keys");
    expect(after.headers.get("Location")).toBe("/dashboard/sign-in?ended=1");
  });

  it("cannot be made up or altered", async () => {
    const { apiKey } = await newAccount();
    const { cookie } = await signedIn(apiKey);
    const altered = `${cookie.slice(0, -2)}${cookie.endsWith("AA") ? "BB" : "AA"}`;
    for (const tried of [altered, "prompthook=", "prompthook=v1.a.b"]) {
      const response = await browse("/dashboard/keys", { cookie: tried });
      expect(response.status).toBe(303);
    }
  });

  it("does nothing for another site", async () => {
    const { apiKey } = await newAccount();
    const { cookie } = await signedIn(apiKey);
    const response = await exports.default.fetch("http://localhost/dashboard/keys", {
      method: "POST",
      headers: {
        Cookie: cookie,
        Origin: "https://evil.example",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: "name=stolen",
      redirect: "manual",
    });
    expect(response.status).toBe(403);
    const page = await (await browse("/dashboard/keys", { cookie })).text();
    expect(page).not.toContain("stolen");
  });
});

describe("a form", () => {
  const FOREIGN = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: "http://other.localhost" },
    {},
  ];
  const OWN = [{ Origin: "http://localhost" }, { "Sec-Fetch-Site": "same-origin" }];
  const TYPES = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/octet-stream",
    "",
  ];

  it.each([
    ...FOREIGN.map((headers) => ["application/json", headers] as const),
    ...TYPES.map((type) => [type, FOREIGN[0]] as const),
  ])("of type %j from another site does not sign out, by %j", async (type, headers) => {
    const answer = await post("/dashboard/sign-out", { ...headers, "Content-Type": type });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
  });

  it.each(OWN)("of the dashboard itself signs out, by %j", async (headers) => {
    const answer = await post("/dashboard/sign-out", { ...headers, "Content-Type": "text/plain" });
    expect(answer.status).toBe(303);
  });

  it("of another site signs nobody in with its own key", async () => {
    const { apiKey } = await newAccount();
    const answer = await browse("/dashboard/sign-in", {
      form: { apiKey },
      headers: { Origin: "https://evil.example", "Content-Type": "application/json" },
    });
    expect(answer.status).toBe(403);
  });

  const post = (path: string, headers: Record<string, string>) =>
    exports.default.fetch(`http://localhost${path}`, {
      method: "POST",
      headers,
      body: new TextEncoder().encode("a=b"),
      redirect: "manual",
    });
});

describe("every page", () => {
  it("lets nothing run or load that is not the service's own", async () => {
    const response = await browse("/dashboard/sign-in");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const page = await response.text();
    expect(page).toMatch(/^<!DOCTYPE html><html /);
    for (const [, url = ""] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(url).toMatch(/^[/#]/);
    }
    const loaded = [...page.matchAll(/(?:src|href)="(\/dashboard\/assets[^"]+)"/g)];
    expect(loaded).toHaveLength(6);
    for (const [, url = ""] of loaded) {
      const asset = await browse(url);
      expect(asset.status).toBe(200);
      expect(asset.headers.get("Cache-Control")).toContain("immutable");
    }
  });
});
