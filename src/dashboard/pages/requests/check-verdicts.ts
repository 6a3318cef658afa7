import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { isBefore, STAGES, type Stage } from "../../../contract/webhooks/payload.ts";
import { timeOf } from "../webhooks/senders.ts";
import { isHandshake, isHeld } from "./labels.ts";

/** The verdict of one check on a request, as pages show it. */
export interface CheckVerdict {
  stage: Stage;
  verdict:
    | "passed"
    | "rejected"
    | "failed"
    | "not configured"
    | "not checked"
    | "no timestamp"
    | "not reached"
    | "duplicate"
    | "superseded"
    | "pending"
    | "running";
}

type Word = CheckVerdict["verdict"];

/** A replay was authenticated when its original was received. */
const OF_REPLAYS: readonly Stage[] = [
  "size",
  "content_type",
  "parse",
  "validation",
  "routing",
  "mapping",
  "start",
  "execution",
];

/** Returns the verdicts of all checks, as far as the log tells them. */
export function verdictsOf(entry: LogEntry, endpoint: EndpointRecord): CheckVerdict[] {
  return STAGES.map((stage) => ({ stage, verdict: verdictOf(stage, entry, endpoint) }));
}

/** Tells whether the endpoint has not changed since: only then are its checks known. */
export function isUnchanged(entry: LogEntry, endpoint: EndpointRecord): boolean {
  return endpoint.updatedAt <= entry.receivedAt;
}

function verdictOf(stage: Stage, entry: LogEntry, endpoint: EndpointRecord): Word {
  if (entry.replayOf !== null && !OF_REPLAYS.includes(stage)) return "not checked";
  const end = endOf(entry);
  if (end !== null && stage === end.stage) return end.verdict;
  if (end !== null && isBefore(end.stage, stage)) return "not reached";
  const isRelevant = !isUnchanged(entry, endpoint) || isConfigured(stage, entry, endpoint);
  if (!isRelevant) return "not configured";
  return stage === "freshness" && lacksTime(entry, endpoint) ? "no timestamp" : "passed";
}

/** Tells whether there was no timestamp to check; a truncated body may have had one. */
function lacksTime(
  { query, body, bodyTruncated }: LogEntry,
  { auth, replayProtection }: EndpointRecord,
): boolean {
  const time = replayProtection.timestamp ?? timeOf(auth)?.time ?? null;
  if (time !== null || bodyTruncated) return time === "none";
  return !/\btimestamp\b/.test(`${JSON.stringify(query)}${body ?? ""}`);
}

/** Returns the check at which a request is, or ended; null where it passed all. */
function endOf(entry: LogEntry): CheckVerdict | null {
  const [first] = entry.errors;
  switch (entry.status) {
    case "rejected":
      return first === undefined ? null : { stage: first.stage, verdict: "rejected" };
    case "failed":
      return { stage: first?.stage ?? "execution", verdict: "failed" };
    case "duplicate":
      return { stage: "duplicate", verdict: "duplicate" };
    case "unrouted":
    case "logged":
      return { stage: "routing", verdict: "passed" };
    case "queued":
      if (!isHeld(entry)) return { stage: "start", verdict: "pending" };
      return first === undefined
        ? { stage: "mapping", verdict: "pending" }
        : { stage: first.stage, verdict: "failed" };
    case "superseded":
      return { stage: entry.executionId === null ? "start" : "execution", verdict: "superseded" };
    case "running":
      return { stage: "execution", verdict: "running" };
    case "succeeded":
      // A handshake is answered as soon as it is parsed.
      return isHandshake(entry) ? { stage: "parse", verdict: "passed" } : null;
  }
}

function isConfigured(stage: Stage, { eventId }: LogEntry, endpoint: EndpointRecord): boolean {
  const { auth, replayProtection } = endpoint;
  switch (stage) {
    case "ip":
      return auth.ipAllowlist !== undefined;
    case "auth":
      return auth.token !== undefined || auth.headers !== undefined;
    case "signature":
      return auth.hmac !== undefined || auth.signature !== undefined;
    case "freshness":
      return replayProtection.enabled;
    case "routing":
      return endpoint.routing !== null;
    case "duplicate":
      return eventId !== null;
    default:
      return true;
  }
}
