import * as z from "zod";
import { caseRecord } from "../../contract/webhooks/case.ts";
import { endpointId } from "../../contract/webhooks/endpoint.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { invalidCursor, listQuery, listRoute } from "../list.ts";
import { EXAMPLE_ENDPOINT_ID, EXAMPLE_REQUEST_ID, existingEndpoint, reader } from "./resource.ts";

const EXECUTION_ID = "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42";

/** The routes of an endpoint's cases. */
export const caseRoutes = [
  listRoute("/api/v1/cases", {
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
    example: {
      endpointId: EXAMPLE_ENDPOINT_ID,
      route: "pull requests",
      key: "acme/shop/7",
      onEvent: "message",
      executionId: EXECUTION_ID,
      waiting: 0,
      updatedAt: "2026-11-20T09:30:00.000Z",
      timeline: [
        {
          type: "event",
          at: "2026-11-20T09:30:00.000Z",
          requestId: EXAMPLE_REQUEST_ID,
          eventType: "pull_request",
          status: "running",
          executionId: EXECUTION_ID,
        },
        {
          type: "execution.started",
          at: "2026-11-20T09:30:00.024Z",
          executionId: EXECUTION_ID,
        },
      ],
      truncated: false,
    },
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
  }),
];
