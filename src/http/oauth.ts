import * as z from "zod";
import { accountOfKey } from "../accounts/key-format.ts";
import { SCOPES } from "../contract/keys.ts";
import { settingsOf } from "../env.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { LruMap } from "../lib/lru-map.ts";
import { bearerToken } from "./authentication.ts";
import type { Http } from "./context.ts";
import { HttpProblem } from "./problem.ts";
import { beginSession, ISSUER_TIMEOUT_MS, membershipsOf, provenPerson } from "./sign-in.ts";

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
  const accounts = await membershipsOf(http.env, proven.email);
  const chosen =
    accounts.length === 1 ? accounts : accounts.filter(({ accountId }) => accountId === asked);
  const [account] = chosen;
  const session =
    account &&
    (await beginSession(http.env, {
      email: proven.email,
      method: "oauth",
      accountId: account.accountId,
      requestId: http.get("requestId"),
    }));
  if (!session) throw new HttpProblem("insufficient_scope", refusalOf(proven.email, accounts));
  sessions.set(key, { token: session.token, expiresAt: proven.exp * 1_000 });
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
