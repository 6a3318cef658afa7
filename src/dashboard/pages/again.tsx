import type { Jobs, Replays, Retries } from "../../client/account.ts";
import type { ReplaysBody, RetriesBody } from "../../client/bodies.ts";
import type { Prompthook } from "../../client/prompthook.ts";
import { requestStatus } from "../../contract/webhooks/log.ts";
import { Facts, LinkButton, Submit } from "../components/elements.tsx";
import { IfMay, Layout, type SectionId, show } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import { Table } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { formatNumber } from "../format.ts";
import { moment } from "../forms/form.ts";
import { livePath, streamChanges } from "../live.ts";
import { EXECUTIONS, endpointPath, REPLAYS, RETRIES, WEBHOOKS } from "../paths.ts";

type State = Awaited<ReturnType<Replays["get"] | Retries["get"]>>;

/** Doing many things of a list again. What is chosen is in the address: ids, or the filter of the list. */
interface Again<Body extends object, Made extends State> {
  path: string;
  section: SectionId;
  title: string;
  /** What is done, as a button and as a line says it. */
  verb: string;
  things: string;
  back(chosen: URLSearchParams): string;
  jobs(api: Prompthook): Jobs<Body, Made, Awaited<ReturnType<(Replays | Retries)["dryRun"]>>>;
  bodyOf(chosen: URLSearchParams): Body;
  idOf(made: Made): string;
}

/** Serves the pages that replay requests and retry executions. */
export function serveAgain(app: Dashboard): void {
  serve(app, {
    path: REPLAYS,
    section: "webhooks",
    title: "Replay requests",
    verb: "Replay",
    things: "requests",
    back: (chosen) => {
      const endpointId = chosen.get("endpointId");
      return endpointId === null ? WEBHOOKS : endpointPath(endpointId, "/requests");
    },
    jobs: ({ replays }) => replays,
    bodyOf: requestsOf,
    idOf: ({ replayId }) => replayId,
  });
  serve(app, {
    path: RETRIES,
    section: "executions",
    title: "Retry executions",
    verb: "Retry",
    things: "executions",
    back: () => EXECUTIONS,
    jobs: ({ retries }) => retries,
    bodyOf: executionsOf,
    idOf: ({ retryId }) => retryId,
  });
}

function requestsOf(chosen: URLSearchParams): ReplaysBody {
  const endpointId = chosen.get("endpointId") ?? "";
  const requestIds = chosen.getAll("id");
  if (requestIds.length > 0) return { query: { endpointId, requestIds, includeReplays: true } };
  const status = requestStatus.options.filter((one) => chosen.getAll("status").includes(one));
  const [eventType, q] = [chosen.get("eventType"), chosen.get("q")];
  return {
    query: {
      endpointId,
      ...(status.length > 0 && { status }),
      ...(eventType && { eventType }),
      ...(q && { q }),
      ...times(chosen, "receivedAfter", "receivedBefore"),
    },
  };
}

function executionsOf(chosen: URLSearchParams): RetriesBody {
  const executionIds = chosen.getAll("id");
  const asked = chosen.getAll("status");
  const both = ["failed", "stopped"] as const;
  const status = both.filter((one) => asked.length === 0 || asked.includes(one));
  const workflowId = chosen.get("workflowId");
  if (executionIds.length > 0) return { query: { status: [...both], executionIds } };
  return {
    query: {
      status,
      ...(workflowId && { workflowId }),
      ...times(chosen, "createdAfter", "createdBefore"),
    },
  };
}

/** Returns the times of a filter as the API takes them. */
function times<Name extends string>(
  chosen: URLSearchParams,
  ...names: Name[]
): { [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const time = moment.safeParse(chosen.get(name));
    if (time.success) found[name] = time.data;
  }
  return found;
}

function serve<Body extends object, Made extends State>(
  app: Dashboard,
  again: Again<Body, Made>,
): void {
  const { path, verb, things, title, section, jobs, bodyOf } = again;
  const chosenOf = (http: Page) => new URL(http.req.url).searchParams;

  app.get(routeOf(`${path}/new`), async (http) => {
    const chosen = chosenOf(http);
    const forecast = await jobs(http.get("api")).dryRun(bodyOf(chosen));
    const count = forecast.wouldStart;
    return show(
      http,
      <Layout title={title} section={section} crumb={{ label: "Back", href: again.back(chosen) }}>
        <section class="card">
          <Facts
            facts={[
              ["Match", formatNumber(forecast.matched)],
              ["Would start", formatNumber(count)],
              ["Would be refused", formatNumber(forecast.wouldBeRefused)],
              ["Estimated credits", formatNumber(forecast.estimatedCredits)],
            ]}
          />
          {forecast.sample.length > 0 && (
            <Table
              label="Sample"
              rows={forecast.sample.map(({ verdict, reason }) => ({ verdict, reason }))}
              columns={[
                { name: "Verdict", cell: (row) => row.verdict },
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
    const made = await jobs(http.get("api")).create(bodyOf(chosenOf(http)));
    return http.redirect(`${path}/${again.idOf(made)}`, 303);
  });

  app.get(routeOf(`${path}/:jobId`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    const state = await jobs(http.get("api")).get(jobId);
    const isRunning = state.status === "running";
    const live = isRunning ? livePath(`${path}/${jobId}/live`, seenOf(state)) : null;
    return show(
      http,
      <Layout title={title} section={section} live={live}>
        <section class="card">
          <Facts
            facts={[
              ["Status", state.status],
              ["Started", `${formatNumber(state.started)} of ${formatNumber(state.matched)}`],
              ["Skipped", formatNumber(state.skipped)],
              ["Refused", formatNumber(state.refused)],
            ]}
          />
          <progress max={state.matched} value={state.started + state.skipped + state.refused} />
          {isRunning && (
            <IfMay scope="executions:write">
              <form method="post" action={`${path}/${jobId}/cancel`}>
                <button type="submit" class="danger">{`Cancel ${verb.toLowerCase()}`}</button>
              </form>
            </IfMay>
          )}
        </section>
      </Layout>,
    );
  });

  app.get(routeOf(`${path}/:jobId/live`), (http) =>
    streamChanges(http, async () => {
      const state = await jobs(http.get("api")).get(http.req.param("jobId") ?? "");
      return { seen: seenOf(state), isOver: state.status !== "running" };
    }),
  );

  app.post(routeOf(`${path}/:jobId/cancel`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    await jobs(http.get("api")).cancel(jobId);
    return http.redirect(`${path}/${jobId}`, 303);
  });
}

const seenOf = ({ status, started, skipped, refused }: State): string =>
  [status, started, skipped, refused].join("-");
