import * as z from "zod";
import { caseRecord } from "../../contract/webhooks/case.ts";
import { endpointId } from "../../contract/webhooks/endpoint.ts";
import type { LogPosition, LogQuery } from "../../contract/webhooks/inbox.ts";
import { logEntry, requestStatus, searchedText } from "../../contract/webhooks/log.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { mergedPage, wholeEntry } from "../../endpoints/log-reader.ts";
import { mapConcurrently } from "../../lib/async.ts";
import type { Position } from "../../lib/pages.ts";
import { endpointIdsOf } from "../../records/endpoints.ts";
import type { Http } from "../context.ts";
import { invalidCursor, listQuery, listRoute } from "../list.ts";
import { idList, listOf, moment } from "../params.ts";
import { callWithRetry, foundOr404, notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { existingEndpoint, reader, WEBHOOKS } from "./resource.ts";

/** The filters of a request log. */
const filters = {
  status: listOf(requestStatus),
  duplicate: z.enum(["true", "false"]).optional().describe("Only repeated events, or all others."),
  eventId: z.string().min(1).max(1_000).optional().describe("Only requests with this event id."),
  eventType: z.string().min(1).max(1_000).optional().describe("Only events of this type."),
  text: searchedText
    .optional()
    .describe("Only requests with this text, in any case, in the first 64 KiB of the payload."),
  receivedAfter: moment.optional().describe("Only requests received after this time."),
  receivedBefore: moment.optional().describe("Only requests received before this time."),
};

type Filters = {
  [Name in keyof typeof filters]?: z.output<(typeof filters)[Name]> | undefined;
};

/** Returns the query of a log with these filters: at most `limit` entries after a place. */
export function logQueryOf(query: Filters, limit: number, cursor: LogPosition | null): LogQuery {
  return {
    limit,
    cursor,
    statuses: query.status ?? [],
    duplicate: query.duplicate === undefined ? null : query.duplicate === "true",
    receivedAfter: query.receivedAfter ?? null,
    receivedBefore: query.receivedBefore ?? null,
    eventId: query.eventId ?? null,
    eventType: query.eventType ?? null,
    text: query.text ?? null,
  };
}

const positionOf = (after: Position | null): LogPosition | null =>
  after && { receivedAt: after.createdAt, requestId: after.id };

const list = listRoute(`${WEBHOOKS}/:endpointId/requests`, {
  operationId: "listWebhookRequests",
  summary: "List the requests of an endpoint",
  description:
    "Returns the requests that the endpoint received, newest first, whether it accepted or rejected them. Long bodies are cut and long inputs left out; get the request to read them in full.",
  auth: reader,
  query: listQuery(filters),
  items: "requests",
  page: "InboundRequestPage",
  item: logEntry,
  async read({ http, caller: { accountId }, params: { endpointId }, query }, after) {
    await existingEndpoint(http, accountId, endpointId);
    const page = await callWithRetry(() =>
      inboxStub(http.env, endpointId).list(logQueryOf(query, query.limit, positionOf(after))),
    );
    const { entries, next } = page;
    return { items: entries, next: next && { createdAt: next.receivedAt, id: next.requestId } };
  },
});

/** Endpoints that are asked at the same time. */
const AT_ONCE = 50;

const search = listRoute("/api/v1/webhook-requests", {
  operationId: "searchWebhookRequests",
  summary: "Search the requests of all endpoints",
  description:
    "Returns the requests that all endpoints of the account received, newest first. A page can have fewer requests than `limit`, or none, although `nextCursor` is set: then the search continues there. Long bodies are cut and long inputs left out.",
  auth: reader,
  query: listQuery({
    ...filters,
    endpointId: idList.describe("Only these endpoints, repeated or separated by commas."),
  }),
  items: "requests",
  page: "FoundRequestPage",
  item: logEntry,
  problems: ["not_found"],
  async read({ http: { env }, caller: { accountId, endpointIds }, query }, after) {
    const all = endpointIds ?? (await callWithRetry(() => endpointIdsOf(env.DB, accountId)));
    const asked = query.endpointId ?? all;
    if (asked.some((endpointId) => !all.includes(endpointId))) throw notFound();
    const logQuery = logQueryOf(query, query.limit, positionOf(after));
    const pages = await mapConcurrently(AT_ONCE, [...new Set(asked)], async (endpointId) => {
      const find = () => inboxStub(env, endpointId).find(logQuery);
      return { endpointId, ...(await callWithRetry(find)) };
    });
    const { positions, next } = mergedPage(pages, query.limit);
    const byEndpoint = Map.groupBy(positions, ({ endpointId }) => endpointId);
    const entries = await mapConcurrently(AT_ONCE, [...byEndpoint], ([endpointId, found]) =>
      callWithRetry(() =>
        inboxStub(env, endpointId).entries(found.map(({ requestId }) => requestId)),
      ),
    );
    const byId = new Map(entries.flat().map((entry) => [entry.requestId, entry]));
    return {
      items: positions.flatMap(({ requestId: id }) => byId.get(id) ?? []),
      next: next && { createdAt: next.receivedAt, id: next.requestId },
    };
  },
});

const get = route("GET", `${WEBHOOKS}/:endpointId/requests/:requestId`, {
  operationId: "getWebhookRequest",
  summary: "Get a request",
  description: "Returns a whole request, with the state of its execution at most two seconds old.",
  auth: reader,
  response: jsonResponse(200, "The request.", logEntry),
  async handler({ http, caller: { accountId }, params: { endpointId, requestId: id } }) {
    await existingEndpoint(http, accountId, endpointId);
    return { value: wholeEntry(await loggedRequest(http, endpointId, id)) };
  },
});

/** Returns a request in the log of an endpoint, or throws a 404. */
export async function loggedRequest({ env }: Pick<Http, "env">, endpointId: string, id: string) {
  return foundOr404(await callWithRetry(() => inboxStub(env, endpointId).entry(id)));
}

const cases = listRoute("/api/v1/cases", {
  operationId: "listCases",
  summary: "List cases",
  description:
    "Returns the cases of an endpoint's routes with a `key`, the newest case first: for each key the newest events that arrived and the executions that got them, in one timeline. Filtered by `key`, the pages go back through all events: a case comes again with its earlier ones.",
  auth: reader,
  query: listQuery({
    endpointId: endpointId.describe("The endpoint that receives the events."),
    key: z.string().min(1).max(1_000).optional().describe("Only cases with this key."),
    route: z.string().min(1).max(100).optional().describe("Only cases of this route."),
  }),
  items: "cases",
  page: "CasePage",
  item: caseRecord,
  problems: ["not_found"],
  async read({ http, caller: { accountId }, query }, after) {
    await existingEndpoint(http, accountId, query.endpointId);
    // A cursor of one kind of page means nothing to the other.
    const id = query.key === undefined ? "case" : "event";
    if (after !== null && (after.id === "event") !== (id === "event")) throw invalidCursor();
    const { cases, next } = await callWithRetry(() =>
      inboxStub(http.env, query.endpointId).cases({
        key: query.key ?? null,
        route: query.route ?? null,
        before: after === null ? null : after.createdAt,
        limit: query.limit,
      }),
    );
    return { items: cases, next: next === null ? null : { createdAt: next, id } };
  },
});

export const requestRoutes = [search, list, get, cases];
