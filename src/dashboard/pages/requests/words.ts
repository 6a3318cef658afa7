import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { Stage, StageError } from "../../../contract/inbound/payload.ts";

/** What a step of admission looks at. */
export const STAGE_NAMES: Record<Stage, string> = {
  endpoint: "Endpoint",
  https: "HTTPS",
  method: "Method",
  rate: "Rate",
  ip: "Sender's address",
  size: "Size",
  content_type: "Content type",
  auth: "Token and headers",
  signature: "Signature",
  parse: "Parsing",
  freshness: "Freshness",
  validation: "Validation",
  mapping: "Mapping",
  duplicate: "Duplicate",
  start: "Start",
  execution: "Execution",
};

/** An error in one line. */
export function sentenceOf({ stage, path = "", message }: StageError): string {
  return `${STAGE_NAMES[stage]}: ${path === "" ? "" : `${path}: `}${message}`;
}

/** What there is to know of an entry at first sight. */
export function gistOf(entry: LogEntry): string {
  const [first] = entry.errors;
  if (first !== undefined) return sentenceOf(first);
  if (isHeld(entry)) return "Held until a workflow is attached.";
  if (isChallenge(entry)) return "A challenge of the provider, answered.";
  return "";
}

/** Accepted, and waiting for a workflow to be attached. */
export function isHeld({ status, executionId }: LogEntry): boolean {
  return status === "queued" && executionId === null;
}

/** A provider asked whether somebody is here; that starts nothing. */
export function isChallenge({ status, executionId }: LogEntry): boolean {
  return status === "succeeded" && executionId === null;
}

/** What is special about an entry, each in a word. */
export function flagsOf(entry: LogEntry): string[] {
  return [
    entry.duplicate && "duplicate",
    entry.replayOf !== null && "replay",
    entry.edited && "edited",
    entry.drifted && "drifted",
  ].filter((flag) => flag !== false);
}

/** A span of time as people say it: `24 ms`, `2.3 s`, `4 min 10 s`. */
export function durationOf(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
