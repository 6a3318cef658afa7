import type { Authorized } from "../../contract/account.ts";
import type { PendingSeed, Unknown } from "../../contract/session.ts";
import { accountStub, sessionHostStub } from "../../durable/stubs.ts";
import { startPending } from "../../endpoints/start.ts";
import { authorize, type KeyHolder } from "../authentication.ts";
import { callOnce, callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { notFound } from "../problem.ts";
import { heldSession, type SessionCalls } from "./held.ts";

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
async function promised(
  env: CloudflareEnv,
  accountId: string,
  id: string,
): Promise<PendingSeed | null> {
  const isPromised = await callWithRetry(() => startPending(env, accountId, id));
  if (!isPromised) throw notFound();
  return callWithRetry(() => accountStub(env, accountId).pending(id));
}

function isUnknown(reply: { kind: string }): reply is Unknown {
  return reply.kind === "unknown";
}
