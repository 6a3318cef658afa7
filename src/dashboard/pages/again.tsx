import type { ReplaysBody, RetriesBody } from "../../client/bodies.ts";
import type { Jobs, Prompthook, Replays, Retries } from "../../client/prompthook.ts";
import { Badge, Facts, LinkButton, Submit } from "../components/elements.tsx";
import { Layout, PostButton, type SectionId, show } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import { Table } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { formatNumber } from "../format.ts";
import { readFilter } from "../forms/list-filter.tsx";
import { fingerprint, livePath, streamFollowed } from "../live.ts";
import { EXECUTIONS, endpointPath, REPLAYS, REQUESTS, RETRIES } from "../paths.ts";
import { filterOf, RETRIED } from "./executions/list.tsx";
import { FILTER } from "./requests/request-log.tsx";

type State = Awaited<ReturnType<Replays["get"] | Retries["get"]>>;

/** Doing many things of a list again. What is chosen is in the address: ids, or the filter of the list. */
interface Again<Body extends object, Made extends State> {
  path: string;
  section: SectionId;
  /** What is done, as a button and as a line says it. */
  verb: string;
  things: string;
  back(chosen: URLSearchParams): string;
  jobs(api: Prompthook): Jobs<Body, Made, Awaited<ReturnType<(Replays | Retries)["dryRun"]>>>;
  /** Returns null for a filter that is not valid. */
  bodyOf(chosen: URLSearchParams): Body | null;
  idOf(made: Made): string;
}

/** Serves the pages that replay requests and retry executions. */
export function serveAgain(app: Dashboard): void {
  serve(app, {
    path: REPLAYS,
    section: "webhooks",
    verb: "Replay",
    things: "requests",
    back: (chosen) => {
      const endpointId = chosen.get("endpointId");
      return endpointId ? endpointPath(endpointId, "/requests") : REQUESTS;
    },
    jobs: ({ replays }) => replays,
    bodyOf: requestsOf,
    idOf: ({ replayId }) => replayId,
  });
  serve(app, {
    path: RETRIES,
    section: "executions",
    verb: "Retry",
    things: "executions",
    back: () => EXECUTIONS,
    jobs: ({ retries }) => retries,
    bodyOf: executionsOf,
    idOf: ({ retryId }) => retryId,
  });
}

function requestsOf(chosen: URLSearchParams): ReplaysBody | null {
  const endpointId = chosen.get("endpointId");
  const requestIds = chosen.getAll("id");
  const of = endpointId ? { endpointId } : {};
  if (requestIds.length > 0) return { query: { ...of, requestIds, includeReplays: true } };
  const { query: filter } = readFilter(FILTER, chosen);
  if (filter === null) return null;
  const { eventId: _, duplicate: __, status, ...query } = filter;
  return { query: { ...query, ...of, ...(status.length > 0 && { status }) } };
}

function executionsOf(chosen: URLSearchParams): RetriesBody | null {
  const executionIds = chosen.getAll("id");
  if (executionIds.length > 0) return { query: { status: [...RETRIED], executionIds } };
  const { query: filter } = readFilter(filterOf(new Map()), chosen);
  if (filter === null) return null;
  const { q: _, origin: __, status: asked, ...query } = filter;
  const status = RETRIED.filter((one) => asked.length === 0 || asked.includes(one));
  return { query: { ...query, status } };
}

function serve<Body extends object, Made extends State>(
  app: Dashboard,
  again: Again<Body, Made>,
): void {
  const { path, verb, things, section, jobs, bodyOf } = again;
  const title = `${verb} ${things}`;
  const chosenOf = (http: Page) => new URL(http.req.url).searchParams;

  app.get(routeOf(`${path}/new`), async (http) => {
    const chosen = chosenOf(http);
    const body = bodyOf(chosen);
    if (body === null) return pageNotFound(http);
    const forecast = await jobs(http.get("api")).dryRun(body);
    const { matched, wouldStart: count, wouldBeRefused: rejected } = forecast;
    return show(
      http,
      <Layout title={title} section={section} crumb={{ label: "Back", href: again.back(chosen) }}>
        <section class="card">
          <Facts
            facts={[
              ["Match", formatNumber(matched)],
              ["Would start", formatNumber(count)],
              ["Would be skipped", formatNumber(matched - count - rejected)],
              ["Would be rejected", formatNumber(rejected)],
              ["Estimated credits", formatNumber(forecast.estimatedCredits)],
            ]}
          />
          {matched === 0 && <p>{`No ${things} match. Go back and choose others.`}</p>}
          {forecast.sample.length > 0 && (
            <Table
              label="Sample"
              rows={forecast.sample.map((one) => ({
                ...one,
                id: "requestId" in one ? one.requestId : one.executionId,
              }))}
              columns={[
                { name: "Id", cell: ({ id }) => <code>{id}</code> },
                { name: "Verdict", cell: (row) => <Badge state={row.verdict} /> },
                { name: "Reason", is: "wrap", cell: (row) => row.reason ?? "" },
              ]}
            />
          )}
          <form method="post" action={`${path}/new?${chosen}`}>
            <div class="actions">
              {count > 0 && <Submit>{`${verb} ${formatNumber(count)} ${things}`}</Submit>}
              <LinkButton href={again.back(chosen)}>Cancel</LinkButton>
            </div>
          </form>
        </section>
      </Layout>,
    );
  });

  app.post(routeOf(`${path}/new`), async (http) => {
    const body = bodyOf(chosenOf(http));
    if (body === null) return pageNotFound(http);
    const made = await jobs(http.get("api")).create(body);
    return http.redirect(`${path}/${again.idOf(made)}`, 303);
  });

  app.get(routeOf(`${path}/:jobId`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    const state = await jobs(http.get("api")).get(jobId);
    const isRunning = state.status === "running";
    const live = isRunning ? livePath(`${path}/${jobId}/live`, await fingerprint(state)) : null;
    return show(
      http,
      <Layout title={title} section={section} live={live}>
        <section class="card">
          <Facts
            facts={[
              ["Status", <Badge state={state.status} />],
              ["Started", `${formatNumber(state.started)} of ${formatNumber(state.matched)}`],
              ["Skipped", formatNumber(state.skipped)],
              ["Rejected", formatNumber(state.refused)],
            ]}
          />
          <progress max={state.matched} value={state.started + state.skipped + state.refused} />
          {isRunning && (
            <PostButton
              scope="executions:write"
              action={`${path}/${jobId}/cancel`}
              class="danger"
            >{`Cancel ${verb.toLowerCase()}`}</PostButton>
          )}
        </section>
      </Layout>,
    );
  });

  app.get(routeOf(`${path}/:jobId/live`), (http) =>
    streamFollowed(http, () => jobs(http.get("api")).get(http.req.param("jobId") ?? "")),
  );

  app.post(routeOf(`${path}/:jobId/cancel`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    await jobs(http.get("api")).cancel(jobId);
    return http.redirect(`${path}/${jobId}`, 303);
  });
}
