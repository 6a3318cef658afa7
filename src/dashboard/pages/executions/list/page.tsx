import type { ExecutionRow } from "../../../../contract/execution.ts";
import { Layout } from "../../../components/layout.tsx";
import { Badge, DataTable, Empty, NextPage, Time } from "../../../components/parts.tsx";
import { Refused } from "../../../components/refused.tsx";
import { type Refusal, refusalFor } from "../../../forms/faults.ts";
import type { WorkflowNames } from "../../workflows/names.ts";
import { EXECUTIONS, runPath } from "../paths.ts";
import { ORIGINS, sentencesOf, spanOf, titleOf } from "../words.ts";
import { FilterForm } from "./filter-form.tsx";
import { isFiltered, type ListView, listPath } from "./filters.ts";

const COLUMNS = ["Status", "Execution", "Credits", "Started by", "Created", "Took"];
/** How often a page asks for news while something is at work, and while all that is left waits. */
const BUSY_SECONDS = 2;
const WAITING_SECONDS = 15;

/** One page of the list. */
export interface ListPage {
  view: ListView;
  executions: ExecutionRow[];
  workflowNames: WorkflowNames;
  nextCursor: string | null;
  /** Why there is nothing to show, where the API refused the query. */
  refusal: Refusal | null;
}

export function ExecutionsPage({ page }: { page: ListPage }) {
  const { view, executions, nextCursor, refusal } = page;
  const fault = view.faults.size > 0 ? refusalFor(view.faults) : refusal;
  const isBlank = executions.length === 0 && !isFiltered(view) && view.cursor === null;
  return (
    <Layout
      title="Executions"
      section="executions"
      actions={
        <a class="button primary" href={`${EXECUTIONS}/new`}>
          New execution
        </a>
      }
    >
      <Refused refusal={fault} shown={hasControl} />
      {!isBlank && <FilterForm view={view} />}
      {executions.length > 0 && (
        <div id="runs">
          <DataTable label="Executions" columns={COLUMNS}>
            <Rows page={page} />
          </DataTable>
          <Poll page={page} isUpdate={false} />
        </div>
      )}
      {executions.length === 0 && fault === null && <Nothing view={view} />}
      {view.cursor !== null && (
        <p>
          <a class="button" href={listPath(view, null)}>
            Newest
          </a>
        </p>
      )}
      <NextPage href={nextCursor && listPath(view, nextCursor)} />
    </Layout>
  );
}

/** Whether a fault has a control with its name on the page. */
const hasControl = (name: string): boolean =>
  /^(?:workflowId|createdAfter|createdBefore)$/.test(name);

/** What takes the place of the rows while the page is open: so its frame stays scrolled as it is. */
export function ListUpdate({ page }: { page: ListPage }) {
  return (
    <>
      <Rows page={page} />
      <template>
        <Poll page={page} isUpdate />
      </template>
    </>
  );
}

/** Asks for the rows anew, until nothing in them can change by itself any more. */
function Poll({ page: { view, executions }, isUpdate }: { page: ListPage; isUpdate: boolean }) {
  const seconds = secondsToNext(executions);
  return (
    <div id="runs-poll" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {seconds !== null && (
        <div
          data-live=""
          hx-get={listPath(view, view.cursor).replace(EXECUTIONS, `${EXECUTIONS}/rows`)}
          hx-trigger={`every ${seconds}s, visibilitychange from:document`}
          hx-target="#runs tbody"
        />
      )}
    </div>
  );
}

function secondsToNext(executions: readonly ExecutionRow[]): number | null {
  if (executions.some(({ status }) => status === "active")) return BUSY_SECONDS;
  return executions.some(({ status }) => status === "waiting_for_input") ? WAITING_SECONDS : null;
}

function Rows({ page: { executions, workflowNames } }: { page: ListPage }) {
  return (
    <>
      {executions.map((row) => (
        <Row row={row} workflowNames={workflowNames} />
      ))}
    </>
  );
}

/** Its link has an id, so that the focus stays on it when the rows come anew. */
function Row({ row, workflowNames }: { row: ExecutionRow; workflowNames: WorkflowNames }) {
  const { executionId, status, summary, createdAt, finishedAt } = row;
  return (
    <tr>
      <td>
        <Badge state={status} />
      </td>
      <td class="wrap">
        <a id={`run-${executionId}`} href={runPath(executionId)}>
          {titleOf(row, workflowNames, 120)}
        </a>
        {summary !== null && <div class="muted">{sentencesOf(summary, 160)}</div>}
      </td>
      <td>{row.creditsConsumed}</td>
      <td>{ORIGINS[row.origin]}</td>
      <td>
        <Time at={createdAt} />
      </td>
      <td class="whole">
        {finishedAt === null ? (
          <span class="muted">–</span>
        ) : (
          spanOf(Date.parse(finishedAt) - Date.parse(createdAt))
        )}
      </td>
    </tr>
  );
}

function Nothing({ view }: { view: ListView }) {
  if (isFiltered(view)) {
    return (
      <Empty title="Nothing matches this filter">
        <p>Take a condition away, or look at all executions.</p>
        <a class="button" href={EXECUTIONS}>
          Show all
        </a>
      </Empty>
    );
  }
  if (view.cursor !== null) {
    return (
      <Empty title="This is the end">
        <p>There are no older executions.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No executions yet">
      <p>
        Tell an agent what to do. It plans, opens pages, calls APIs, and you see each step here.
      </p>
      <a class="button primary" href={`${EXECUTIONS}/new`}>
        New execution
      </a>
    </Empty>
  );
}
