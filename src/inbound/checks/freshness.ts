import type { PayloadValue } from "../../contract/inbound/payload.ts";
import type { Place } from "../../contract/inbound/signature.ts";
import { readInstant } from "../../lib/instants.ts";
import { readPath } from "../mapping/payload-path.ts";
import { readPlace } from "../place.ts";
import {
  type Case,
  type Check,
  NOT_PARSED,
  PASSED,
  skipped,
  unauthorized,
  type Verdict,
} from "./check.ts";

/** It was sent not long ago, by the time that the sender put into it. */
export const freshness: Check = {
  stage: "freshness",
  judge(asked) {
    const { enabled, timestamp } = asked.endpoint.config.replayProtection;
    if (!enabled) return skipped("Replay protection is off.");
    return timestamp === null ? judgeImplicit(asked) : judgeNamed(asked, timestamp);
  },
};

/** The setting names where the time must be. */
function judgeNamed(asked: Case, place: Place): Verdict {
  const { found, request } = asked;
  if (place.in === "body" && found.payload === undefined) return NOT_PARSED;
  const value = readPlace(place, request.headers, found.payload);
  if (value === undefined) return refusal(place.path, "The time of sending is missing.");
  const sentAt = readInstant(value);
  if (sentAt === null) return refusal(place.path, "The time of sending cannot be read.");
  return judgeTime(asked, sentAt, place.path);
}

/** The signed time, else a `timestamp` in the body; a sender need not give any. */
function judgeImplicit(asked: Case): Verdict {
  const { signedAt, payload } = asked.found;
  if (signedAt !== null) return judgeTime(asked, signedAt, null);
  const sentAt = payload === undefined ? null : timestampOf(payload);
  if (sentAt === null) return skipped("It carries no time of sending.");
  return judgeTime(asked, sentAt, "timestamp");
}

function timestampOf(payload: PayloadValue): number | null {
  const value = readPath(payload, "timestamp");
  return value === undefined ? null : readInstant(value);
}

function judgeTime({ endpoint, now }: Case, sentAt: number, path: string | null): Verdict {
  const { toleranceSeconds } = endpoint.config.replayProtection;
  const age = now - sentAt;
  if (Math.abs(age) <= toleranceSeconds * 1_000) return PASSED;
  const seconds = Math.ceil(Math.abs(age) / 1_000);
  const off = age > 0 ? "old" : "ahead of this service's clock";
  return refusal(path, `It is ${seconds} s ${off}; at most ${toleranceSeconds} s are allowed.`);
}

function refusal(path: string | null, message: string): Verdict {
  return unauthorized([{ ...(path !== null && { path }), rule: "freshness", message }]);
}
