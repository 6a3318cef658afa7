import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { Histogram } from "../../components/bar-chart.tsx";
import { LinkButton } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { serveFilteredList } from "../../components/list-page.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { field, moment } from "../../forms/form.ts";
import { searchWith } from "../../forms/list-filter.tsx";
import { endpointNames, newest } from "../../lookups.ts";
import { endpointPath, REQUESTS, requestPath, WEBHOOKS } from "../../paths.ts";
import { currentHour, type RangeId, usageQueryOf } from "../overview/load.ts";
import { RangeSwitch, requestsData } from "../overview/overview-page.tsx";
import { nameOf } from "./labels.ts";
import { shownReplay } from "./replay.tsx";
import { loggedOf } from "./request-body.tsx";
import {
  AGAIN,
  FILTER,
  LOG,
  nameColumn,
  queryOf,
  RECEIVED,
  REQUEST_COLUMNS,
  STATUS,
} from "./request-log.tsx";
import { RequestParts } from "./request-page.tsx";

/** What the log of all endpoints shows besides its rows. */
type Around = Awaited<ReturnType<typeof aroundOf>>;

/** Returns the address of this page with other values in its query. */
const addressWith = (...query: Parameters<typeof searchWith>) => REQUESTS + searchWith(...query);

/** The first page of a list up to now. */
const NEWEST = { receivedBefore: null, cursor: null };

const besides = (search: URLSearchParams, { endpointId, requestId }: LogEntry): string =>
  addressWith(search, { show: `${endpointId}/${requestId}` });

async function aroundOf(http: Page, rows: readonly LogEntry[]) {
  const api = http.get("api");
  const search = new URL(http.req.url).searchParams;
  const [endpointId, requestId] = search.get("show")?.split("/") ?? [];
  const isChosen = endpointId !== undefined && requestId !== undefined;
  const [endpoints, usage, logged] = await Promise.all([
    newest(api.webhooks.all()),
    api.webhooks.allUsage(usageQueryOf(rangeOf(search), Date.now())),
    isChosen ? loggedOf(http, endpointId, requestId) : null,
  ]);
  const at = rows.findIndex((row) => row.requestId === requestId);
  // Beside the list, with those before and after it.
  const chosen = logged && {
    logged,
    newer: rows[at - 1],
    older: at < 0 ? undefined : rows[at + 1],
  };
  return { endpoints, usage, search, chosen };
}

/** Returns the shortest range of the histogram that has the chosen time. */
function rangeOf(search: URLSearchParams): RangeId {
  const after = moment.safeParse(search.get("receivedAfter"));
  const days = after.success ? (Date.now() - Date.parse(after.data)) / 86_400_000 : 0;
  if (days <= 1) return "24h";
  return days <= 7 ? "7d" : "30d";
}

/** Serves the requests of all endpoints over time, and the chosen one beside the list. */
export function serveAllRequests(app: Dashboard): void {
  serveFilteredList(app, {
    ...LOG,
    section: "requests",
    seen: (page) => [LOG.seen(page), currentHour()],
    filter: (around: Around | null) => ({
      ...FILTER,
      fields: {
        ...FILTER.fields,
        endpointId: field.select("Endpoint", {
          "": "All endpoints",
          ...Object.fromEntries(endpointNames(around?.endpoints ?? [])),
        }),
      },
    }),
    load: (api, typed) =>
      api.webhooks.search({
        ...queryOf(typed),
        ...(typed.endpointId !== undefined && { endpointId: [typed.endpointId] }),
      }),
    around: aroundOf,
    columns: ({ endpoints, search, chosen }) => {
      const names = endpointNames(endpoints);
      const [, , ...others] = REQUEST_COLUMNS;
      const first = [
        STATUS,
        nameColumn((entry) => besides(search, entry), chosen?.logged.entry.requestId),
      ];
      if (chosen !== null) return [...first, RECEIVED];
      const endpoint = ({ endpointId }: LogEntry) => names.get(endpointId) ?? endpointId;
      return [...first, { name: "Endpoint", is: "name", cell: endpoint }, ...others];
    },
    again: { ...AGAIN, filters: [...AGAIN.filters, "endpointId"] },
    empty: {
      title: "No requests yet",
      text: "Every webhook that an endpoint receives appears here, accepted or rejected.",
      button: <LinkButton href={WEBHOOKS}>View endpoints</LinkButton>,
    },
    frame: ({ around, live, content }) => (
      <Layout title="Requests" section="requests" live={live}>
        <Histogram
          title="Requests by outcome"
          data={requestsData(around.usage)}
          hrefOf={(from, to) =>
            addressWith(around.search, { ...NEWEST, receivedAfter: from, receivedBefore: to })
          }
        >
          <RangeSwitch
            range={rangeOf(around.search)}
            hrefOf={(id) => {
              const { from } = usageQueryOf(id, Date.now());
              const receivedAfter = from?.slice(0, 19) ?? null;
              return addressWith(around.search, { ...NEWEST, receivedAfter });
            }}
          />
        </Histogram>
        <div {...(around.chosen && { class: "split" })}>
          {content}
          <Beside around={around} />
        </div>
      </Layout>
    ),
  });
}

function Beside({ around: { search, chosen } }: { around: Around }) {
  if (chosen === null) return null;
  const { logged, newer, older } = chosen;
  const { entry, endpoint, body } = logged;
  return (
    <section class="beside" aria-labelledby="chosen">
      <div class="section-head">
        <h2 id="chosen">
          <a href={requestPath(entry.endpointId, entry.requestId)}>{nameOf(entry)}</a>
        </h2>
        <div class="actions">
          {newer && <LinkButton href={besides(search, newer)}>Newer</LinkButton>}
          {older && <LinkButton href={besides(search, older)}>Older</LinkButton>}
          <LinkButton href={addressWith(search, { show: null })}>Close</LinkButton>
        </div>
      </div>
      <p class="muted">
        {"Received by "}
        <a href={endpointPath(entry.endpointId)}>{endpoint.name}</a>
      </p>
      <RequestParts logged={logged} state={shownReplay(body)} />
    </section>
  );
}
