import type { Child } from "hono/jsx";
import type * as z from "zod";
import type { Json } from "../../../contract/json.ts";
import type { rehearsalRecord } from "../../../contract/rehearsals.ts";
import { Badge, Facts, ToldList } from "../../components/elements.tsx";
import { Layout, show } from "../../components/layout.tsx";
import { routeOf } from "../../components/list-page.tsx";
import { type Column, TablePart } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { comparePath, REHEARSALS, rehearsalPath, workflowPath } from "../../paths.ts";
import { Changes } from "../decisions/card.tsx";

type Rehearsal = z.output<typeof rehearsalRecord>;
type Result = Rehearsal["results"][number];

/** Serves what a rehearsal found so far: for each past input, what would change. */
export function serveRehearsals(app: Dashboard): void {
  const route = `${routeOf(REHEARSALS)}/:rehearsalId`;
  const load = (http: Page) =>
    http.get("api").workflows.rehearsal(http.req.param("rehearsalId") ?? "");

  app.get(route, async (http) => {
    const rehearsal = await load(http);
    const isRunning = rehearsal.status === "running";
    const live = isRunning
      ? livePath(`${rehearsalPath(rehearsal.rehearsalId)}/live`, await fingerprint(rehearsal))
      : null;
    const { workflowId, status, results, totals } = rehearsal;
    return show(
      http,
      <Layout
        title="Rehearsal"
        section="workflows"
        crumb={{ label: "Workflow", href: workflowPath(workflowId) }}
        live={live}
      >
        <section class="card">
          <Facts
            facts={[
              ["Status", <Badge state={status} />],
              ["Past inputs", formatNumber(totals.rehearsed)],
              ["Would change", formatNumber(totals.changed)],
              ["Not as expected", formatNumber(totals.failed)],
              [
                "Credits",
                `${formatNumber(totals.credits)} (originals: ${formatNumber(totals.creditsBefore)})`,
              ],
            ]}
          />
          <p class="muted">Nothing reached the outside: effects were noted and not done.</p>
        </section>
        <TablePart
          title="Results"
          columns={COLUMNS}
          rows={results}
          nothing="This workflow has no earlier executions to rehearse."
        />
      </Layout>,
    );
  });

  app.get(`${route}/live`, (http) => streamFollowed(http, () => load(http)));
}

const COLUMNS: Column<Result>[] = [
  {
    name: "Input of",
    cell: ({ executionId, rehearsalExecutionId }) => (
      <a href={comparePath(executionId, rehearsalExecutionId)}>{executionId}</a>
    ),
  },
  { name: "Status", cell: ({ status }) => <Badge state={status} /> },
  { name: "What would change", is: "wrap", cell: (result) => <Changed result={result} /> },
  { name: "Steps", is: "num", cell: ({ steps, before }) => beside(steps, before.steps) },
  { name: "Credits", is: "num", cell: ({ credits, before }) => beside(credits, before.credits) },
];

/** The figure of the rehearsal after that of the original, where they differ. */
const beside = (now: number, before: number): string =>
  now === before ? formatNumber(now) : `${formatNumber(before)} → ${formatNumber(now)}`;

function Changed({ result: { effects, dataDiff, failures } }: { result: Result }) {
  const { same, added, removed, changed } = effects;
  const pairs: readonly (readonly [string, Json | undefined, Json | undefined])[] = [
    ...added.map(({ tool, input }) => [`${tool} is added`, null, input] as const),
    ...removed.map(({ tool, input }) => [`${tool} is left out`, input, null] as const),
    ...changed.map(
      ({ before, after }) =>
        [`${after.tool} is called otherwise`, before.input, after.input] as const,
    ),
    ...dataDiff.map(
      ({ path, before, after }) =>
        [`The result differs at ${path || "the top"}`, before, after] as const,
    ),
  ];
  return (
    <>
      <ToldList lines={failures} />
      {pairs.map(
        ([title, before = null, after = null]): Child => (
          <details>
            <summary>{title}</summary>
            <Changes before={before} after={after} />
          </details>
        ),
      )}
      {pairs.length + failures.length === 0 && `Nothing; ${formatCount(same, "effect")} as before`}
    </>
  );
}
