import type { MiddlewareHandler } from "hono";
import { accountOfKey, isIssuedKey, isMcpToken } from "../accounts/key-format.ts";
import type { Authorized, Credential, Denial, RateState } from "../contract/account.ts";
import { executionId } from "../contract/execution.ts";
import type { Scope } from "../contract/keys.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { networkOf } from "../intake/ip-ranges.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { LruMap } from "../lib/lru-map.ts";
import { equalInConstantTime } from "../lib/secrets.ts";
import { type AppEnv, type Http, isDashboardCall, parentRequestId } from "./context.ts";
import { callWithRetry, HttpProblem, notFound } from "./problem.ts";

const REALM = 'Bearer realm="prompthook"';

/** Decides who may call a route. `Caller` is what the handler learns of the caller. */
export interface Authentication<Caller> {
  kind: "public" | "key" | "admin" | "sender";
  scope: Scope | null;
  /** A scope that does as well. */
  orScope?: Scope | undefined;
  problems: ProblemCode[];
  /** Returns the caller, or throws. */
  authenticate(http: Http): Promise<Caller>;
  /** Counts a request that was rejected before the handler's call counted it. */
  countRejected?(http: Http, caller: Caller): Promise<unknown>;
  /** Notes that the handler has changed something of the caller's account. */
  noteChange?(http: Http, caller: Caller): Promise<unknown>;
}

/** The holder of an API key that is not verified yet. */
export interface KeyHolder {
  accountId: string;
  credential: Credential;
}

/** Admits anyone. */
export const anyone: Authentication<null> = {
  kind: "public",
  scope: null,
  problems: [],
  authenticate: async () => null,
};

/** Admits senders of webhooks; each endpoint verifies them itself. */
export const webhookSenders: Authentication<null> = { ...anyone, kind: "sender" };

const KEY_PROBLEMS: ProblemCode[] = [
  "unauthorized",
  "insufficient_scope",
  "rate_limited",
  "unavailable",
];

/**
 * Admits API keys with this scope or `orScope`, or all keys for null. Verifies the key and counts the
 * request before anything is read.
 */
export function apiKey(
  scope: Scope | null,
  rateClass: Credential["rateClass"] = "agent",
  orScope?: Scope,
): Authentication<Authorized> {
  return {
    kind: "key",
    scope,
    orScope,
    problems: KEY_PROBLEMS,
    authenticate: async (http) => {
      const { accountId, credential } = await keyHolderOf(http, scope, rateClass);
      const wanted = orScope === undefined ? credential : { ...credential, orScope };
      return authorize(http, { accountId, credential: wanted });
    },
    // The object knows what it stores itself, and not what D1 stores.
    ...(scope?.endsWith(":write") &&
      rateClass === "management" && {
        noteChange: ({ env }, { accountId }) => accountStub(env, accountId).noteChange(),
      }),
  };
}

/**
 * Admits API keys with this scope, or all keys for null. The handler's one call to the account verifies the
 * key, counts the request and acts, in one round trip.
 */
export function apiKeyVerifiedByHandler(
  scope: Scope | null,
  rateClass: Credential["rateClass"] = "agent",
): Authentication<KeyHolder> {
  return {
    kind: "key",
    scope,
    problems: KEY_PROBLEMS,
    authenticate: (http) => keyHolderOf(http, scope, rateClass),
    countRejected: authorize,
  };
}

/** Admits the operators' token. */
export const adminToken: Authentication<null> = {
  kind: "admin",
  scope: null,
  problems: ["unauthorized", "rate_limited", "unavailable"],
  async authenticate(http) {
    const expected = settingsOf(http.env).ADMIN_TOKEN;
    const given = bearerToken(http);
    if (given === null) throw unauthorized(null);
    if (expected === undefined || !(await equalInConstantTime(given, expected))) {
      throw unauthorized("Invalid admin token.");
    }
    return null;
  },
};

