import * as z from "zod";
import { closed, timestamp } from "../fields.ts";
import { jsonObject } from "../json.ts";
import { requestId } from "./log.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { stageError } from "./payload.ts";
import { validationBody } from "./validation.ts";

/** The body of POST /webhooks/:endpointId/what-if: a draft; what it leaves out stays as it is. */
export const whatIfBody = closed({
  validation: validationBody.optional(),
  mapping: mappingBody.optional(),
  last: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe("How many of the newest requests are looked at."),
}).meta({ id: "WhatIf" });

/** How a payload fares under some settings. */
export const fate = z
  .object({
    ok: z.boolean().describe("Whether it is taken in."),
    errors: z.array(stageError).describe("What is wrong with it."),
    mappedInputs: jsonObject.nullable().meta({
      description: "Null where it is refused, without a workflow, and beyond 16 KiB.",
    }),
  })
  .meta({ id: "Fate" });
export type Fate = z.infer<typeof fate>;

export const whatIfRequest = z.object({
  requestId,
  receivedAt: timestamp.describe("When it came in."),
  before: fate.meta({ description: "Under the endpoint's settings of today." }),
  after: fate.meta({ description: "Under the draft." }),
  changed: z.boolean().describe("Whether the draft makes a difference to it."),
});
export type WhatIfRequest = z.infer<typeof whatIfRequest>;

export const whatIfTotals = z.object({
  looked: z.int().describe("Requests that were run."),
  refusedBefore: z.int().describe("Of these, refused under the settings of today."),
  refusedAfter: z.int().describe("Of these, refused under the draft."),
  changed: z.int().describe("Of these, treated differently by the draft."),
  truncated: z.boolean().meta({
    description: "There are more of the requests asked for, which would have taken too long.",
  }),
});

export const whatIfResult = z
  .object({
    requests: z.array(whatIfRequest).describe("Each request, the newest first."),
    totals: whatIfTotals.describe("All of them in numbers."),
  })
  .meta({ id: "WhatIfResult" });
export type WhatIfResult = z.infer<typeof whatIfResult>;

/** What was learned of an endpoint's payloads. */
export const learnedShape = z
  .object({
    learnedFrom: z.int().meta({ description: "Payloads that it was learned from." }),
    schema: jsonObject.meta({
      description:
        "JSON Schema 2020-12: accepts every payload that was accepted so far, and refuses one with a type that was never seen in its place or without a field that was always there. {} before the first payload.",
    }),
    mapping: mapping.meta({
      description:
        "Suggested: the inputs of the attached workflow by the names and types that were seen; without a workflow, every value that was always there.",
    }),
    notes: z.array(z.string()).meta({ description: "What the suggestion leaves open." }),
    drifted: z.int().meta({
      description: "Requests in the log whose payload was not of the shape learned before it.",
    }),
  })
  .meta({ id: "LearnedShape" });
