import type { LogEntry } from "../../../contract/inbound/log.ts";
import { isBefore, type Stage, type StageError } from "../../../contract/inbound/payload.ts";

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

/** What whoever sent a request was told, in a sentence. */
export function answerOf(entry: LogEntry): string {
  const http = `HTTP ${entry.httpStatus}`;
  const to = entry.replayOf === null ? "The sender" : "Whoever asked for the replay";
  const [first] = entry.errors;
  if (entry.status === "rejected") return `${to} was answered ${http}${reasons(first?.stage)}`;
  if (entry.status === "duplicate") {
    return `${to} was answered ${http} and told that the event came before.`;
  }
  if (isChallenge(entry)) return `${to} was answered ${http} with what its challenge asks for.`;
  if (isHeld(entry)) return `${to} was answered ${http}: it is held and will not be lost.`;
  const later = first === undefined ? "" : " What went wrong came later.";
  return `${to} was answered ${http}: it was accepted.${later}`;
}

/** Before it has authenticated, a sender learns nothing of the endpoint. */
function reasons(stage: Stage | undefined): string {
  if (stage === undefined) return ".";
  if (stage === "endpoint") return ", as if there were no such endpoint.";
  if (stage === "rate") return " and told to come again later.";
  return isBefore("signature", stage)
    ? " and told these reasons."
    : ", without the reasons: those are for senders who have authenticated.";
}

/** What to do about an error, and on which page. */
export interface Remedy {
  what: string;
  where: "settings" | "rules" | "execution" | "sender";
}

/** By the step that found the error. */
export const REMEDIES: Record<Stage, Remedy> = {
  endpoint: { what: "Enable the endpoint.", where: "settings" },
  https: {
    what: "The sender has to call the https:// address, over a TLS version that is new enough.",
    where: "sender",
  },
  method: {
    what: "Let the endpoint take the method, or have the sender use another.",
    where: "settings",
  },
  rate: {
    what: "Raise the endpoint's requests per minute, or have the sender slow down.",
    where: "settings",
  },
  ip: { what: "Put the sender's address onto the IP allowlist.", where: "settings" },
  size: { what: "Raise the largest body, or have the sender send less.", where: "rules" },
  content_type: {
    what: "The sender has to send JSON, a form or text, and say so in its Content-Type.",
    where: "sender",
  },
  auth: {
    what: "Give the sender the endpoint's token and headers as they are set.",
    where: "settings",
  },
  signature: {
    what: "Set the signature scheme and the secret to those of the sender.",
    where: "settings",
  },
  parse: {
    what: "The sender has to send a body that is what its Content-Type says.",
    where: "sender",
  },
  freshness: {
    what: "Look at the sender's clock, the tolerance, and where the time is looked for.",
    where: "settings",
  },
  validation: {
    what: "Change what the endpoint asks for, or have the sender send it.",
    where: "rules",
  },
  mapping: { what: "Change the mapping or give the field a default, then replay.", where: "rules" },
  duplicate: { what: "Set what becomes of duplicates.", where: "settings" },
  start: { what: "Look at the workflow and the balance, then replay.", where: "settings" },
  execution: { what: "Replay once it is mended.", where: "execution" },
};
