import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { app } from "../../../src/app.ts";
import { memberRecord } from "../../../src/contract/keys.ts";
import { anyAddress, env, newAccount, send } from "../../support/worker/client.ts";
import { keepCookies } from "../../support/worker/dashboard.ts";
import { sendWith } from "../../support/worker/other-service.ts";

const ORIGIN = "http://localhost";
const TEAM = "https://acme.cloudflareaccess.com";
const AUD = "audience-of-the-application";

/** The folder of a local start, in memory. */
function outboxFolder() {
  const files = new Map<string, string>();
  const nameIn = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));
  const fetch = async (url: string, init?: { method?: string; body?: string }) => {
    const name = nameIn(url);
    if (init?.method === "PUT") files.set(name, init.body ?? "");
    if (name === "") return Response.json([...files.keys()].map((one) => ({ name: one })));
    const text = files.get(name);
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  return { files, fetch };
}

/** A browser at a service with an outbox; it keeps cookies. */
function browser(more: object = {}) {
  const outbox = outboxFolder();
  const jar = new Map<string, string>();
  const bindings = {
    ...env,
    SMTP_URL: "",
    EMAIL: undefined,
    EMAIL_FROM: "",
    OUTBOX: outbox,
    ...more,
  };
  async function ask(path: string, form?: Record<string, string>, headers = {}) {
    const context = createExecutionContext();
    const request = new Request(new URL(path, ORIGIN), {
      redirect: "manual",
      headers: {
        "CF-Connecting-IP": anyAddress(),
        Cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(form && { Origin: ORIGIN }),
        ...headers,
      },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    const response = await app.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
    keepCookies(jar, response);
    return response;
  }
  /** Asks for a link and returns its path; null if none was sent. */
  async function linkFor(email: string): Promise<string | null> {
    outbox.files.clear();
    expect((await ask("/dashboard/sign-in/email", { email })).status).toBe(200);
    const [mail] = [...outbox.files.values()];
    return mail === undefined
      ? null
      : (/\/dashboard\/sign-in\/link\/[\w-]+/.exec(mail.replaceAll(/=\r?\n/g, ""))?.[0] ?? null);
  }
  return { ask, linkFor, outbox };
}

const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function newMember(email = newEmail(), role = "admin") {
  const { apiKey, accountId } = await newAccount();
  const response = await send("/api/v1/members", {
    method: "POST",
    token: apiKey,
    body: { email, role },
  });
  expect(response.status).toBe(201);
  const { memberId } = memberRecord.parse(await response.json());
  return { apiKey, accountId, email, memberId };
}

/** A database where `meanwhile` surrounds the first run of a statement like `pattern`. */
function databaseAt(
  pattern: RegExp,
  meanwhile: (run: () => Promise<D1Result>) => Promise<D1Result>,
): object {
  let isFirst = true;
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => ({
      run: () => {
        const run = () =>
          env.DB.prepare(query)
            .bind(...values)
            .run();
        if (!isFirst || !pattern.test(query)) return run();
        isFirst = false;
        return meanwhile(run);
      },
    }),
  });
  return { DB: { prepare } };
}

