import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";
import { accountOfKey, KEY_RANDOM_BYTES, newKey } from "../accounts/key-format.ts";
import {
  type MemberRecord,
  memberEmail,
  SCOPES,
  type Scope,
  type SignInMethod,
  scopesOfRole,
} from "../contract/keys.ts";
import { accountStub } from "../durable/stubs.ts";
import { type Settings, settingsOf } from "../env.ts";
import { mapConcurrently } from "../lib/async.ts";
import { sha256Hex, toBase64Url } from "../lib/encoding.ts";
import { logWarning } from "../lib/log.ts";
import { LruMap } from "../lib/lru-map.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { accountsOfEmail, addSignInLink, signInLinkEmail } from "../records/memberships.ts";
import { bearerToken } from "./authentication.ts";
import type { Http } from "./context.ts";
import { callOnce, callWithRetry, HttpProblem } from "./problem.ts";
import { randomBytes } from "./resource.ts";

/** How long a link for signing in can be used. */
const LINK_MINUTES = 15;
const TOKEN_BYTES = 32;
/** Objects that are asked at the same time. */
const CONCURRENCY = 10;

/** An account of which an address is a member. */
export interface Membership {
  accountId: string;
  name: string;
}

/** A session that was begun: the token that the API takes, and what the pages show. */
export interface MemberSession {
  token: string;
  account: string;
  member: MemberRecord;
  scopes: Scope[];
}

/** Returns the accounts of which an address is a member now. */
export async function membershipsOf(env: CloudflareEnv, email: string): Promise<Membership[]> {
  const ids = await callWithRetry(() => accountsOfEmail(env.DB, email));
  const found = await mapConcurrently(CONCURRENCY, ids, async (accountId) => {
    const name = await callWithRetry(() => accountStub(env, accountId).nameForMember(email));
    return name === null ? null : { accountId, name };
  });
  return found.filter((membership) => membership !== null);
}

/** Whether this service can send links to its members. */
export function canSendLinks(env: CloudflareEnv): boolean {
  return createServiceMailer(env, settingsOf(env)) !== null;
}

/** Sends a link to an address that is a member somewhere; nothing happens for any other. */
export async function sendSignInLink(env: CloudflareEnv, email: string, origin: string) {
  const mailer = createServiceMailer(env, settingsOf(env));
  if (mailer === null || (await membershipsOf(env, email)).length === 0) return;
  const token = toBase64Url(randomBytes(TOKEN_BYTES));
  const now = Date.now();
  const link = { tokenHash: await sha256Hex(token), email, expiresAt: now + LINK_MINUTES * 60_000 };
  if (!(await addSignInLink(env.DB, link, now))) return;
  const sent = await mailer.send({
    to: email,
    subject: "Sign in to Prompthook",
    text: `Open this link and press "Sign in":\n\n${origin}/dashboard/sign-in/link/${token}\n\nIt works once, for ${LINK_MINUTES} minutes. If you did not ask for it, do nothing.\n`,
  });
  if (sent.kind !== "sent") throw new Error(`The link was not sent. ${sent.reason}`);
}

/** Returns the address that a link proves, or null for one that cannot be used; `take` uses it up. */
export async function emailOfLink(
  env: CloudflareEnv,
  token: string,
  { take }: { take: boolean },
): Promise<string | null> {
  return signInLinkEmail(env.DB, { tokenHash: await sha256Hex(token), take }, Date.now());
}

/** An address that was proven, the account that its member chose, and the request that did so. */
interface ProvenMember {
  email: string;
  method: SignInMethod;
  accountId: string;
  requestId: string;
}

/** Begins a session of the member of an account with a proven address; null if there is none. */
export async function beginSession(
  env: CloudflareEnv,
  { email, method, accountId, requestId }: ProvenMember,
): Promise<MemberSession | null> {
  const token = await newKey(accountId, randomBytes(KEY_RANDOM_BYTES), settingsOf(env).ID_KEY);
  const tokenHash = await sha256Hex(token);
  const begun = await callOnce(() =>
    accountStub(env, accountId).signIn(email, tokenHash, method, requestId),
  );
  return begun && { token, ...begun, scopes: scopesOfRole(begun.member.role) };
}

/** Ends the session of a token; for an API key, nothing happens. */
export async function endMemberSession(env: CloudflareEnv, token: string): Promise<void> {
  const accountId = accountOfKey(token);
  if (accountId === null) return;
  const tokenHash = await sha256Hex(token);
  await callWithRetry(() => accountStub(env, accountId).signOut(tokenHash));
}

/**
 * Returns the e-mail address that Cloudflare Access asserts of a request, or null: without a valid
 * assertion for this application, and where Access is not set up.
 */
export async function accessIdentity(
  assertion: string | undefined,
  { ACCESS_TEAM_DOMAIN: issuer, ACCESS_AUD: audience }: Settings,
): Promise<string | null> {
  if (issuer === undefined || audience === undefined || assertion === undefined) return null;
  const person = await provenPerson(assertion, {
    issuer,
    audience,
    algorithms: ["RS256"],
    keysAt: (team) => new URL("/cdn-cgi/access/certs", team),
  });
  return person?.email ?? null;
}

