import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, expect, it, vi } from "vitest";
import { newAccount, type Send, textIn } from "../../support/worker/client.ts";
import { sendWith } from "../../support/worker/other-service.ts";

const ORIGIN = "http://localhost";
const ISSUER = "https://auth.example/tenant";
const METADATA = "/.well-known/oauth-protected-resource/mcp";

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
const ask = (path: string, request: Send = {}, issuer = ISSUER) =>
  sendWith({ MCP_AUTHORIZATION_SERVER: issuer }, ORIGIN + path, request);

const callTool = (token: string, name: string, query = "") =>
  ask(`/mcp${query}`, {
    method: "POST",
    token,
    headers: { Accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } },
  });

async function newMember(role: string) {
  const { accountId, get, post } = await newAccount();
  const email = `${crypto.randomUUID()}@example.com`;
  const memberId = await textIn(await post("/api/v1/members", { email, role }), "memberId");
  return { accountId, get, email, memberId };
}

it("names its authorization server, also to callers without a token", async () => {
  const metadata = await (await ask(METADATA)).json();
  expect(metadata).toMatchObject({
    resource: `${ORIGIN}/mcp`,
    authorization_servers: [ISSUER],
    bearer_methods_supported: ["header"],
  });
  const refused = await callTool("nonsense", "list_executions");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("WWW-Authenticate")).toBe(
    `Bearer resource_metadata="${ORIGIN}${METADATA}"`,
  );
  expect((await ask(METADATA, {}, "")).status).toBe(404);
});

it("accepts an access token of a member, with the scopes of the member's role", async () => {
  const issue = await authorizationServer();
  const { email, get, memberId } = await newMember("viewer");
  const token = await issue({ email });
  const listed = await callTool(token, "list_executions");
  expect(listed.status).toBe(200);
  expect(await listed.text()).toContain("nextCursor");
  expect(await (await callTool(token, "trigger_agent")).text()).not.toContain("executionId");
  expect(await (await get(`/api/v1/audit?by=${memberId}`)).json()).toMatchObject({
    entries: [{ action: "member.signed_in", detail: { method: "oauth" } }],
  });
});

it("refuses tokens of other issuers or audiences, unverified or expired ones, and those of non-members", async () => {
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
  await other.post("/api/v1/members", { email, role: "viewer" });
  const token = await issue({ email });
  const refused = await callTool(token, "list_executions");
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain(accountId);
  const chosen = await callTool(token, "list_executions", `?account=${accountId}`);
  expect(chosen.status).toBe(200);
});
