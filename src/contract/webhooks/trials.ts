import * as z from "zod";
import { closed, listOf, open, timestamp, whole } from "../fields.ts";
import { jsonObject } from "../json.ts";
import { workflowId } from "../workflow.ts";
import { requestId } from "./log.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { stageError } from "./payload.ts";
import { matchFields, routingBody } from "./routing.ts";
import { validationBody } from "./validation.ts";

/** The body of POST /webhooks/:endpointId/what-if: a draft. A missing setting keeps its current value. */
export const whatIfBody = closed({
  validation: validationBody.optional(),
  mapping: mappingBody.optional(),
  routing: routingBody.nullish(),
  workflowId: workflowId.nullish().describe("The workflow to try."),
  last: whole(1, 200).default(50).describe("The number of newest requests to evaluate."),
}).meta({ id: "WhatIf" });

/** The outcome of a payload at one route. */
const routeFate = open({
  ...matchFields,
  errors: listOf(stageError).describe("Why the route matches and cannot start."),
  mappedInputs: jsonObject
    .nullable()
    .describe("The inputs of its workflow. Null as those of the request."),
}).meta({ id: "RouteFate" });

/** The outcome of a payload under one set of rules. */
const fate = open({
  ok: z.boolean().describe("Whether the request is accepted."),
  errors: listOf(stageError).describe("The errors that the checks found."),
  mappedInputs: jsonObject.nullable().describe("The inputs; null for none, or over 16 KiB."),
  routes: listOf(routeFate).describe("Each route in order; empty without routes."),
}).meta({ id: "Fate" });
export type Fate = z.infer<typeof fate>;

const whatIfRequest = open({
  requestId,
  receivedAt: timestamp.describe("When the request was received."),
  before: fate.describe("The outcome under the current settings."),
  after: fate.describe("The outcome under the draft."),
  changed: z.boolean().describe("Whether the outcome changes."),
});
export type WhatIfRequest = z.infer<typeof whatIfRequest>;

const whatIfTotals = open({
  looked: z.int().describe("The number of evaluated requests."),
  refusedBefore: z.int().describe("The number of requests that the current settings reject."),
  refusedAfter: z.int().describe("The number of requests that the draft rejects."),
  changed: z.int().describe("The number of requests whose outcome changes."),
  truncated: z.boolean().describe("Whether the evaluation stopped early because it took too long."),
});

export const whatIfResult = open({
  requests: listOf(whatIfRequest).describe("The requests, newest first."),
  totals: whatIfTotals.describe("The totals of all requests."),
}).meta({ id: "WhatIfResult" });
export type WhatIfResult = z.infer<typeof whatIfResult>;

/** The body of POST /webhooks/:endpointId/release. */
export const releaseBody = closed({
  dryRun: z.boolean().default(false).describe("Whether to only count what would start."),
  workflowId: workflowId.optional().describe("For a dry run: the workflow to try instead."),
  routing: routingBody.optional().describe("For a dry run: the routes to try in its place."),
  mapping: mappingBody.optional().describe("For a dry run: the mapping to try."),
})
  .superRefine(({ dryRun, ...draft }, context) => {
    if (dryRun) return;
    for (const [name, value] of Object.entries(draft)) {
      if (value === undefined) continue;
      const message = "needs `dryRun: true`; change the endpoint to use it";
      context.addIssue({ code: "custom", path: [name], message });
    }
  })
  .meta({ id: "ReleaseRequest" });

export const releaseAccepted = open({
  held: z.int().describe("The number of held requests that are being released."),
}).meta({ id: "ReleaseAccepted" });

/** What releasing held requests would do. */
export const releaseTrial = open({
  held: z.int().describe("The number of held requests."),
  looked: z.int().describe("The number of requests that were tried."),
  wouldStart: z.int().describe("How many can be mapped and would start."),
  wouldStayHeld: z.int().describe("How many cannot be mapped and would stay held."),
  wouldBeUnrouted: z.int().describe("How many no route matches."),
  sample: listOf(
    open({ requestId, errors: listOf(stageError).describe("Why it stays held.") }),
  ).describe("The first requests that would stay held, at most five."),
  truncated: z.boolean().describe("Whether the trial stopped before the last one."),
}).meta({ id: "ReleaseTrial" });
export type ReleaseTrial = z.infer<typeof releaseTrial>;

/** The shape that was learned from an endpoint's payloads. */
export const learnedShape = open({
  learnedFrom: z.int().describe("The payloads that it was learned from."),
  schema: jsonObject.describe(
    "A JSON Schema (2020-12) that accepts all payloads so far. It rejects a payload that has a value of a new type, or lacks a field that all others have. `{}` before the first payload.",
  ),
  mapping: mapping.describe("A suggestion, which starts from the saved mapping."),
  notes: listOf(z.string()).describe("Questions that the suggestion leaves open."),
  drifted: z.int().describe("How many logged requests differed from the learned shape."),
}).meta({ id: "LearnedShape" });
