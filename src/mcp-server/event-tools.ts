import * as z from "zod";
import { closed } from "../contract/fields.ts";
import { caseRecord } from "../contract/webhooks/case.ts";
import { endpointId as endpointIdSchema, endpointRecord } from "../contract/webhooks/endpoint.ts";
import { nextCursor, PAGE, READ } from "./fields.ts";
import { tool } from "./tool.ts";

const endpointId = endpointIdSchema.describe("The endpointId that list_endpoints returned.");

/** The part of an endpoint that says what its events start. */
const shownEndpoint = endpointRecord
  .pick({ endpointId: true, name: true, url: true, enabled: true, workflowId: true })
  .extend({
    routes: z
      .array(z.object({ name: z.string(), workflowId: z.string() }))
      .describe("Its routes; empty for an endpoint with one workflow."),
  });

const listEndpoints = tool({
  name: "list_endpoints",
  title: "List webhook endpoints",
  description:
    "Lists the account's webhook endpoints, newest first, with the workflow or the routes that their events start.",
  input: closed(PAGE),
  output: z.object({ endpoints: z.array(shownEndpoint), nextCursor }),
  annotations: READ,
  async run(query, call) {
    const { endpoints, nextCursor: next } = await call.api.webhooks.list(query, call);
    const shown = endpoints.map(({ routing, ...endpoint }) =>
      shownEndpoint.parse({ ...endpoint, routes: routing?.routes ?? [] }),
    );
    return { endpoints: shown, nextCursor: next };
  },
});

const listCases = tool({
  name: "list_cases",
  title: "List cases",
  description:
    "Lists the cases of a webhook endpoint, the newest first. A case holds the events that share a key, such as all events of one pull request, and the executions that got them, in one timeline.",
  input: closed({
    endpointId,
    key: z.exactOptional(z.string().min(1).max(1_000).describe("Only cases with this key.")),
    ...PAGE,
  }),
  output: z.object({ cases: z.array(caseRecord), nextCursor }),
  annotations: READ,
  run: ({ endpointId: id, ...query }, call) => call.api.webhooks.cases(id, query, call),
});

/** Tools that show what webhooks start. */
export const EVENT_TOOLS = [listEndpoints, listCases];
