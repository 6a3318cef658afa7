import type { ReplaysBody, RetriesBody } from "../../client/bodies.ts";
import type { Prompthook } from "../../client/prompthook.ts";
import { requestStatus } from "../../contract/webhooks/log.ts";
import { Facts, LinkButton, Submit } from "../components/elements.tsx";
import { Layout, type SectionId } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import { IfMay, show } from "../components/reader.tsx";
import { Table } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { formatNumber } from "../format.ts";
import { moment } from "../forms/form.ts";
import { livePath, streamChanges } from "../live.ts";
import { EXECUTIONS, endpointPath, REPLAYS, RETRIES, WEBHOOKS } from "../paths.ts";

interface Forecast {
  matched: number;
  wouldStart: number;
  wouldBeRefused: number;
  estimatedCredits: number;
  sample: readonly { verdict: string; reason: string | null }[];
}

interface State {
  status: "running" | "completed" | "cancelled";
  matched: number;
  started: number;
  skipped: number;
  refused: number;
}

/** Doing many things of a list again. What is chosen is in the address: ids, or the filter of the list. */
interface Again {
  path: string;
  section: SectionId;
  title: string;
  /** What is done, as a button and as a line says it. */
  verb: string;
  things: string;
  back(chosen: URLSearchParams): string;
  foretell(api: Prompthook, chosen: URLSearchParams): Promise<Forecast>;
  create(api: Prompthook, chosen: URLSearchParams): Promise<string>;
  get(api: Prompthook, id: string): Promise<State>;
  cancel(api: Prompthook, id: string): Promise<void>;
}

const replays: Again = {
  path: REPLAYS,
  section: "webhooks",
  title: "Replay requests",
  verb: "Replay",
  things: "requests",
  back: (chosen) => {
    const endpointId = chosen.get("endpointId");
    return endpointId === null ? WEBHOOKS : endpointPath(endpointId, "/requests");
  },
  foretell: (api, chosen) => api.replays.dryRun(requestsOf(chosen)),
  create: async (api, chosen) => (await api.replays.create(requestsOf(chosen))).replayId,
  get: (api, id) => api.replays.get(id),
  cancel: (api, id) => api.replays.cancel(id),
};

const retries: Again = {
  path: RETRIES,
  section: "executions",
  title: "Retry executions",
  verb: "Retry",
  things: "executions",
  back: () => EXECUTIONS,
  foretell: (api, chosen) => api.retries.dryRun(executionsOf(chosen)),
  create: async (api, chosen) => (await api.retries.create(executionsOf(chosen))).retryId,
  get: (api, id) => api.retries.get(id),
  cancel: (api, id) => api.retries.cancel(id),
};

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

/** Serves the pages that replay requests and retry executions. */
export function serveAgain(app: Dashboard): void {
  for (const again of [replays, retries]) serve(app, again);
}

function serve(app: Dashboard, again: Again): void {
  const { path, verb, things, title, section } = again;
  const chosenOf = (http: Page) => new URL(http.req.url).searchParams;

  app.get(routeOf(`${path}/new`), async (http) => {
    const chosen = chosenOf(http);
    const forecast = await again.foretell(http.get("api"), chosen);
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
              rows={forecast.sample}
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

  app.post(routeOf(`${path}/new`), async (http) =>
    http.redirect(`${path}/${await again.create(http.get("api"), chosenOf(http))}`, 303),
  );

  app.get(routeOf(`${path}/:jobId`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    const state = await again.get(http.get("api"), jobId);
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
      const state = await again.get(http.get("api"), http.req.param("jobId") ?? "");
      return { seen: seenOf(state), isOver: state.status !== "running" };
    }),
  );

  app.post(routeOf(`${path}/:jobId/cancel`), async (http) => {
    const jobId = http.req.param("jobId") ?? "";
    await again.cancel(http.get("api"), jobId);
    return http.redirect(`${path}/${jobId}`, 303);
  });
}

const seenOf = ({ status, started, skipped, refused }: State): string =>
  [status, started, skipped, refused].join("-");