/**
 * Counts requests to paths and methods of the agent API that do not exist, because its limit covers all
 * of it. Requests without a valid key have no account to count for.
 */
export const countUnmatched: MiddlewareHandler<AppEnv> = async (http, next) => {
  try {
    // The key may lack the scope: any key is counted.
    await apiKey("credits:read").authenticate(http);
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.code === "rate_limited") throw error;
    if (error.code === "unauthorized" && bearerToken(http) !== null) await countFailure(http);
  }
  await next();
};

/** Returns what the account granted, or throws the problem of its denial. */
export function granted<Grant extends { kind: string; rate: RateState }>(
  http: Http,
  reply: Grant | Denial,
): Grant {
  if ("rate" in reply) http.set("rate", reply.rate);
  if (isDenial(reply)) {
    if (reply.kind === "unauthorized")
      refusedKeys.set(bearerToken(http) ?? "", { reason: reply.reason, at: Date.now() });
    throw problemOf(reply);
  }
  return reply;
}

/** Returns the token of `Authorization: Bearer`, or null. */
export function bearerToken(http: Http): string | null {
  return /^Bearer +(\S+)$/i.exec(http.req.header("Authorization") ?? "")?.[1] ?? null;
}

/** Verifies a key, counts the request and returns the caller, or throws the problem of its denial. */
export async function authorize(http: Http, { accountId, credential }: KeyHolder) {
  const asked = executionId.safeParse(http.req.param("executionId")?.toLowerCase());
  const reply = await callWithRetry(() =>
    accountStub(http.env, accountId).authorize(credential, asked.data),
  );
  const caller = granted(http, reply);
  if (credential.scope?.startsWith("webhooks:")) assertReach(http, caller);
  return caller;
}

/** A token that is limited to some endpoints reaches no other. Routes of all endpoints filter by it. */
function assertReach(http: Http, { endpointIds }: Authorized): void {
  if (endpointIds === null) return;
  const { endpointId = http.req.query("endpointId") } = http.req.param();
  const named = endpointId?.split(",") ?? [];
  if (named.some((each) => !endpointIds.includes(each))) throw notFound();
  if (named.length > 0 || FILTERED.includes(`${http.req.method} ${http.req.path}`)) return;
  throw new HttpProblem(
    "insufficient_scope",
    "The token is limited to some endpoints, and this concerns all. Use a token without a limit.",
  );
}

/** Requests about all endpoints whose answers leave out what the caller does not reach. */
const FILTERED = ["GET /api/v1/webhooks", "GET /api/v1/webhook-requests"];

async function keyHolderOf(http: Http, scope: Scope | null, rateClass: Credential["rateClass"]) {
  const token = bearerToken(http);
  if (token === null) throw unauthorized(null);
  const accountId = accountOfKey(token);
  if (accountId === null) throw unauthorized("Malformed API key.");
  // Made-up keys must not wake the objects of accounts.
  if (!(await isIssuedKey(token, settingsOf(http.env).ID_KEY))) {
    throw unauthorized("Unknown API key.");
  }
  // The service itself calls the API with it, for a request that came to the token's address.
  if (isMcpToken(token) && parentRequestId(http.req.raw) === undefined) {
    throw unauthorized("This is the token of an MCP address: it works only there.");
  }
  http.get("subject").accountId = accountId;
  const reason = refusedLately(token);
  if (reason !== null) throw problemOf({ kind: "unauthorized", reason });
  const keyHash = await sha256Hex(token);
  const { method } = http.req;
  // Pages that are left open must not use up the limits of the account's own programs.
  const isPageRead = method === "GET" && isDashboardCall(http.req.raw);
  // Some reads need the scope that creates what they show.
  const isRead = method === "GET" || method === "HEAD";
  const mayAlways = isRead || (method === "DELETE" && scope?.endsWith(":admin") === true);
  return { accountId, credential: { keyHash, scope, rateClass, isPageRead, mayAlways } };
}

