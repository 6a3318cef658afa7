import type { StepStart } from "../../../contract/conversation.ts";
import { counted } from "../../../lib/text.ts";

const DAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

const SECONDS_TO_GO_ON = 60;

/**
 * Returns the line that tells a model the time and what is left of the execution. It stays in the
 * conversation as it is, so that the next prompt starts with this one, which providers cache.
 */
export function stepNote(start: StepStart): string {
  const { at, step, stepsLeft, creditsLeft, secondsLeft, stepPrice } = start;
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const left = `${counted(creditsLeft, "credit")} and ${counted(Math.floor(secondsLeft / 60), "minute")} left.`;
  // This step, one call, and the step that reads its answer.
  const creditsToGoOn = 2 * stepPrice + 1;
  const isLast = stepsLeft <= 1 || creditsLeft < creditsToGoOn || secondsLeft < SECONDS_TO_GO_ON;
  const last = " This is the last step: call finish now, with what you have.";
  return `[Step ${step} of ${step + stepsLeft - 1}; ${left} It is ${DAY.format(at)}, ${time} UTC.${isLast ? last : ""}]`;
}
