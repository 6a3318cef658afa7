import type { StepStart } from "../../../contract/conversation.ts";

const DAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

/** With fewer credits, a call leaves none for the step that would read its answer. */
const CREDITS_TO_GO_ON = 3;
const SECONDS_TO_GO_ON = 60;

/**
 * Returns the line that tells a model the time and what is left of the execution. It stays in the
 * conversation as it is, so that the next prompt starts with this one, which providers cache.
 */
export function stepNote({ at, step, stepsLeft, creditsLeft, secondsLeft }: StepStart): string {
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const left = `${counted(creditsLeft, "credit")} and ${counted(Math.floor(secondsLeft / 60), "minute")} left.`;
  const isLast = stepsLeft <= 1 || creditsLeft < CREDITS_TO_GO_ON || secondsLeft < SECONDS_TO_GO_ON;
  const last = " This is the last step: call finish now, with what you have.";
  return `[Step ${step} of ${step + stepsLeft - 1}; ${left} It is ${DAY.format(at)}, ${time} UTC.${isLast ? last : ""}]`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
