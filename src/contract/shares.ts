import * as z from "zod";
import { executionId } from "./execution.ts";
import { closed, exactlyOne, open, timestamp, together, whole } from "./fields.ts";
import { endpointId } from "./webhooks/endpoint.ts";
import { requestId } from "./webhooks/log.ts";

/** The beginning of a share's id, by which it differs from an API key. */
export const SHARE_PREFIX = "shr_";

const DAY_SECONDS = 86_400;
const EITHER = "must have either `executionId`, or `endpointId` and `requestId`";

/** The body of POST /shares. */
export const createShareBody = closed({
  executionId: executionId.optional().describe("An execution that has ended, to share its result."),
  endpointId: endpointId.optional().describe("The endpoint that received `requestId`."),
  requestId: requestId.optional().describe("A logged request to share."),
  expiresInSeconds: whole(60, 30 * DAY_SECONDS)
    .default(7 * DAY_SECONDS)
    .describe("How long the link works: 7 days by default, at most 30."),
})
  .apply(exactlyOne(["executionId", "requestId"], EITHER))
  .apply(together(["endpointId", "requestId"], "must be set together with `requestId`"))
  .meta({ id: "CreateShare" });

/** A link to one result or one request. */
export const shareRecord = open({
  shareId: z.string().describe("The id of the share."),
  url: z.string().describe("The link. Anyone who has it can read what is shared."),
  executionId: executionId.nullable().describe("The execution whose result it shows, or null."),
  endpointId: z.string().nullable().describe("The endpoint of the request, or null."),
  requestId: requestId.nullable().describe("The request that it shows, or null."),
  createdAt: timestamp.describe("When it was created."),
  expiresAt: timestamp.describe("When it expires."),
}).meta({ id: "Share" });
export type ShareRecord = z.infer<typeof shareRecord>;
