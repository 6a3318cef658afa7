import { sessionStub } from "../../agent/stub.ts";
import type { Authorized } from "../../contract/account.ts";
import type { SessionApi, Unknown } from "../../contract/session.ts";
import { notFound } from "../problem.ts";
import { reach } from "../reach.ts";

/** Asks one execution on behalf of one caller. `again` as for `reach`. */
export interface SessionQuestion<Known extends { kind: string }> {
  env: CloudflareEnv;
  caller: Authorized;
  executionId: string;
  again: boolean;
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
  const { env, caller, executionId, again, ask } = question;
  const askOnce = () => reach(() => ask(sessionStub(env, executionId)), { again });
  const reply = await askOnce();
  if (!isUnknown(reply)) return reply;
  const { pending } = caller;
  if (pending === null) throw notFound();
  await reach(() => sessionStub(env, executionId).start(pending), { again: true });
  const second = await askOnce();
  if (isUnknown(second)) throw notFound();
  return second;
}

function isUnknown(reply: { kind: string }): reply is Unknown {
  return reply.kind === "unknown";
}