const DENIALS = ["unauthorized", "insufficient_scope", "suspended", "rate_limited"];
const isDenial = (reply: { kind: string }): reply is Denial => DENIALS.includes(reply.kind);

const REASONS = {
  unknown: "Unknown API key.",
  expired: "The API key has expired.",
  revoked: "The API key has been revoked.",
};

/** Returns the problem of a request that the account did not admit. */
export function problemOf(denial: Denial): HttpProblem {
  switch (denial.kind) {
    case "unauthorized":
      return unauthorized(REASONS[denial.reason]);
    case "insufficient_scope": {
      const { scope, by } = denial;
      const lacks = `lacks the scope ${scope}.`;
      return new HttpProblem(
        "insufficient_scope",
        by?.kind === "member"
          ? `Your role ${lacks} Ask an admin of the account for another role.`
          : `The API key ${lacks} Use a key with this scope.`,
        {
          headers: { "WWW-Authenticate": `${REALM}, error="insufficient_scope", scope="${scope}"` },
        },
      );
    }
    case "suspended":
      return new HttpProblem(
        "insufficient_scope",
        "The account is suspended: its keys can only read and be revoked. Contact the operators.",
      );
    case "rate_limited": {
      const { limit, resetSeconds } = denial.rate;
      return new HttpProblem(
        "rate_limited",
        `Limit of ${limit} requests per minute exceeded. Try again in ${resetSeconds} s.`,
        { retryAfterSeconds: resetSeconds },
      );
    }
  }
}

/** RFC 6750 §3: the challenge names an error only when credentials were given. */
function unauthorized(reason: string | null): HttpProblem {
  const detail = reason ?? "Missing credentials. Send the header `Authorization: Bearer <key>`.";
  return new HttpProblem("unauthorized", detail, {
    headers: { "WWW-Authenticate": reason === null ? REALM : `${REALM}, error="invalid_token"` },
  });
}

/** The period of the limit, which wrangler.toml sets. */
const PERIOD_MS = 60_000;
/** The seconds after which an address that failed too often can try again. */
export const FAILURE_RETRY_SECONDS = PERIOD_MS / 1_000;

/** What counting a failure takes from a request. */
interface Failed {
  env: Pick<CloudflareEnv, "FAILED_AUTHENTICATION">;
  req: { header(name: string): string | undefined };
}

/**
 * Counts a failed authentication, and returns whether its address failed too often in this minute. The
 * addresses of an IPv6 network count together, and so do requests whose address is unknown.
 */
export async function hasFailedTooOften({ env, req }: Failed): Promise<boolean> {
  const key = networkOf(req.header("CF-Connecting-IP") ?? "");
  return !(await env.FAILED_AUTHENTICATION.limit({ key })).success;
}

/** Counts a failed authentication. Throws a 429 if its address failed too often. */
async function countFailure(failed: Failed): Promise<void> {
  if (!(await hasFailedTooOften(failed))) return;
  throw new HttpProblem(
    "rate_limited",
    "Too many requests from your address failed to authenticate. Check the key; a valid one is accepted at once.",
    { retryAfterSeconds: FAILURE_RETRY_SECONDS },
  );
}

/** Counts each 401 by the address of the caller; a call of the service to its own API has none. */
export const limitFailures: MiddlewareHandler<AppEnv> = async (http, next) => {
  await next();
  if (http.res.status === 401 && parentRequestId(http.req.raw) === undefined) {
    await countFailure(http);
  }
};

type Reason = Extract<Denial, { kind: "unauthorized" }>["reason"];

/** Keys that accounts refused. A caller that repeats one must not wake the account's object. */
const refusedKeys = new LruMap<{ reason: Reason; at: number }>(1_000);

/** Returns why an account refused this key less than a minute ago; null if it did not. */
function refusedLately(key: string): Reason | null {
  const refused = refusedKeys.get(key);
  return refused !== undefined && Date.now() - refused.at < PERIOD_MS ? refused.reason : null;
}
