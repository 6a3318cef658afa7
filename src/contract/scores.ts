import * as z from "zod";
import { by } from "./actor.ts";
import { closed, matching, open, timestamp } from "./fields.ts";

const name = matching(
  /^[A-Za-z0-9_.-]{1,64}$/,
  "must be 1 to 64 letters, digits, `_`, `.` or `-`",
).describe("What is judged, such as `helpful`.");
const value = z.union([z.number(), z.boolean()]).describe("The judgement; true counts as 1.");

/** The body of POST /trigger/:id/scores. */
export const scoreBody = closed({
  name,
  value,
  comment: z.string().max(2_000).optional().describe("Why."),
}).meta({ id: "NewScore" });

export const scoreRecord = open({
  name,
  value,
  comment: z.string().nullable().describe("Why, or null."),
  by,
  at: timestamp.describe("When it was given."),
}).meta({ id: "Score" });
export type ScoreRecord = z.infer<typeof scoreRecord>;

/** The scores of a workflow's executions under one revision and model. */
export const scoreAverage = open({
  name,
  revision: z.int().nullable().describe("The revision of the workflow."),
  model: z.string().describe("The model."),
  average: z.number().describe("The average value."),
  count: z.int().describe("How many there are."),
}).meta({ id: "ScoreAverage" });
export type ScoreAverage = z.infer<typeof scoreAverage>;
