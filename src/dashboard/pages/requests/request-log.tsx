import * as z from "zod";
import {
  type LogEntry,
  type logPage,
  requestStatus,
  searchedText,
} from "../../../contract/webhooks/log.ts";
import { Copyable, LinkButton } from "../../components/elements.tsx";
import { fieldColumns, serveFilteredList } from "../../components/list-page.tsx";
import { type Dashboard, endpointIdOf } from "../../context.ts";
import { type Form, moment } from "../../forms/form.ts";
import { endpointPath, REPLAYS, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { gistOf } from "./labels.ts";
import { REQUEST_COLUMNS, shownOf } from "./request-table.tsx";

/** The filters of a request log; an endpoint's own log has no choice of endpoints. */
export const FILTER = {
  schema: z.object({
    q: searchedText.exactOptional(),
    eventType: z.string().max(1_000).exactOptional(),
    eventId: z.string().max(1_000).exactOptional(),
    endpointId: z.string().max(100).exactOptional(),
    status: z.array(requestStatus),
    duplicate: z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .exactOptional(),
    receivedAfter: moment.exactOptional(),
    receivedBefore: moment.exactOptional(),
  }),
  fields: {
    q: { kind: "line", label: "Search payloads" },
    eventType: { kind: "line", label: "Event type" },
    eventId: { kind: "line", label: "Event id" },
    status: {
      kind: "choices",
      label: "Status",
      options: {
        succeeded: "Succeeded",
        running: "Running",
        queued: "Held or queued",
        failed: "Failed",
        rejected: "Rejected",
        duplicate: "Duplicate",
      },
    },
    duplicate: {
      kind: "select",
      label: "Duplicates",
      options: { "": "Include duplicates", false: "Exclude duplicates", true: "Only duplicates" },
    },
    receivedAfter: { kind: "moment", label: "Received after (UTC)" },
    receivedBefore: { kind: "moment", label: "Received before (UTC)" },
  },
} satisfies Form;

type LogPage = z.output<typeof logPage>;

/** What the log of an endpoint and that of all endpoints have in common. */
export const LOG = {
  title: "Requests",
  search: "q",
  rowsOf: ({ requests }: LogPage) => requests,
  seen: ({ requests }: LogPage) => shownOf(requests),
  idOf: ({ requestId }: LogEntry) => `row-${requestId}`,
  csv: {
    ...fieldColumns("requestId", "receivedAt", "status", "httpStatus"),
    ...fieldColumns("eventType", "eventId", "executionId"),
    reason: gistOf,
    ...fieldColumns("endpointId"),
  },
};

/** How requests are replayed. */
export const AGAIN = {
  scope: "executions:write",
  path: REPLAYS,
  verb: "Replay",
  idOf: ({ requestId }: LogEntry) => requestId,
  filters: ["q", "eventType", "status", "receivedAfter", "receivedBefore"],
} as const;

type Typed = z.output<typeof FILTER.schema>;
/** Returns the query of the API for what was typed. */
export const queryOf = ({ q, endpointId: _, ...query }: Typed) => ({
  ...query,
  ...(q !== undefined && { text: q }),
});

/** Serves the request log of an endpoint. */
export function serveRequestLog(app: Dashboard): void {
  serveFilteredList(app, {
    ...LOG,
    section: "webhooks",
    path: `${WEBHOOKS}/:endpointId/requests`,
    filter: () => FILTER,
    load: (api, typed, http) => api.webhooks.requests(endpointIdOf(http), queryOf(typed)),
    around: (http) => http.get("api").webhooks.get(endpointIdOf(http)),
    columns: REQUEST_COLUMNS,
    again: { ...AGAIN, param: "endpointId" },
    empty: ({ endpointId, url }) => ({
      title: "No requests yet",
      text: "Give the sender this URL, or send a test event. It appears here.",
      button: (
        <>
          <Copyable id="endpoint-url" label="URL" text={url} />
          <LinkButton href={endpointPath(endpointId, "/try")}>Send test event</LinkButton>
        </>
      ),
    }),
    frame: ({ around: endpoint, live, content }) => (
      <EndpointPage endpoint={endpoint} tab="requests" live={live}>
        {content}
      </EndpointPage>
    ),
  });
}
