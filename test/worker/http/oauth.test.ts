import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { app } from "../../../src/app.ts";
import { anyAddress, newAccount, send } from "../../support/worker/client.ts";

const ORIGIN = "http://localhost";
const ISSUER = "https://auth.example/tenant";
const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;

afterEach(() => {
  vi.restoreAllMocks();
});

const { publicKey, privateKey } = await generateKeyPair("ES256");

/** An authorization server, and what issues its access tokens. */
async function authorizationServer() {
  const keys = [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" }];
  const documents = new Map<string, object>([
    [
      "https://auth.example/.well-known/oauth-authorization-server/tenant",
      { issuer: ISSUER, jwks_uri: "https://auth.example/keys" },
    ],
    ["https://auth.example/keys", { keys }],
  ]);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = String(input instanceof Request ? input.url : input);
    return Response.json(documents.get(url) ?? {}, { status: documents.has(url) ? 200 : 404 });
  });
  return (claims: object, { aud = `${ORIGIN}/mcp`, iss = ISSUER, exp = "5m" } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "k1", typ: "at+jwt" })
      .setIssuer(iss)
      .setAudience(aud)
      .setIssuedAt()
      .setExpirationTime(exp)
      .sign(privateKey);
}

/** Asks the service, which knows this authorization server or none. */
async function ask(url: string, init: RequestInit = {}, issuer = ISSUER): Promise<Response> {
  const context = createExecutionContext();
  const headers = { "CF-Connecting-IP": anyAddress(), ...init.headers };
  const bindings = { ...env, MCP_AUTHORIZATION_SERVER: issuer };
  const response = await app.fetch(new Request(url, { ...init, headers }), bindings, context);
  await waitOnExecutionContext(context);
  return response;
}

const callTool = (token: string, name: string, query = "") =>
  ask(`${ORIGIN}/mcp${query}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: {} },
    }),
  });

async function newMember(role: string) {
  const { apiKey, accountId } = await newAccount();
  const email = `${crypto.randomUUID()}@example.com`;
  const body = { email, role };
  const made = await send("/api/v1/members", { method: "POST", token: apiKey, body });
  const { memberId } = z.object({ memberId: z.string() }).parse(await made.json());
  return { accountId, apiKey, email, memberId };
}

it("says which authorization server issues tokens for it, and to whoever has none", async () => {
  const metadata = await (await ask(METADATA)).json();
  expect(metadata).toMatchObject({
    resource: `${ORIGIN}/mcp`,
    authorization_servers: [ISSUER],
    bearer_methods_supported: ["header"],
  });
  const refused = await callTool("nonsense", "list_executions");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("WWW-Authenticate")).toBe(`Bearer resource_metadata="${METADATA}"`);
  expect((await ask(METADATA, {}, "")).status).toBe(404);
});

it("takes an access token of a member, with the scopes of the member's role", async () => {
  const issue = await authorizationServer();
  const { email, apiKey, memberId } = await newMember("viewer");
  const token = await issue({ email });
  const listed = await callTool(token, "list_executions");
  expect(listed.status).toBe(200);
  expect(await listed.text()).toContain("nextCursor");
  expect(await (await callTool(token, "trigger_agent")).text()).not.toContain("executionId");
  const page = await (await send(`/api/v1/audit?by=${memberId}`, { token: apiKey })).json();
  expect(page).toMatchObject({
    entries: [{ action: "member.signed_in", detail: { method: "oauth" } }],
  });
});

it("refuses tokens of others, for others, unverified and expired ones, and those of no member", async () => {
  const issue = await authorizationServer();
  const { email } = await newMember("admin");
  const wrong = [
    await issue({ email }, { iss: "https://other.example" }),
    await issue({ email }, { aud: `${ORIGIN}/other` }),
    await issue({ email }, { exp: "-1m" }),
    await issue({ email, email_verified: false }),
    await issue({ sub: "somebody" }),
    `${await issue({ email })}x`,
  ];
  for (const token of wrong) expect((await callTool(token, "list_executions")).status).toBe(401);
  const stranger = await callTool(await issue({ email: "no@example.com" }), "list_executions");
  expect(stranger.status).toBe(403);
});

it("asks a member of several accounts for one of them", async () => {
  const issue = await authorizationServer();
  const { email, accountId } = await newMember("viewer");
  const other = await newAccount();
  const body = { email, role: "viewer" };
  await send("/api/v1/members", { method: "POST", token: other.apiKey, body });
  const token = await issue({ email });
  const refused = await callTool(token, "list_executions");
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain(accountId);
  const chosen = await callTool(token, "list_executions", `?account=${accountId}`);
  expect(chosen.status).toBe(200);
});
