import type * as z from "zod";
import type { Authorized } from "../../contract/account.ts";
import {
  cursorOf,
  MAX_SUBSCRIPTION_TTL_MS,
  MAX_SUBSCRIPTIONS,
  placeOfCursor,
  SUBSCRIPTION_TTL_MS,
  subscriptionContext,
} from "../../contract/mcp-events.ts";
import { receiverFault } from "../../deliveries/challenge.ts";
import { accountStub, inboxStub } from "../../durable/stubs.ts";
import { fromStrictBase64, sha256Hex } from "../../lib/encoding.ts";
import { canonicalJson } from "../../lib/json-values.ts";
import { checkAddress } from "../../outbound/address.ts";
import { sealSecret } from "../agent-settings.ts";
import { callOnce, callWithRetry } from "../problem.ts";
import { type EventsCall, EventsError, type PARAMS, type Wanted, wantedOf } from "./names.ts";

const DEFAULT_EVENTS = 50;
const MAX_EVENTS = 100;
const NEXT_POLL_MS = 30_000;
/** The shortest life of a subscription. */
const MIN_TTL_MS = 1_000;

type Subscribe = z.output<typeof PARAMS.subscribe>;

/** Returns the events since a cursor. */
export async function pollEvents(call: EventsCall, params: z.output<typeof PARAMS.poll>) {
  const wanted = await wantedOf(call, params);
  if (wanted.kind === "account") throw unsupported("poll");
  const { name, cursor, maxAgeMs, maxEvents } = params;
  const after = placeOf(cursor);
  const page = await callWithRetry(() =>
    inboxStub(call.env, wanted.config.endpointId).events({
      ...wanted.filter,
      after,
      since: maxAgeMs == null ? null : Date.now() - maxAgeMs,
      limit: Math.min(maxEvents ?? DEFAULT_EVENTS, MAX_EVENTS),
      origin: call.origin,
    }),
  );
  return {
    events: page.events.map(({ data, ...event }) => ({ ...event, name, data })),
    cursor: cursorOf(page.upTo),
    truncated: page.isTruncated,
    hasMore: page.more,
    nextPollMs: NEXT_POLL_MS,
  };
}

/** Makes or renews a subscription, once its receiver has shown that it wants it. */
export async function subscribe(call: EventsCall, params: Subscribe) {
  const { env, settings, caller, origin } = call;
  assertKey(caller);
  const wanted = await wantedOf(call, params);
  const { name, cursor, maxAgeMs, ttlMs, delivery } = params;
  if (delivery.mode !== "webhook") throw unsupported(delivery.mode);
  if (!isSecret(delivery.secret)) {
    throw new EventsError(
      "invalidParams",
      "delivery.secret must be whsec_ and the base64 of 24 to 64 bytes.",
    );
  }
  const ownHosts = [new URL(origin).host, ...settings.SERVICE_HOSTS];
  const checked = checkAddress(delivery.url, {
    allowLoopback: settings.ALLOW_LOOPBACK,
    ownHosts,
    schemes: ["https"],
  });
  if (!checked.ok) throw new EventsError("invalidParams", `delivery.url: ${checked.reason}`);
  const after = placeOf(cursor);
  const subscriptionId = await subscriptionIdOf(caller, params);
  const { url, secret } = delivery;
  const owner = ownerOf(call, wanted);
  if (!(await callWithRetry(() => owner().hasSubscription(caller.keyId, url)))) {
    const { accountId } = caller;
    const reason = await receiverFault({ url, secret, subscriptionId, accountId }, call);
    if (reason !== null) {
      const told = "The callback address did not pass verification.";
      throw new EventsError("callback", told, { reason });
    }
  }
  const granted = ttlMs === undefined ? SUBSCRIPTION_TTL_MS : (ttlMs ?? MAX_SUBSCRIPTION_TTL_MS);
  const sealedSecret = await sealSecret(secret, subscriptionContext(subscriptionId), settings);
  const subscription = {
    subscriptionId,
    keyId: caller.keyId,
    name,
    ...wanted.filter,
    url,
    origin,
    sealedSecret,
    secretHash: await sha256Hex(`${subscriptionId}.${secret}`),
    ttlMs: Math.min(Math.max(granted, MIN_TTL_MS), MAX_SUBSCRIPTION_TTL_MS),
    after,
    since: maxAgeMs == null ? null : Date.now() - maxAgeMs,
  };
  if (wanted.kind === "endpoint") {
    await callOnce(() => inboxStub(env, wanted.config.endpointId).configure(wanted.config));
  }
  const reply = await callOnce(() => owner().subscribe(subscription));
  if (reply.kind === "full") {
    throw new EventsError("exhausted", "There are too many subscriptions.", {
      limit: "subscriptions",
      max: MAX_SUBSCRIPTIONS,
    });
  }
  return {
    id: subscriptionId,
    refreshBefore: new Date(reply.expiresAt).toISOString(),
    cursor: cursorOf(reply.acknowledged),
    truncated: reply.isTruncated,
    ...(reply.status !== null && { deliveryStatus: reply.status }),
  };
}

/** Ends a subscription. One that is gone is answered as if it had been there. */
export async function unsubscribe(call: EventsCall, params: z.output<typeof PARAMS.unsubscribe>) {
  assertKey(call.caller);
  const wanted = await wantedOf(call, params, { orDeleted: true });
  const subscriptionId = await subscriptionIdOf(call.caller, params);
  await callOnce(() => ownerOf(call, wanted)().unsubscribe(subscriptionId));
  return {};
}

/** Returns the object that has the events. */
function ownerOf({ env, caller }: EventsCall, wanted: Wanted) {
  if (wanted.kind === "account") return () => accountStub(env, caller.accountId);
  const { endpointId } = wanted.config;
  return () => inboxStub(env, endpointId);
}

/** The session of a member ends soon, and has no subscriptions. */
function assertKey({ by }: Authorized): void {
  if (by.kind !== "key") throw new EventsError("forbidden", "Subscribe with an API key.");
}

function unsupported(mode: string): EventsError {
  const data = { feature: "deliveryMode", value: mode };
  return new EventsError("unsupported", `The delivery mode ${mode} is not offered here.`, data);
}

function placeOf(cursor: string | null | undefined): number | null {
  if (cursor == null) return null;
  const place = placeOfCursor(cursor);
  if (place === null) throw new EventsError("invalidParams", "cursor is not known.");
  return place;
}

function isSecret(secret: string): boolean {
  if (!secret.startsWith("whsec_")) return false;
  const bytes = fromStrictBase64(secret.slice("whsec_".length));
  return bytes !== null && bytes.length >= 24 && bytes.length <= 64;
}

/** The same key, address, name and arguments are the same subscription. */
async function subscriptionIdOf(
  { keyId }: Authorized,
  {
    name,
    arguments: given,
    delivery: { url },
  }: Pick<Subscribe, "name" | "arguments"> & { delivery: { url: string } },
): Promise<string> {
  const hash = await sha256Hex(canonicalJson([keyId, url, name, given]));
  return `sub_${hash.slice(0, 32)}`;
}
