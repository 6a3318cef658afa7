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

/** The platform's flags of a failed call to an object; a reset often carries none. */
const flags = z
  .object({
    /** Thrown by the object's own code rather than on the way to it. */
    remote: z.boolean().default(false),
    /** The same call may succeed at once, with a new stub. */
    retryable: z.boolean().default(false),
    /** The object is overloaded and refused the call; another one makes it worse. */
    overloaded: z.boolean().default(false),
    durableObjectReset: z.boolean().default(false),
  })
  .catch({ remote: false, retryable: false, overloaded: false, durableObjectReset: false });

/** Returns what the platform says of a failed call to an object. */
export function callFailure(error: unknown) {
  const { remote, retryable, overloaded, durableObjectReset } = flags.parse(error);
  return {
    isOverloaded: overloaded,
    isRetryable: retryable && !overloaded,
    /** An exception in the object's own code: waiting does not help. */
    isOwnFault: remote && !retryable && !overloaded && !durableObjectReset,
  };
}
