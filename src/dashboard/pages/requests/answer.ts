import type { LogEntry } from "../../../contract/inbound/log.ts";
import { isBefore, type Stage } from "../../../contract/inbound/payload.ts";
import { isChallenge, isHeld } from "./words.ts";

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
