import * as z from "zod";
import { closed } from "../closed.ts";
import { jsonObject } from "../json.ts";
import { validationBody } from "./endpoint.ts";
import { requestId } from "./log.ts";
import { mappingBody } from "./mapping.ts";
import { stageError } from "./payload.ts";

/** The body of POST /webhooks/:endpointId/what-if: a draft; what it leaves out stays as it is. */
export const whatIfBody = closed({
  validation: validationBody.optional(),
  mapping: mappingBody.optional(),
  /** How many of the newest requests are looked at. */
  last: z.int().min(1).max(200).default(50),
}).meta({ id: "WhatIf" });

/** How a payload fares under some settings. */
export const fate = z
  .object({
    ok: z.boolean(),
    errors: z.array(stageError),
    mappedInputs: jsonObject.nullable().meta({
      description: "Null where it is refused, without a workflow, and beyond 16 KiB.",
    }),
  })
  .meta({ id: "Fate" });
export type Fate = z.infer<typeof fate>;

export const whatIfRequest = z.object({
  requestId,
  receivedAt: z.iso.datetime({ precision: 3 }),
  before: fate.meta({ description: "Under the endpoint's settings of today." }),
  after: fate.meta({ description: "Under the draft." }),
  changed: z.boolean(),
});
export type WhatIfRequest = z.infer<typeof whatIfRequest>;

export const whatIfTotals = z.object({
  looked: z.int(),
  refusedBefore: z.int(),
  refusedAfter: z.int(),
  changed: z.int(),
  truncated: z.boolean().meta({
    description: "There are more of the requests asked for, which would have taken too long.",
  }),
});

export const whatIfResult = z
  .object({ requests: z.array(whatIfRequest), totals: whatIfTotals })
  .meta({ id: "WhatIfResult" });
export type WhatIfResult = z.infer<typeof whatIfResult>;