describe("a link for signing in", () => {
  it("signs a member in once, with an entry in the audit log", async () => {
    const { apiKey, email, memberId } = await newMember();
    const { ask, linkFor } = browser();
    const link = (await linkFor(email)) ?? "";
    // A scanner of mails opens it first, which uses nothing up.
    const scanner = browser();
    for (const _ of [1, 2]) {
      const opened = await scanner.ask(link);
      expect([opened.status, opened.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect((await scanner.ask("/dashboard")).headers.get("Location")).toBe("/dashboard/sign-in");
    expect(await (await ask(link)).text()).toContain(`Sign in as ${email}?`);
    const signedIn = await ask(link, {});
    expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect(await (await ask("/dashboard")).text()).toContain(email);
    expect((await ask(link, {})).status).toBe(410);
    const page = await (await send(`/api/v1/audit?by=${memberId}`, { token: apiKey })).json();
    const { entries } = z.object({ entries: z.array(z.unknown()) }).parse(page);
    expect(entries).toEqual([
      expect.objectContaining({
        action: "member.signed_in",
        detail: { method: "link" },
      }),
    ]);
  });

  it("leads to the page that the member had asked for, once", async () => {
    const { email } = await newMember();
    const { ask, linkFor } = browser();
    const page = "/dashboard/audit?action=member.created";
    const asked = await ask(page, undefined, { Accept: "text/html" });
    expect(asked.headers.get("Location")).toBe("/dashboard/sign-in");
    for (const place of [page, "/dashboard"]) {
      const signedIn = await ask((await linkFor(email)) ?? "", {});
      expect(signedIn.headers.get("Location")).toBe(place);
    }
  });

  it("is sent only to members, and the page does not reveal who is one", async () => {
    const { email } = await newMember();
    const { ask, linkFor } = browser();
    expect(await linkFor("stranger@example.com")).toBeNull();
    const texts = await Promise.all(
      [email, "stranger@example.com", "nonsense"].map(async (each) =>
        (await ask("/dashboard/sign-in/email", { email: each })).text(),
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it("is stored hashed, and works for 15 minutes", async () => {
    const { email } = await newMember();
    const { ask, linkFor } = browser();
    const link = (await linkFor(email)) ?? "";
    const token = link.split("/").at(-1) ?? "";
    const row = await env.DB.prepare("SELECT * FROM sign_in_links WHERE email = ?")
      .bind(email)
      .first<{ token_hash: string; expires_at: number }>();
    expect(row?.token_hash).not.toContain(token);
    expect((row?.expires_at ?? 0) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    await env.DB.prepare("UPDATE sign_in_links SET expires_at = ? WHERE email = ?")
      .bind(Date.now(), email)
      .run();
    expect((await ask(link)).status).toBe(410);
    expect((await ask(link, {})).status).toBe(410);
  });

  it("is sent at most five times while valid, also at once, and limited for one caller", async () => {
    const { email } = await newMember();
    const { ask, linkFor, outbox } = browser();
    const asked = Array.from({ length: 8 }, () => ask("/dashboard/sign-in/email", { email }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(outbox.files.size).toBe(5);
    expect(await linkFor(email)).toBeNull();
    const headers = { "CF-Connecting-IP": "198.51.100.77" };
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      const form = { email: "stranger@example.com" };
      statuses.push((await ask("/dashboard/sign-in/email", form, headers)).status);
    }
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  it("reaches a member who is removed and added again by two calls at once", async () => {
    const path = "/api/v1/members";
    const { apiKey: token, email, memberId } = await newMember(newEmail(), "viewer");
    const body = { email, role: "viewer" };
    const adding = { method: "POST", token, body };
    // The removal has reached the account, and not the database.
    const added = databaseAt(/^delete from "memberships"/, async (run) => {
      expect((await send(path, adding)).status).toBe(201);
      return run();
    });
    const first = { method: "DELETE", token };
    expect((await sendWith(added, `${path}/${memberId}`, first)).status).toBe(204);
    expect(await browser().linkFor(email)).not.toBeNull();

    const page = await (await send(path, { token })).json();
    const { members } = z.object({ members: z.array(memberRecord) }).parse(page);
    // The other way round: the addition has reached the database, and not the account.
    const removed = databaseAt(/^insert into "memberships"/, async (run) => {
      const inserted = await run();
      await send(`${path}/${members[0]?.memberId}`, { method: "DELETE", token });
      return inserted;
    });
    expect((await sendWith(removed, path, adding)).status).toBe(201);
    expect(await browser().linkFor(email)).not.toBeNull();
  });

  it("lets a member of several accounts choose one and switch", async () => {
    const { email } = await newMember();
    const second = await newMember(email, "viewer");
    const { ask, linkFor } = browser();
    const link = (await linkFor(email)) ?? "";
    const proven = await ask(link, {});
    expect(proven.headers.get("Location")).toBe("/dashboard/accounts");
    const chosen = await ask("/dashboard/accounts", { accountId: second.accountId });
    expect(chosen.headers.get("Location")).toBe("/dashboard");
    expect(await (await ask("/dashboard")).text()).not.toContain("/dashboard/keys");
    const stranger = await newMember();
    const refused = await ask("/dashboard/accounts", { accountId: stranger.accountId });
    expect(refused.headers.get("Location")).toBe("/dashboard/sign-in?ended=1");
  });

  it("does not work for a removed member, whose session ends at once", async () => {
    const { apiKey, email, memberId } = await newMember(newEmail(), "viewer");
    const { ask, linkFor } = browser();
    await ask((await linkFor(email)) ?? "", {});
    expect((await ask("/dashboard/executions")).status).toBe(200);
    const link = (await linkFor(email)) ?? "";
    await send(`/api/v1/members/${memberId}`, { method: "DELETE", token: apiKey });
    expect((await ask("/dashboard/executions")).headers.get("Location")).toContain("ended=1");
    expect((await ask(link, {})).status).toBe(410);
  });
});

describe("the local outbox", () => {
  it("shows its e-mails only on this machine", async () => {
    const { email } = await newMember();
    const { ask, linkFor, outbox } = browser();
    const link = await linkFor(email);
    const [name = ""] = outbox.files.keys();
    expect(await (await ask("/dashboard/outbox")).text()).toContain(name);
    expect(await (await ask(`/dashboard/outbox/${name}`)).text()).toContain(`${ORIGIN}${link}"`);
    const elsewhere = await ask("https://prompthook.example/dashboard/outbox");
    expect(elsewhere.status).toBe(404);
    const deployed = browser({ OUTBOX: undefined });
    expect((await deployed.ask("/dashboard/outbox")).status).toBe(404);
  });
});

describe("Cloudflare Access", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The key server of the team, and what signs with its key. */
  async function team() {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const keys = [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" }];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
      const url = String(input instanceof Request ? input.url : input);
      expect(url).toBe(`${TEAM}/cdn-cgi/access/certs`);
      return Response.json({ keys });
    });
    return (email: string, { aud = AUD, iss = TEAM, key = privateKey, exp = "5m" } = {}) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: "RS256", kid: "k1" })
        .setIssuer(iss)
        .setAudience(aud)
        .setIssuedAt()
        .setExpirationTime(exp)
        .sign(key);
  }
  const settings = { ACCESS_TEAM_DOMAIN: "acme.cloudflareaccess.com", ACCESS_AUD: AUD };
  const opened = async (assertion: string, more: object = settings) =>
    browser(more).ask("/dashboard/sign-in", undefined, { "Cf-Access-Jwt-Assertion": assertion });

  it("signs in the member of the asserted address, and refuses other assertions", async () => {
    const { email } = await newMember();
    const sign = await team();
    const good = await opened(await sign(email));
    expect([good.status, good.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect((await opened(await sign("stranger@example.com"))).status).toBe(403);
    const { privateKey: other } = await generateKeyPair("RS256");
    const wrong = [
      await sign(email, { aud: "of another application" }),
      await sign(email, { iss: "https://other.cloudflareaccess.com" }),
      await sign(email, { key: other }),
      await sign(email, { exp: "-1m" }),
      `${await sign(email)}x`,
      "nonsense",
    ];
    for (const assertion of wrong) {
      const response = await opened(assertion);
      expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect((await opened(await sign(email), {})).status).toBe(200);
  });
});
