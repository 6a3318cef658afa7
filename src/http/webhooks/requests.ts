import * as z from "zod";
import type { LoggedRequest } from "../../contract/inbound/inbox.ts";
import {
  type Difference,
  type LogEntry,
  logEntry,
  requestId,
  requestStatus,
} from "../../contract/inbound/log.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { differencesOf } from "../../inbound/differences.ts";
import { wholeEntry } from "../../inbound/inbox/log-reader.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { listQuery, listRoute } from "../list.ts";
import { notFound } from "../problem.ts";
import { listOf, moment, noQuery } from "../query.ts";
import { jsonResponse, route } from "../route.ts";
import {
  EXAMPLE_ENDPOINT_ID,
  EXAMPLE_REQUEST_ID,
  endpointParams,
  existingEndpoint,
  reader,
  WEBHOOKS,
} from "./resource.ts";

export const requestParams = endpointParams.extend({ requestId });

const example: LogEntry = {
  requestId: EXAMPLE_REQUEST_ID,
  endpointId: EXAMPLE_ENDPOINT_ID,
  method: "POST",
  path: `/hooks/${EXAMPLE_ENDPOINT_ID}`,
  query: {},
  headers: { "content-type": "application/json", "x-webhook-token": "[redacted]" },
  body: '{"id":"evt_1","type":"order.paid","order":{"id":1007,"total":12.5}}',
  bodyTruncated: false,
  sourceIp: "203.0.113.7",
  receivedAt: "2026-11-20T09:30:00.000Z",
  status: "succeeded",
  httpStatus: 202,
  errors: [],
  warnings: [],
  diagnosis: [],
  eventId: "evt_1",
  eventIdSource: { rule: "endpoint", in: "body", path: "id" },
  eventType: "order.paid",
  duplicate: false,
  duplicateOf: null,
  differences: null,
  executionId: "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42",
  replayOf: null,
  edited: false,
  drifted: false,
  latencyMs: { toStart: 24, toCompletion: 2_310 },
  mappedInputs: { orderId: "1007", domain: "example.com" },
  routes: [],
};

const list = listRoute({
  path: `${WEBHOOKS}/:endpointId/requests`,
  operationId: "listWebhookRequests",
  tag: "Webhooks",
  summary: "List the requests of an endpoint",
  description:
    "Returns the requests that the endpoint received, newest first, whether it accepted or rejected them. Long bodies are cut and long inputs left out; get the request to read them in full.",
  auth: reader,
  params: endpointParams,
  query: listQuery({
    status: listOf(requestStatus),
    duplicate: z
      .enum(["true", "false"])
      .optional()
      .describe("`true` for repeated events only, `false` for all others."),
    receivedAfter: moment.optional().describe("Only requests received after this time."),
    receivedBefore: moment.optional().describe("Only requests received before this time."),
  }),
  items: "requests",
  page: "InboundRequestPage",
  item: logEntry,
  example,
  problems: ["not_found"],
  async read({ http, caller: { accountId }, params: { endpointId }, query }, after) {
    await existingEndpoint(http, accountId, endpointId);
    const filter = {
      limit: query.limit,
      cursor: after && { receivedAt: after.createdAt, requestId: after.id },
      statuses: query.status,
      duplicate: query.duplicate === undefined ? null : query.duplicate === "true",
      receivedAfter: query.receivedAfter ?? null,
      receivedBefore: query.receivedBefore ?? null,
    };
    const { entries, next } = await callWithRetry(
      () => inboxStub(http.env, endpointId).list(filter),
      { idempotent: true },
    );
    return { items: entries, next: next && { createdAt: next.receivedAt, id: next.requestId } };
  },
});

const get = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId/requests/:requestId`,
  operationId: "getWebhookRequest",
  tag: "Webhooks",
  summary: "Get a request",
  description:
    "Returns a logged request with its whole body, its errors, the inputs of the workflow and the state of its execution, at most two seconds old.",
  auth: reader,
  params: requestParams,
  query: noQuery,
  body: noBody,
  response: jsonResponse(200, "The request.", logEntry, example),
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId, requestId: id } }) {
    await existingEndpoint(http, accountId, endpointId);
    const logged = await loggedRequest(http, endpointId, id);
    const differences = await differencesFromFirst(http, logged);
    return { value: { ...wholeEntry(logged), differences } };
  },
});

/** Returns how a duplicate differs from the first request; null where that cannot be known. */
async function differencesFromFirst(
  { env }: Http,
  { entry: { endpointId, duplicateOf }, request }: LoggedRequest,
): Promise<Difference[] | null> {
  if (duplicateOf === null) return null;
  const first = await callWithRetry(() => inboxStub(env, endpointId).entry(duplicateOf), {
    idempotent: true,
  });
  return first === null ? null : await differencesOf(first.request, request);
}

/** Returns a request in the log of an endpoint, or throws a 404. */
export async function loggedRequest(
  { env }: Http,
  endpointId: string,
  id: string,
): Promise<LoggedRequest> {
  const logged = await callWithRetry(() => inboxStub(env, endpointId).entry(id), {
    idempotent: true,
  });
  if (logged === null) throw notFound();
  return logged;
}

export const requestRoutes = [list, get];
