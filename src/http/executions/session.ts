import type { Authorized } from "../../contract/account.ts";
import type { Copied } from "../../contract/backup.ts";
import type { ExecutionSeed, SessionHostApi, Unknown } from "../../contract/session.ts";
import { accountStub, sessionHostStub } from "../../durable/stubs.ts";
import { startPending } from "../../endpoints/start.ts";
import { initialState } from "../../executions/machine/state.ts";
import { resultView, statusView, taskView } from "../../executions/views.ts";
import { sleep } from "../../lib/async.ts";
import { authorize, type KeyHolder } from "../authentication.ts";
import type { Http } from "../context.ts";
import { callOnce, callWithRetry, HttpProblem, notFound } from "../problem.ts";

/** The path of the agent API. */
export const AGENT = "/api/v1/agent";

/** A request about one execution, whose caller is admitted, or whose key is not verified yet. */
export interface Asked<Caller> {
  http: Http;
  caller: Caller;
  params: { executionId: string };
}

/** The part of a request that a call needs. */
type Asking<Caller> = Omit<Asked<Caller>, "http"> & { http: Pick<Http, "env"> };
type Admitted = Pick<Authorized, "accountId" | "pending">;

/** A call to the session of an execution. */
export type SessionCall<Known extends { kind: string }> = (
  host: SessionCalls,
  executionId: string,
) => Promise<Known | Unknown>;

/**
 * Calls the session of an execution and returns its reply. `calling` is `callOnce` for a call that must not be
 * repeated if it fails. Throws a 404 if the account has no such execution. One that was accepted a moment ago
 * may not have reached its session: it is started here, which is harmless if the account starts it as well. One
 * that waits for its place among the active ones is left waiting.
 */
export async function callSession<Known extends { kind: string }>(
  asked: Asking<Admitted>,
  call: SessionCall<Known>,
  calling: typeof callOnce = callWithRetry,
): Promise<Known> {
  return await finish(asked, call, calling, callHost(asked, call, calling));
}

/**
 * Reads from a session as `callSession` does, while the account verifies the key: a caller that is far from
 * both waits once. A caller that the account refuses gets the refusal, whatever the session returns.
 */
export async function readSession<Known extends { kind: string }>(
  asked: Asked<KeyHolder>,
  call: SessionCall<Known>,
): Promise<Known> {
  const first = callHost(asked, call, callWithRetry);
  // Thrown below, if the account admits the caller.
  first.catch(() => undefined);
  const caller = await authorize(asked.http, asked.caller);
  return await finish({ ...asked, caller }, call, callWithRetry, first);
}

function callHost<Known extends { kind: string }>(
  { http, caller: { accountId }, params: { executionId: id } }: Asking<{ accountId: string }>,
  call: SessionCall<Known>,
  calling: typeof callOnce,
): Promise<Known | Unknown> {
  return calling(() => call(sessionHostStub(http.env, accountId, id), id));
}

async function finish<Known extends { kind: string }>(
  asked: Asking<Admitted>,
  call: SessionCall<Known>,
  calling: typeof callOnce,
  first: Promise<Known | Unknown>,
): Promise<Known> {
  const reply = await first;
  if (!isUnknown(reply)) return reply;
  const { http, caller, params } = asked;
  const { executionId: id } = params;
  const pending = caller.pending ?? (await promised(http.env, caller.accountId, id));
  const host = () => sessionHostStub(http.env, caller.accountId, id);
  if (pending?.isHeld) {
    const held = await callOnce(() => call(heldSession(pending, host), id));
    if (isUnknown(held)) throw notFound();
    return held;
  }
  if (pending !== null) await callWithRetry(() => host().start(pending));
  const second = await callHost(asked, call, calling);
  if (isUnknown(second)) throw notFound();
  return second;
}

/** Returns the seed of an execution that an endpoint's inbox accepted and has not dispatched yet. */
async function promised(env: CloudflareEnv, accountId: string, id: string) {
  const isPromised = await callWithRetry(() => startPending(env, accountId, id));
  if (!isPromised) throw notFound();
  return callWithRetry(() => accountStub(env, accountId).pending(id));
}

function isUnknown(reply: { kind: string }): reply is Unknown {
  return reply.kind === "unknown";
}

/** The calls that callers make to the session of an execution. */
export type SessionCalls = Omit<SessionHostApi, keyof Copied | Own>;
type Own = "start" | "startStopped" | "erase" | "reseal" | "lookAfter" | "fork" | Reads | Owed;
type Reads = "decision" | "calls" | "otlpTrace";
type Owed = "beginDelivery" | "endDelivery" | "callbacksSince";

/** How often a request that waits looks whether the execution has started. */
const LOOK_MS = 1_000;
/** How long a stream of events waits for it, before it ends and its reader opens another. */
const STREAM_MS = 15_000;

/**
 * Stands in for the session of an execution that waits for its place among the account's active ones: it
 * can be read and stopped without taking one. `hostOf` returns a stub of its host.
 */
function heldSession(seed: ExecutionSeed, hostOf: () => SessionHostApi): SessionCalls {
  const { executionId: id } = seed;
  const state = initialState(seed, seed.createdAt);
  const status = { kind: "found", state: statusView(seed, state) } as const;

  /** Returns whether it started within the time. */
  async function startsWithin(waitMs: number): Promise<boolean> {
    for (const until = Date.now() + waitMs; Date.now() < until; ) {
      await sleep(Math.min(LOOK_MS, until - Date.now()));
      if ((await hostOf().status(id)).kind === "found") return true;
    }
    return false;
  }

  return {
    status: async () => status,
    async waitForStatus(_, sinceVersion, waitSeconds) {
      const until = Date.now() + waitSeconds * 1_000;
      if (sinceVersion < state.version || !(await startsWithin(waitSeconds * 1_000))) return status;
      const left = Math.max(0, until - Date.now()) / 1_000;
      return hostOf().waitForStatus(id, sinceVersion, left);
    },
    task: async () => ({ kind: "found", task: taskView(seed) }),
    async result(_, query) {
      if (query?.partial !== true) return { kind: "not_ready", status: state.status };
      return { kind: "ready", result: resultView(seed, state, { outputs: [], effects: [] }) };
    },
    async message() {
      throw new HttpProblem(
        "rate_limited",
        "The execution waits to start, since a limit of its workflow or the account's quota `activeExecutions` is used up. Try again when it has started.",
        { retryAfterSeconds: 10 },
      );
    },
    decide: async () => ({ kind: "closed", decision: null }),
    async stop(_, { reason, ifVersion }) {
      if (ifVersion !== null && ifVersion !== state.version)
        return { kind: "version_mismatch", version: state.version };
      await hostOf().startStopped(seed, reason);
      return hostOf().stop(id, { reason, ifVersion: null });
    },
    events: async () => ({ kind: "found", events: [], closed: false }),
    async follow(_, after) {
      if (await startsWithin(STREAM_MS)) return hostOf().follow(id, after);
      return { kind: "found", stream: new Blob([": nothing new\n\n"]).stream() };
    },
    step: async () => ({ kind: "unknown" }),
    file: async () => ({ kind: "unknown" }),
    callbacks: async () => ({ kind: "found", log: { attempts: [], state: "none" } }),
    redeliver: async () => ({ kind: "not_ready", status: state.status }),
  };
}
