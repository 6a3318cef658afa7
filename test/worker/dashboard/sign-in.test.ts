import { createExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { anyAddress, env, newAccount, newKey, send } from "../../support/worker/client.ts";
import { browse, signedIn } from "../../support/worker/dashboard.ts";

it("the root address redirects a browser to the dashboard, and is 404 for a program", async () => {
  const response = await browse("/", { headers: { Accept: "text/html,*/*;q=0.8" } });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/dashboard");
  expect((await browse("/")).status).toBe(404);
});

describe("a signed-out reader", () => {
  it("is redirected to sign in on every page", async () => {
    const id = crypto.randomUUID();
    for (const rest of ["", "/keys", "/nowhere", `/executions/${id}`, `/executions/${id}/live`]) {
      const response = await browse(`/dashboard${rest}`);
      expect(response.headers.get("Location"), rest).toBe("/dashboard/sign-in");
    }
  });

  it("gets the end of a stream, so that the page reloads and redirects", async () => {
    const path = `/dashboard/executions/${crypto.randomUUID()}/live?seen=1`;
    const cut = await browse(path, { headers: { Accept: "text/event-stream" } });
    expect(cut.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    expect(await cut.text()).toBe("event: changed\ndata:\n\nevent: ended\ndata:\n\n");
  });

  it("sees an error for an invalid key, and long forms are cut off", async () => {
    for (const apiKey of ["", "ph_live_nope", "é", "a\r\nb"]) {
      const response = await browse("/dashboard/sign-in", { form: { apiKey } });
      expect(response.status).toBe(401);
      expect(response.headers.get("Set-Cookie")).toBeNull();
      expect(await response.text()).toContain('role="alert"');
    }
    const endless = { apiKey: "a".repeat(2_000_000) };
    expect((await browse("/dashboard/sign-in", { form: endless })).status).toBe(413);
  });
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

  it("opens only the first account, whose key is shown once", async () => {
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

  it("is distinguished from any other text", async () => {
    const response = await signInAnew(`${ADMIN_TOKEN}x`);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("operators");
  });
});

it("actions on a page count against the limit of agents, and reads do not", async () => {
  const { apiKey } = await newAccount({ requestsPerMinute: 1 });
  const session = await signedIn(apiKey);
  for (const path of ["/dashboard", "/dashboard/executions"]) {
    expect((await session.get(path)).status).toBe(200);
  }
  const run = () => session.post("/dashboard/executions/new", { prompt: "Wait for me." });
  expect((await run()).status).toBe(303);
  expect((await run()).status).toBe(429);
});

describe("a session", () => {
  it("starts with a key, in a cookie that is safe from scripts and, by HTTPS, from other hosts", async () => {
    const { apiKey } = await newAccount();
    const cookieAt = async (origin: string) => {
      const response = await browse("/dashboard/sign-in", { origin, form: { apiKey } });
      expect(response.status).toBe(303);
      return response.headers.get("Set-Cookie") ?? "";
    };
    const cookie = await cookieAt("http://localhost");
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toContain(apiKey);
    const pinned = await cookieAt("https://prompthook.example");
    expect(pinned).toMatch(/^__Host-prompthook=.*; Secure/i);
  });

  it("shows its account, and only the sections and actions of its key's scopes", async () => {
    const { apiKey } = await newAccount();
    const reader = await newKey(apiKey, { name: "reader", scopes: ["executions:read"] });
    const [all, reads] = [await signedIn(apiKey), await signedIn(reader.apiKey)];
    const page = await reads.read("/dashboard/executions");
    expect(page).toContain('<strong class="account">test</strong>');
    const whole = await all.read("/dashboard/executions");
    for (const limited of ["Start execution", "/dashboard/members", "/dashboard/audit"]) {
      expect(page).not.toContain(limited);
      expect(whole).toContain(limited);
    }
    const nothing = await all.get("/dashboard/nonsense");
    expect(nothing.status).toBe(404);
    expect(await nothing.text()).toContain('<nav aria-label="Sections">');
  });

  it("ends when its key is revoked", async () => {
    const { apiKey, keyId } = await newAccount();
    const session = await signedIn(apiKey);
    expect((await session.get("/dashboard/keys")).status).toBe(200);
    await session.post(`/dashboard/keys/${keyId}/revoke`);
    const after = await session.get("/dashboard/keys");
    expect(after.headers.get("Location")).toBe("/dashboard/sign-in?ended=1");
  });

  it("keeps a form that is sent after its end, to be sent again", async () => {
    const { apiKey } = await newAccount();
    const { apiKey: lost, keyId } = await newKey(apiKey, { name: "laptop" });
    const session = await signedIn(lost);
    await (await signedIn(apiKey)).post(`/dashboard/keys/${keyId}/revoke`);
    const form = { name: "phone", "scopes.executions:read": "on" };
    for (const ended of [session.cookie, ""]) {
      const kept = await browse("/dashboard/keys?from=menu", { cookie: ended, form });
      expect(kept.status).toBe(401);
      const html = await kept.text();
      expect(html).toContain('<form method="post" action="/dashboard/keys?from=menu">');
      for (const [name, value] of Object.entries(form)) {
        expect(html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
      }
    }
  });

  it("cannot be forged or altered", async () => {
    const { apiKey } = await newAccount();
    const { cookie } = await signedIn(apiKey);
    const altered = `${cookie.slice(0, -2)}${cookie.endsWith("AA") ? "BB" : "AA"}`;
    for (const tried of [altered, "prompthook=", "prompthook=v1.a.b"]) {
      const response = await browse("/dashboard/keys", { cookie: tried });
      expect(response.status).toBe(303);
    }
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
  const TYPES = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/octet-stream",
    "",
  ];

  it("of another site cannot sign out, with any type and headers", async () => {
    const json = FOREIGN.map((headers) => ({ ...headers, "Content-Type": "application/json" }));
    const typed = TYPES.map((type) => ({ ...FOREIGN[0], "Content-Type": type }));
    for (const headers of [...json, ...typed]) {
      const answer = await post("/dashboard/sign-out", headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(answer.headers.get("Set-Cookie")).toBeNull();
    }
  });

  it("of the dashboard itself signs out", async () => {
    for (const headers of [{ Origin: "http://localhost" }, { "Sec-Fetch-Site": "same-origin" }]) {
      const answer = await post("/dashboard/sign-out", {
        ...headers,
        "Content-Type": "text/plain",
      });
      expect(answer.status).toBe(303);
    }
  });

  it("of another site cannot sign a reader in with its own key", async () => {
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
  it("runs and loads only the service's own files", async () => {
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
