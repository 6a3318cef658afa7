import { parseKey } from "../accounts/keys.ts";
import type {
  Authorized,
  Credential,
  Denial,
  RateClass,
  RateState,
  Scope,
} from "../contract/account.ts";
import { executionId } from "../contract/execution.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { equalInConstantTime } from "../lib/secrets.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { isOurs } from "./in-process.ts";
import { HttpProblem } from "./problem.ts";

const REALM = 'Bearer realm="prompthook"';

/** Who may use a route. `Caller` is what the route's handler learns of the one who does. */
export interface Guard<Caller> {
  kind: "public" | "key" | "admin" | "sender";
  scope: Scope | null;
  errors: ProblemCode[];
  /** Lets the caller in, or throws. */
  admit(http: Http): Promise<Caller>;
  /** Counts a request that was refused before the call which would have counted it. */
  countRefused?(http: Http, caller: Caller): Promise<unknown>;
}

/** A key that was read and not checked yet: the call that acts on it checks it. */
export interface KeyHolder {
  accountId: string;
  credential: Credential;
}

/** Anybody. */
export const publicly: Guard<null> = {
  kind: "public",
  scope: null,
  errors: [],
  admit: async () => null,
};

/** Senders of webhooks: whom to admit is said by each endpoint itself. */
export const senders: Guard<null> = { ...publicly, kind: "sender" };

const KEY_ERRORS: ProblemCode[] = ["unauthorized", "insufficient_scope", "rate_limited"];

/** Holders of a key with this scope. The key is checked and the request counted before anything is read. */
export function keyWith(scope: Scope, rateClass: RateClass = "agent"): Guard<Authorized> {
  return {
    kind: "key",
    scope,
    errors: [...KEY_ERRORS, "unavailable"],
    admit: async (http) => authorize(http, await keyOf(http, scope, rateClass)),
  };
}

/**
 * Holders of a key with this scope, where the handler's one call to the account checks the key, counts
 * the request and acts, all at once.
 */
export function keyCheckedByAct(scope: Scope, rateClass: RateClass = "agent"): Guard<KeyHolder> {
  return {
    kind: "key",
    scope,
    errors: [...KEY_ERRORS, "unavailable"],
    admit: (http) => keyOf(http, scope, rateClass),
    countRefused: authorize,
  };
}

/** Operators. */
export const operators: Guard<null> = {
  kind: "admin",
  scope: null,
  errors: ["unauthorized"],
  async admit(http) {
    const expected = settingsOf(http.env).ADMIN_TOKEN;
    const given = bearerToken(http);
    if (given === null) throw unauthorized(null);
    if (expected === undefined || !(await equalInConstantTime(given, expected))) {
      throw unauthorized("The token is not the operators' token.");
    }
    return null;
  },
};

/** What the account granted; a denial becomes the error that tells the client what to do. */
export function granted<Grant extends { kind: string; rate: RateState }>(
  http: Http,
  reply: Grant | Denial,
): Grant {
  if ("rate" in reply) http.set("rate", reply.rate);
  if (isDenial(reply)) throw denied(reply);
  return reply;
}

async function authorize(http: Http, { accountId, credential }: KeyHolder): Promise<Authorized> {
  const asked = executionId.safeParse(http.req.param("executionId")?.toLowerCase());
  const reply = await callWithRetry(
    () => accountStub(http.env, accountId).authorize(credential, asked.data),
    { idempotent: true },
  );
  return granted(http, reply);
}

async function keyOf(http: Http, scope: Scope, rateClass: RateClass): Promise<KeyHolder> {
  const token = bearerToken(http);
  if (token === null) throw unauthorized(null);
  const key = parseKey(token);
  if (key === null) throw unauthorized("This is not an API key.");
  http.get("subject").accountId = key.accountId;
  const keyHash = await sha256Hex(token);
  return {
    accountId: key.accountId,
    credential: { keyHash, scope, rateClass: isOurRead(http) ? "management" : rateClass },
  };
}

/** A page that is live reads often. What it does counts as it would from anybody. */
function isOurRead({ req: { raw, method } }: Http): boolean {
  return method === "GET" && isOurs(raw);
}

/** The token of `Authorization: Bearer`; null without one. */
export function bearerToken(http: Http): string | null {
  const header = http.req.header("Authorization") ?? "";
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

function isDenial(reply: { kind: string }): reply is Denial {
  return (
    reply.kind === "unauthorized" ||
    reply.kind === "insufficient_scope" ||
    reply.kind === "rate_limited"
  );
}

const REASONS = {
  unknown: "The API key is not known.",
  expired: "The API key has expired.",
  revoked: "The API key was revoked.",
};

function denied(denial: Denial): HttpProblem {
  switch (denial.kind) {
    case "unauthorized":
      return unauthorized(REASONS[denial.reason]);
    case "insufficient_scope": {
      const { scope } = denial;
      return new HttpProblem("insufficient_scope", `The API key lacks the scope ${scope}.`, {
        headers: { "WWW-Authenticate": `${REALM}, error="insufficient_scope", scope="${scope}"` },
      });
    }
    case "rate_limited": {
      const { limit, resetSeconds } = denial.rate;
      return new HttpProblem(
        "rate_limited",
        `More than ${limit} requests within a minute. Try again in ${resetSeconds} s.`,
        { headers: { "Retry-After": String(resetSeconds) } },
      );
    }
  }
}

/** RFC 6750 §3: the challenge names an error only when credentials were given. */
function unauthorized(reason: string | null): HttpProblem {
  return new HttpProblem("unauthorized", reason ?? "Send `Authorization: Bearer <key>`.", {
    headers: { "WWW-Authenticate": reason === null ? REALM : `${REALM}, error="invalid_token"` },
  });
}
