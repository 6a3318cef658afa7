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

/** A call to the session of one execution, on behalf of one caller. */
export interface SessionCall<Known extends { kind: string }> {
  env: CloudflareEnv;
  caller: Pick<Authorized, "accountId" | "pending">;
  executionId: string;
  /** Whether the call may be repeated if it fails. */
  idempotent: boolean;
  call(host: SessionCalls, executionId: string): Promise<Known | Unknown>;
}

/**
 * Calls a session and returns its reply. Throws a 404 if the account has no such execution. One that was
 * accepted a moment ago may not have reached its session: it is started here, which is harmless if the
 * account starts it as well. One that waits for its place among the active ones is left waiting.
 */
export async function callSession<Known extends { kind: string }>(
  request: SessionCall<Known>,
): Promise<Known> {
  return await finish(request, callHost(request.caller, request));
}

/** A request about one execution, whose caller is known, or whose key is not verified yet. */
export interface Asked<Caller> {
  http: Http;
  caller: Caller;
  params: { executionId: string };
}

/** Reads from the session of a request's execution, for a caller that is admitted. */
export async function readForCaller<Known extends { kind: string }>(
  { http, caller, params: { executionId: id } }: Asked<Authorized>,
  call: SessionCall<Known>["call"],
): Promise<Known> {
  return await callSession({ env: http.env, caller, executionId: id, idempotent: true, call });
}

/**
 * Reads from a session as `callSession` does, while the account verifies the key: a caller that is far from
 * both waits once. A caller that the account refuses gets the refusal, whatever the session returns.
 */
export async function readSession<Known extends { kind: string }>(
  { http, caller: holder, params: { executionId: id } }: Asked<KeyHolder>,
  call: SessionCall<Known>["call"],
): Promise<Known> {
  const read = { env: http.env, executionId: id, idempotent: true, call };
  const first = callHost(holder, read);
  // Thrown below, if the account admits the caller.
  first.catch(() => undefined);
  const caller = await authorize(http, holder);
  return await finish({ ...read, caller }, first);
}

function callHost<Known extends { kind: string }>(
  { accountId }: Pick<Authorized, "accountId">,
  { env, executionId: id, idempotent, call }: Omit<SessionCall<Known>, "caller">,
): Promise<Known | Unknown> {
  const calling = idempotent ? callWithRetry : callOnce;
  return calling(() => call(sessionHostStub(env, accountId, id), id));
}

async function finish<Known extends { kind: string }>(
  request: SessionCall<Known>,
  first: Promise<Known | Unknown>,
): Promise<Known> {
  const { env, caller, executionId: id } = request;
  const reply = await first;
  if (!isUnknown(reply)) return reply;
  const pending = caller.pending ?? (await promised(env, caller.accountId, id));
  const host = () => sessionHostStub(env, caller.accountId, id);
  if (pending?.isHeld) {
    const held = await callOnce(() => request.call(heldSession(pending, host), id));
    if (isUnknown(held)) throw notFound();
    return held;
  }
  if (pending !== null) await callWithRetry(() => host().start(pending));
  const second = await callHost(caller, request);
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
