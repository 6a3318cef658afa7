import * as z from "zod";
import type { AccountApi } from "../contract/account.ts";
import type { SessionHostApi } from "../contract/session.ts";
import type { InboxApi } from "../contract/webhooks/inbox.ts";
import { slotOf } from "../lib/execution-id.ts";
import { type Jurisdiction, type Place, placeOf, type Region } from "../lib/place.ts";

/** Returns the object of an account. */
export function accountStub(env: CloudflareEnv, accountId: string): AccountApi {
  return stub(env.ACCOUNT, accountId, placeOf(accountId));
}

/** Returns the object that hosts an execution. */
export function sessionHostStub(
  env: CloudflareEnv,
  accountId: string,
  executionId: string,
): SessionHostApi {
  return slotHostStub(env, accountId, slotOf(executionId));
}

/** Returns the object that hosts the executions of an account's slot. */
export function slotHostStub(env: CloudflareEnv, accountId: string, slot: number): SessionHostApi {
  return stub(env.SESSION_HOST, `${accountId}/${slot}`, placeOf(accountId));
}

/**
 * Returns the object of an endpoint. If its account has no place, the object is created near `sender` if
 * this is its first use.
 */
export function inboxStub(
  env: CloudflareEnv,
  endpointId: string,
  sender: Region | null = null,
): InboxApi {
  const near: Place | null = sender === null ? null : { kind: "region", name: sender };
  return stub(env.INBOX, endpointId, placeOf(endpointId) ?? near);
}

interface Namespace {
  getByName(name: string, options?: { locationHint: Region }): unknown;
  jurisdiction(name: Jurisdiction): Namespace;
}

/**
 * Every class implements its `Api`, all of it plain data and promises. The platform's own type of a stub
 * cannot express recursive JSON, hence the cast.
 */
function stub<Api>(namespace: Namespace, name: string, place: Place | null): Api {
  if (place?.kind === "jurisdiction") return stub(namespace.jurisdiction(place.name), name, null);
  if (place === null) return namespace.getByName(name) as Api;
  return namespace.getByName(name, { locationHint: place.name }) as Api;
}

const platformFlags = z.object({ overloaded: z.boolean(), retryable: z.boolean() }).partial();

/**
 * Returns what the platform says of a failed call to an object: whether the object refused it because it
 * is overloaded, or the same call may succeed at once with a new stub.
 */
export function callFailure(error: unknown): { isOverloaded: boolean; isRetryable: boolean } {
  const flags = platformFlags.safeParse(error);
  const { overloaded = false, retryable = false } = flags.success ? flags.data : {};
  return { isOverloaded: overloaded, isRetryable: retryable && !overloaded };
}
