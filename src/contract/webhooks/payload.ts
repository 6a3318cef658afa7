import * as z from "zod";
import { open } from "../fields.ts";
import type { Violation } from "../problem.ts";

/**
 * A value of a parsed payload: JSON in which a whole number that a double cannot hold exactly is a
 * bigint, so that a long id keeps its digits when it is mapped as a string.
 */
export type PayloadValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PayloadValue[]
  | PayloadObject;
export type PayloadObject = { [name: string]: PayloadValue };

/** The checks of admission in order; `start` and `execution` follow them. */
export const STAGES = [
  "endpoint",
  "https",
  "method",
  "rate",
  "ip",
  "size",
  "content_type",
  "auth",
  "signature",
  "parse",
  "freshness",
  "validation",
  "routing",
  "mapping",
  "duplicate",
  "start",
  "execution",
] as const;
export const stage = z.enum(STAGES).describe("The check that failed.");
export type Stage = z.infer<typeof stage>;

/** Returns whether one stage comes before another. */
export function isBefore(one: Stage, other: Stage): boolean {
  return STAGES.indexOf(one) < STAGES.indexOf(other);
}

/** One error of a request, as the log keeps it. */
export const stageError = open({
  stage,
  path: z.string().optional().describe("The field in the payload, in dot notation."),
  rule: z.string().describe("The rule that failed, as a short name."),
  message: z.string().describe("A description of the error."),
}).meta({ id: "StageError" });
export type StageError = z.infer<typeof stageError>;

/** One error in a part of a request or a setting. */
export type Fault = Violation;
