import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { type Release, releaseOf } from "../intake/logged.ts";
import { isAttached, routesOf } from "../intake/routing/routes.ts";
import { matchesOf } from "./acceptance.ts";
import type { Components } from "./components.ts";

/** Requests that are released before they are dispatched: those of one message. */
const PORTION = 100;
/** Held requests that one call reads, and the bytes of their bodies; a call between objects carries 32 MiB. */
const READ_REQUESTS = 500;
const READ_BYTES = 8 * 1_048_576;

/** What releasing held requests needs of its inbox. */
interface HeldContext extends Pick<Components, "configs" | "work" | "log" | "reader" | "router"> {
  storage: DurableObjectStorage;
  now(): number;
}

const DELETED: StageError = {
  stage: "start",
  rule: "endpoint_deleted",
  message: "The endpoint was deleted while this request was held.",
};

/**
 * Applies a configuration, with its consequences for the requests that are held. Returns false if it is not
 * newer than the current one.
 */
export function applyConfig(
  { configs, work, router }: Pick<HeldContext, "configs" | "work" | "router">,
  config: EndpointConfig,
  now: number,
): boolean {
  if (configs.knows(config)) return false;
  configs.put(config, (before) => {
    if (config.deleted) {
      for (const seq of work.heldAfter(0, work.held().count)) router.abandon(seq, DELETED, now);
      router.abandonWaiting(DELETED, now);
      // Those that could not be mapped to another workflow may well be mapped to this one.
    } else if (startedBy(config) !== (before && startedBy(before))) work.retryHeld();
  });
  return true;
}

/** Names what a configuration starts. */
function startedBy(config: EndpointConfig): string {
  return JSON.stringify(routesOf(config).map(({ name, workflowId }) => ({ name, workflowId })));
}

/** Whether held requests are to be released. */
export function hasReleasable({ configs, work }: Pick<HeldContext, "configs" | "work">): boolean {
  return isAttached(configs.current) && work.held().untried > 0;
}

/**
 * Releases a portion of the held requests, in the order of arrival. One that cannot be mapped stays held,
 * with its errors in its entry, and lets the next ones pass. Returns whether more are to be released.
 */
export async function releaseHeld(context: HeldContext, until: number): Promise<boolean> {
  const { configs, work, reader, now } = context;
  for (let n = 0; n < PORTION && now() < until; n += 1) {
    const config = configs.current;
    const seq = work.firstUntried();
    if (!isAttached(config) || seq === null) return false;
    const request = reader.requestAt(seq);
    if (request === null) throw new Error("work without an entry");
    const release = await releaseOf(config, request);
    // Another configuration decides anew.
    if (configs.current === config) apply(context, { seq, config, request, release });
  }
  return hasReleasable(context);
}

interface Decided {
  seq: number;
  config: EndpointConfig;
  request: ReceivedRequest;
  release: Release;
}

function apply(context: HeldContext, { seq, config, request, release }: Decided): void {
  const { storage, work, log, router } = context;
  const now = context.now();
  storage.transactionSync(() => {
    // It may be released, or its endpoint deleted, meanwhile.
    if (work.firstUntried() !== seq) return;
    if (release.kind === "held") {
      work.keepHeld(seq, config.version);
      log.noteErrors(seq, release.errors);
      return;
    }
    log.noteRelease(seq, config, matchesOf(release.routes, config), now);
    router.release(seq, release.routes, config, { bytes: request.body?.byteLength ?? 0, now });
  });
}

/** Reads held requests after a place in the order of arrival, as many as one call carries. */
export function readHeld(
  { work, reader }: Pick<HeldContext, "work" | "reader">,
  after: number,
): { count: number; requests: ReceivedRequest[]; next: number | null } {
  const { count } = work.held();
  const requests: ReceivedRequest[] = [];
  let bytes = 0;
  let last = after;
  for (const seq of work.heldAfter(after, READ_REQUESTS)) {
    const request = reader.requestAt(seq);
    if (request === null) throw new Error("work without an entry");
    bytes += request.body?.byteLength ?? 0;
    if (requests.length > 0 && bytes > READ_BYTES) return { count, requests, next: last };
    requests.push(request);
    last = seq;
  }
  return { count, requests, next: requests.length === READ_REQUESTS ? last : null };
}