/** How long an issuer may take to answer, in milliseconds. */
const ISSUER_TIMEOUT_MS = 5_000;

/** Who signs tokens that name people, and for whom. */
interface Issuer {
  issuer: string;
  audience: string;
  algorithms: string[];
  /** Returns the address of the issuer's public keys. */
  keysAt(issuer: string): URL | Promise<URL>;
}

/** The claims of a person; the token of a program has no e-mail address. */
const person = z.object({
  email: memberEmail,
  email_verified: z.boolean().default(true),
  exp: z.int(),
});

/** The public keys of issuers, which are fetched when they are needed and kept for a while. */
const keySets = new Map<string, JWTVerifyGetKey>();

/** Returns the person whom a token proves, or null for a token that is not valid or proves no address. */
async function provenPerson(
  token: string,
  { issuer, audience, algorithms, keysAt }: Issuer,
): Promise<z.infer<typeof person> | null> {
  try {
    // A token of somebody else does not make the service ask the issuer for keys.
    if (decodeJwt(token).iss !== issuer) return null;
    const timeout = { timeoutDuration: ISSUER_TIMEOUT_MS };
    const keys = keySets.get(issuer) ?? createRemoteJWKSet(await keysAt(issuer), timeout);
    keySets.set(issuer, keys);
    const required = { issuer, audience, algorithms, requiredClaims: ["exp"] };
    const { payload } = await jwtVerify(token, keys, required);
    const proven = person.safeParse(payload).data;
    return proven?.email_verified === true ? proven : null;
  } catch (error) {
    logWarning("token of a person refused", { issuer }, error);
    return null;
  }
}

/** Where clients read which authorization server issues tokens for `/mcp` (RFC 9728 §3). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp";

const serverMetadata = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });
/** Sessions that access tokens began, by account and hash of the token. */
const sessions = new LruMap<{ token: string; expiresAt: number }>(1_000);

const resourceOf = (http: Http): string => new URL("/mcp", http.req.url).href;

/** Returns the metadata of `/mcp` as a resource of the configured authorization server; null without one. */
export function resourceMetadata(http: Http): object | null {
  const { MCP_AUTHORIZATION_SERVER: issuer } = settingsOf(http.env);
  if (issuer === undefined) return null;
  return {
    resource: resourceOf(http),
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: SCOPES,
    resource_name: "Prompthook",
  };
}

/** Returns a refusal with the address of the metadata (RFC 9728 §5.1), where there is an authorization server. */
export function withMetadata(http: Http, error: unknown): unknown {
  const isRefused = error instanceof HttpProblem && error.code === "unauthorized";
  if (!isRefused || resourceMetadata(http) === null) return error;
  const address = new URL(RESOURCE_METADATA, http.req.url).href;
  const challenge = `Bearer resource_metadata="${address}"`;
  return new HttpProblem("unauthorized", error.message, {
    headers: { ...error.headers, "WWW-Authenticate": challenge },
  });
}

/**
 * Returns the token of a member's session for an access token of the authorization server: a JWT (RFC 9068)
 * for this resource whose verified e-mail address is that of a member. It has the scopes of the member's
 * role. Null for API keys and for tokens that are not valid. Throws a 403 if the address is a member of no
 * account, or of several of which `?account=` names none.
 */
export async function sessionOfAccessToken(http: Http): Promise<string | null> {
  const { MCP_AUTHORIZATION_SERVER: issuer } = settingsOf(http.env);
  const accessToken = bearerToken(http);
  if (issuer === undefined || accessToken === null || accountOfKey(accessToken) !== null) {
    return null;
  }
  const asked = http.req.query("account") ?? "";
  const key = `${asked} ${await sha256Hex(accessToken)}`;
  const known = sessions.get(key);
  if (known !== undefined && known.expiresAt > Date.now()) return known.token;
  const proven = await provenPerson(accessToken, {
    issuer,
    audience: resourceOf(http),
    algorithms: ["RS256", "ES256", "EdDSA"],
    keysAt,
  });
  if (proven === null) return null;
  const { email, exp } = proven;
  const accounts = await membershipsOf(http.env, email);
  const chosen =
    accounts.length === 1 ? accounts : accounts.filter(({ accountId }) => accountId === asked);
  const [account] = chosen;
  const member = { email, method: "oauth" as const, requestId: http.get("requestId") };
  const session = account && (await beginSession(http.env, { ...member, ...account }));
  if (!session) throw new HttpProblem("insufficient_scope", refusalOf(email, accounts));
  sessions.set(key, { token: session.token, expiresAt: exp * 1_000 });
  return session.token;
}

function refusalOf(email: string, accounts: readonly { accountId: string }[]): string {
  if (accounts.length === 0) return `${email} is a member of no account.`;
  const ids = accounts.map(({ accountId }) => accountId).join(", ");
  return `${email} is a member of several accounts. Add ?account= with one of them to the address: ${ids}.`;
}

/** Returns the address of the keys in the server's metadata (RFC 8414 §3.1, or OpenID Connect's). */
async function keysAt(issuer: string): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const response = await fetch(place, { signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS) });
    if (response.ok) return new URL(serverMetadata.parse(await response.json()).jwks_uri);
  }
  throw new Error(`${issuer} has no metadata of an authorization server`);
}
