import {
  type ComparedCall,
  type ComparedStep,
  type Comparison,
  compare,
  type Pair,
} from "../../../client/compare.ts";
import { PrompthookError } from "../../../client/error.ts";
import type { Json } from "../../../contract/json.ts";
import { Badge, Facts, Notice } from "../../components/elements.tsx";
import { Layout, show } from "../../components/layout.tsx";
import { type Column, TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatDuration, formatNumber, headline } from "../../format.ts";
import { comparePath, executionPath } from "../../paths.ts";
import { Changes } from "../decisions/card.tsx";

/** Serves the page that compares an execution with another one, which its form asks for. */
export function serveCompare(app: Dashboard): void {
  app.get("/executions/:executionId/compare", async (http) => {
    const executionId = http.req.param("executionId");
    const other = http.req.query("with")?.trim() ?? "";
    const { executions } = http.get("api");
    const { prompt } = await executions.task(executionId);
    const page = (comparison: Comparison | null, fault: string | null) => (
      <Layout
        title="Compare executions"
        section="executions"
        crumb={{ label: "Execution", href: executionPath(executionId) }}
      >
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        <form method="get" action={comparePath(executionId)} class="filter">
          <div class="filter-head">
            <input
              name="with"
              value={other}
              required
              autocomplete="off"
              aria-label="The other execution"
              placeholder="The id of the other execution"
            />
            <button type="submit">Compare</button>
          </div>
        </form>
        {comparison === null ? (
          <p class="narrow">{headline(prompt)}</p>
        ) : (
          <Compared of={comparison} />
        )}
      </Layout>
    );
    if (other === "") return show(http, page(null, null));
    try {
      return show(http, page(await compare(executions, [executionId, other]), null));
    } catch (error) {
      if (!(error instanceof PrompthookError) || error.status !== 404) throw error;
      return show(http, page(null, "There is no such execution."), 404);
    }
  });
}

const COLUMNS: Column<Comparison["executions"][0]>[] = [
  {
    name: "Execution",
    cell: ({ executionId }) => <a href={executionPath(executionId)}>{executionId}</a>,
  },
  { name: "Status", cell: ({ status }) => <Badge state={status} /> },
  { name: "Model", is: "keep", cell: ({ model }) => <code>{model}</code> },
  { name: "Steps", is: "num", cell: ({ steps }) => formatNumber(steps) },
  { name: "Credits", is: "num", cell: ({ credits }) => formatNumber(credits) },
  { name: "Duration", is: "num", cell: ({ durationMs }) => formatDuration(durationMs) },
  { name: "Summary", is: "wrap", cell: ({ summary }) => summary },
];

function Compared({ of: { executions, steps, outputs, sameData } }: { of: Comparison }) {
  return (
    <>
      <TablePart title="Executions" columns={COLUMNS} rows={executions} nothing="" />
      <section class="part">
        <h2>Steps</h2>
        {steps.map((step) => (
          <StepPair of={step} />
        ))}
      </section>
      <section class="part">
        <h2>Outputs</h2>
        <Facts
          facts={[
            ...outputs.map(({ label, change }): [string, string] => [label, change]),
            ["Result data", sameData ? "same" : "changed"],
          ]}
        />
      </section>
    </>
  );
}

function StepPair({ of }: { of: Comparison["steps"][0] }) {
  const { step, same, before, after, calls } = of;
  const facts = [before, after].map(stepText).join(" → ");
  return (
    <details open={!same}>
      <summary>
        {`Step ${step}: ${same ? "same" : "different"}`} <span class="muted">{facts}</span>
      </summary>
      {calls.map((pair) => (
        <CallPair pair={pair} />
      ))}
    </details>
  );
}

const stepText = (step: ComparedStep | null): string =>
  step === null
    ? "no such step"
    : `${formatCount(step.credits, "credit")}, ${formatDuration(step.durationMs)}`;

/** A call that both made; else what differs between their calls, with what they got. */
function CallPair({ pair: { same, before, after } }: { pair: Pair<ComparedCall> }) {
  const title = (before ?? after)?.tool ?? "";
  return (
    <div class="card">
      <h3>{title}</h3>
      {same ? (
        <p class="muted">The same call and result.</p>
      ) : (
        <Changes before={shown(before)} after={shown(after)} />
      )}
    </div>
  );
}

const shown = (call: ComparedCall | null): Json =>
  call === null
    ? null
    : { tool: call.tool, input: call.input, [call.ok === false ? "error" : "result"]: call.result };
