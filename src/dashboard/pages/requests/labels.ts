import { violationLine } from "../../../contract/problem.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import {
  isBefore,
  STAGES,
  type Stage,
  type StageError,
} from "../../../contract/webhooks/payload.ts";
import { plainError } from "../executions/labels.ts";

/** What each stage of admission checks. */
export const STAGE_NAMES: Record<Stage, string> = {
  endpoint: "Endpoint",
  https: "HTTPS",
  method: "Method",
  rate: "Rate",
  ip: "Sender IP address",
  size: "Size",
  content_type: "Content type",
  auth: "Token and headers",
  signature: "Signature",
  parse: "Parsing",
  freshness: "Freshness",
  validation: "Validation",
  routing: "Routing",
  mapping: "Mapping",
  duplicate: "Duplicate",
  start: "Start",
  execution: "Execution",
};

/** Names a request by the type of its event, or by its method. */
export const nameOf = ({ eventType, method }: LogEntry): string => eventType ?? `${method} request`;

/** Summarizes a request in one line, empty if there is nothing to say. */
export function gistOf(entry: LogEntry): string {
  const [first] = entry.errors;
  if (first !== undefined) return errorLine(first);
  if (entry.status === "unrouted") return "No route matched.";
  if (entry.status === "logged") return "Logged; it starts nothing.";
  if (entry.status === "superseded") return "A further event of its case replaced it.";
  if (isHeld(entry)) return "Held until a workflow is attached.";
  if (isHandshake(entry)) return "Handshake with the provider, answered.";
  return "";
}

/** Says in one line at which stage a request failed, and why. */
export function errorLine(error: StageError): string {
  return error.stage === "execution"
    ? plainError(error.message)
    : `${STAGE_NAMES[error.stage]}: ${violationLine(error)}`;
}

/** Returns the status of a request as pages name it: a request that waits for a workflow is held. */
export function statusOf(entry: LogEntry): string {
  return isHeld(entry) ? "held" : entry.status;
}

/** Tells whether a request was accepted and waits for a workflow to be attached. */
export function isHeld({ status, executionId }: LogEntry): boolean {
  return status === "queued" && executionId === null;
}

/** Tells whether a request is a sender's handshake, which starts nothing. */
function isHandshake({ status, executionId }: LogEntry): boolean {
  return status === "succeeded" && executionId === null;
}

/** Returns the flags of a request, a word each. */
export function flagsOf(entry: LogEntry): string[] {
  return [
    entry.duplicate && "duplicate",
    entry.replayOf !== null && "replay",
    entry.edited && "edited",
    entry.drifted && "drifted",
  ].filter((flag) => flag !== false);
}

/** The checks that a replay has again: its sender was authenticated when the original was received. */
const OF_REPLAYS: readonly Stage[] = ["size", "content_type", "parse", "validation", "mapping"];

/** Names the checks that a request passed; one that its endpoint does not set passes every request. */
export function passedChecks(entry: LogEntry): string[] {
  const end = endOf(entry);
  return STAGES.filter(
    (stage) => isBefore(stage, end) && (entry.replayOf === null || OF_REPLAYS.includes(stage)),
  ).map((stage) => STAGE_NAMES[stage]);
}

/** Returns the check at which a request is, or ended; `start` once it has passed all. */
function endOf(entry: LogEntry): Stage {
  const [first] = entry.errors;
  if (first !== undefined) return isBefore(first.stage, "start") ? first.stage : "start";
  if (entry.status === "duplicate") return "duplicate";
  // A handshake is answered as soon as it is parsed.
  if (isHandshake(entry)) return "freshness";
  const isUnmapped = isHeld(entry) || entry.status === "unrouted" || entry.status === "logged";
  return isUnmapped ? "mapping" : "start";
}

/** The page on which an error is fixed, and how. */
export type Remedy = readonly [where: "settings" | "rules" | "execution" | "sender", what: string];

/** Returns how to fix the first error of a request. */
export function remedyOf(entry: LogEntry, { stage }: StageError): Remedy {
  if (!isHeld(entry)) return REMEDIES[stage];
  return ["rules", "Change the mapping or set a default, then release held requests."];
}

const REMEDIES: Record<Stage, Remedy> = {
  endpoint: ["settings", "Enable the endpoint."],
  https: ["sender", "The sender must use the https:// URL with a current TLS version."],
  method: ["settings", "Allow the method on the endpoint, or have the sender use another one."],
  rate: ["settings", "Raise the endpoint's rate limit, or have the sender slow down."],
  ip: ["settings", "Add the sender's IP address to the allowlist."],
  size: ["rules", "Raise the maximum body size, or have the sender send less."],
  content_type: ["sender", "Have the sender send JSON, a form or text, with its Content-Type."],
  auth: ["settings", "Give the sender the endpoint's token and required headers."],
  signature: ["settings", "Set the endpoint's signature scheme and secret to those of the sender."],
  parse: ["sender", "The sender must send a body that matches its Content-Type."],
  freshness: ["settings", "Check the sender's clock, the time window and the timestamp's place."],
  validation: ["rules", "Change the validation rules, or the payload of the sender."],
  routing: ["rules", "Change the conditions of the endpoint's routes."],
  mapping: ["rules", "Change the mapping or set a default, then replay the request."],
  duplicate: ["settings", "Change how the endpoint treats duplicates."],
  start: ["settings", "Check the workflow and the balance, then replay the request."],
  execution: ["execution", "Fix the cause, then replay the request."],
};
