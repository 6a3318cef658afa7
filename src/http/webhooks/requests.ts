import * as z from "zod";
import { closed } from "../../contract/fields.ts";
import { logPage, requestStatus } from "../../contract/inbound/log.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { cursor, limit, listOf, moment } from "../query.ts";
import { route } from "../route.ts";
import { exampleEntry } from "./example-entry.ts";
import { endpointParams, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

const query = closed({
  limit,
  cursor,
  status: listOf(requestStatus),
  duplicate: z
    .enum(["true", "false"])
    .optional()
    .describe("Only those whose event came before, or only those whose event did not."),
  receivedAfter: moment.optional().describe("Only what came after this moment."),
  receivedBefore: moment.optional().describe("Only what came before this moment."),
});

/** The log of an endpoint. */
export const requests = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId/requests`,
  operationId: "listWebhookRequests",
  tag: TAG,
  summary: "List the requests that an endpoint got, the newest first",
  description:
    "Accepted and refused alike. Long bodies are cut here, and long inputs left out; the entry itself has them whole.",
  guard: reader,
  params: endpointParams,
  query,
  body: noBody,
  answer: jsonAnswer(200, "One page.", logPage, { requests: [exampleEntry], nextCursor: null }),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId }, query }) {
    await existing(http, accountId, endpointId);
    const position = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const filter = {
      limit: query.limit,
      cursor: position && { receivedAt: position.createdAt, requestId: position.id },
      statuses: query.status,
      duplicate: query.duplicate === undefined ? null : query.duplicate === "true",
      receivedAfter: query.receivedAfter ?? null,
      receivedBefore: query.receivedBefore ?? null,
    };
    const { entries, next } = await callWithRetry(
      () => inboxStub(http.env, endpointId).list(filter),
      {
        idempotent: true,
      },
    );
    const nextCursor = next && encodeCursor({ createdAt: next.receivedAt, id: next.requestId });
    return { value: { requests: entries, nextCursor } };
  },
});
