import * as z from "zod";
import { endpointRecord } from "../../contract/inbound/endpoint.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { selectEndpoints } from "../../records/endpoints.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { pageQuery } from "../page.ts";
import { nextCursorSchema, noParams } from "../query.ts";
import { route } from "../route.ts";
import { recordOf } from "./record.ts";
import { exampleRecord, reader, TAG, WEBHOOKS } from "./resource.ts";

/** Inboxes that are asked at once how many requests they hold. */
const ASKED_AT_ONCE = 20;

export const list = route({
  method: "GET",
  path: WEBHOOKS,
  operationId: "listEndpoints",
  tag: TAG,
  summary: "List endpoints, the newest first",
  description: "Those that were deleted are not in it.",
  guard: reader,
  params: noParams,
  query: pageQuery,
  body: noBody,
  answer: jsonAnswer(
    200,
    "One page.",
    z
      .object({
        endpoints: z.array(endpointRecord).describe("The newest first."),
        nextCursor: nextCursorSchema,
      })
      .meta({ id: "EndpointPage" }),
    { endpoints: [exampleRecord], nextCursor: null },
  ),
  errors: [],
  async handler({ http, caller: { accountId }, query: { limit, cursor } }) {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const position = after && { createdAt: after.createdAt, endpointId: after.id };
    const page = await callWithRetry(
      () => selectEndpoints(http.env.DB, accountId, position, limit),
      {
        idempotent: true,
      },
    );
    const { next } = page;
    const endpoints = await mapConcurrently(ASKED_AT_ONCE, page.endpoints, (each) =>
      recordOf(http, each),
    );
    const nextCursor = next && encodeCursor({ createdAt: next.createdAt, id: next.endpointId });
    return { value: { endpoints, nextCursor } };
  },
});
