import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { isBefore, STAGES, type Stage } from "../../../contract/inbound/payload.ts";
import { signsTime } from "../webhooks/senders.ts";
import { isChallenge, isHeld } from "./labels.ts";

/** What one step made of a request. The words are shown as they are. */
export interface StepVerdict {
  stage: Stage;
  verdict:
    | "passed"
    | "refused"
    | "failed"
    | "not asked for"
    | "not looked at"
    | "no time sent"
    | "not reached"
    | "duplicate"
    | "pending"
    | "running";
}

type Word = StepVerdict["verdict"];

/** A replay was authenticated when its original came. */
const OF_REPLAYS: readonly Stage[] = [
  "size",
  "content_type",
  "parse",
  "validation",
  "mapping",
  "start",
  "execution",
];

/** The way of a request through all steps, as far as the log tells it. */
export function verdictsOf(entry: LogEntry, endpoint: EndpointRecord): StepVerdict[] {
  return STAGES.map((stage) => ({ stage, verdict: verdictOf(stage, entry, endpoint) }));
}

/** Whether the endpoint is still as it was then: only so is it known what it asked for. */
export function isUnchanged(entry: LogEntry, endpoint: EndpointRecord): boolean {
  return endpoint.updatedAt <= entry.receivedAt;
}

function verdictOf(stage: Stage, entry: LogEntry, endpoint: EndpointRecord): Word {
  if (entry.replayOf !== null && !OF_REPLAYS.includes(stage)) return "not looked at";
  const end = endOf(entry);
  if (end !== null && stage === end.stage) return end.verdict;
  if (end !== null && isBefore(end.stage, stage)) return "not reached";
  const isAsked = !isUnchanged(entry, endpoint) || asksFor(stage, entry, endpoint);
  if (!isAsked) return "not asked for";
  return stage === "freshness" && lacksTime(entry, endpoint) ? "no time sent" : "passed";
}

/** Whether there was no time of sending to look at; what was cut off may have had one. */
function lacksTime(
  { query, body, bodyTruncated }: LogEntry,
  { auth, replayProtection }: EndpointRecord,
): boolean {
  if (replayProtection.timestamp !== null || signsTime(auth) || bodyTruncated) return false;
  return !/\btimestamp\b/.test(`${JSON.stringify(query)}${body ?? ""}`);
}

/** The step at which a request is, or came to its end; null when it went through all. */
function endOf(entry: LogEntry): StepVerdict | null {
  const [first] = entry.errors;
  switch (entry.status) {
    case "rejected":
      return first === undefined ? null : { stage: first.stage, verdict: "refused" };
    case "failed":
      return { stage: first?.stage ?? "execution", verdict: "failed" };
    case "duplicate":
      return { stage: "duplicate", verdict: "duplicate" };
    case "queued":
      return { stage: isHeld(entry) ? "mapping" : "start", verdict: "pending" };
    case "running":
      return { stage: "execution", verdict: "running" };
    case "succeeded":
      // A challenge is answered as soon as it has been read.
      return isChallenge(entry) ? { stage: "parse", verdict: "passed" } : null;
  }
}

function asksFor(stage: Stage, { eventId }: LogEntry, endpoint: EndpointRecord): boolean {
  const { auth, replayProtection } = endpoint;
  switch (stage) {
    case "ip":
      return auth.ipAllowlist !== undefined;
    case "auth":
      return auth.token !== undefined || auth.headers !== undefined;
    case "signature":
      return auth.hmac !== undefined;
    case "freshness":
      return replayProtection.enabled;
    case "duplicate":
      return eventId !== null;
    default:
      return true;
  }
}
