import type { Authorized } from "../../contract/account.ts";
import type { ExecutionSeed, SessionApi, Unknown } from "../../contract/session.ts";
import { accountStub, sessionStub } from "../../durable/stubs.ts";
import { handOverPromised } from "../../inbound/start/pending.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { notFound } from "../problem.ts";

/** Asks one execution on behalf of one caller. */
export interface SessionQuestion<Known extends { kind: string }> {
  env: CloudflareEnv;
  caller: Authorized;
  executionId: string;
  idempotent: boolean;
  ask(session: SessionApi): Promise<Known | Unknown>;
}

/**
 * The session's answer; a 404 when it knows no such execution of this account. One that was accepted a
 * moment ago may not have reached its session yet: then it is started here, which changes nothing
 * when the account does so as well.
 */
export async function askSession<Known extends { kind: string }>(
  question: SessionQuestion<Known>,
): Promise<Known> {
  const { env, caller, executionId, idempotent, ask } = question;
  const askOnce = () => callWithRetry(() => ask(sessionStub(env, executionId)), { idempotent });
  const reply = await askOnce();
  if (!isUnknown(reply)) return reply;
  const { accountId } = caller;
  if (caller.pending !== null) await start(env, caller.pending);
  else await startPromised(env, accountId, executionId);
  const second = await askOnce();
  if (isUnknown(second)) throw notFound();
  return second;
}

/** Starts what an endpoint's inbox has promised: it is still there, or with the account, or started. */
async function startPromised(
  env: CloudflareEnv,
  accountId: string,
  executionId: string,
): Promise<void> {
  const isPromised = await callWithRetry(() => handOverPromised(env, accountId, executionId), {
    idempotent: true,
  });
  if (!isPromised) throw notFound();
  const pending = await callWithRetry(() => accountStub(env, accountId).pending(executionId), {
    idempotent: true,
  });
  if (pending !== null) await start(env, pending);
}

async function start(env: CloudflareEnv, seed: ExecutionSeed): Promise<void> {
  await callWithRetry(() => sessionStub(env, seed.executionId).start(seed), { idempotent: true });
}

function isUnknown(reply: { kind: string }): reply is Unknown {
  return reply.kind === "unknown";
}
