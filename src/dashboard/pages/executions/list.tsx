import { type ExecutionRow, ORIGINS, STATUSES } from "../../../contract/execution.ts";
import { Badge, DataTable, Empty, NextPage, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { type Refusal, Refused, refusalFor, refusalOf } from "../../forms/errors.tsx";
import { Input, MomentInput } from "../../forms/fields.tsx";
import { namesFor, type WorkflowNames } from "../../lookups.ts";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { ORIGIN_LABELS, sentencesOf, spanOf, titleOf } from "./labels.ts";
import { isFiltered, type ListView, listPath, listViewOf } from "./list-filters.ts";

/** What of the list is shown. A plain GET form: the address of the page says it all. */
export function FilterForm({ view }: { view: ListView }) {
  const { typed, faults } = view;
  return (
    <details class="card filters" open={isFiltered(view)}>
      <summary>Filter</summary>
      <form method="get" action={EXECUTIONS}>
        <Choices
          name="status"
          legend="Status"
          chosen={typed.status}
          choices={STATUSES.map((status) => [status, status.replaceAll("_", " ")])}
          error={firstAt(view, "status")}
        />
        <Choices
          name="origin"
          legend="Started by"
          chosen={typed.origin}
          choices={ORIGINS.map((one) => [one, ORIGIN_LABELS[one]])}
          error={firstAt(view, "origin")}
        />
        <div class="grid">
          <Input name="workflowId" label="Workflow" value={typed.workflowId} faults={faults} />
          <MomentInput
            name="createdAfter"
            label="Created after (UTC)"
            value={typed.createdAfter}
            faults={faults}
          />
          <MomentInput
            name="createdBefore"
            label="Created before (UTC)"
            value={typed.createdBefore}
            faults={faults}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Show
          </button>
          {isFiltered(view) && (
            <a class="button" href={EXECUTIONS}>
              Show all
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

function Choices({
  name,
  legend,
  chosen,
  choices,
  error,
}: {
  name: string;
  legend: string;
  chosen: readonly string[];
  choices: readonly (readonly [value: string, label: string])[];
  error: string | undefined;
}) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {choices.map(([value, label]) => (
        <label>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />{" "}
          {label}
        </label>
      ))}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** What is said against one of several values, which are named by their places. */
function firstAt({ faults }: ListView, name: string): string | undefined {
  return [...faults].find(([path]) => path.startsWith(`${name}[`))?.[1];
}

/** The list of runs, and what keeps it up to date. */
export function serveList(app: Dashboard): void {
  app.get("/executions", async (http) => {
    const page = await pageOf(http);
    const status = page.view.faults.size > 0 ? 400 : (page.refusal?.status ?? 200);
    return http.html(<ExecutionsPage page={page} />, status);
  });

  app.get("/executions/rows", async (http) => {
    return http.html(<ListUpdate page={await pageOf(http)} />);
  });
}

async function pageOf(http: Page): Promise<ListPage> {
  const view = listViewOf(new URL(http.req.url).searchParams);
  const nothing = { view, executions: [], workflowNames: new Map(), nextCursor: null };
  if (view.faults.size > 0) return { ...nothing, refusal: null };
  try {
    const api = http.get("api");
    const page = await api.executions.list(view.query);
    const workflowNames = await namesFor(api, page.executions);
    return { view, ...page, workflowNames, refusal: null };
  } catch (error) {
    const refusal = refusalOf(error);
    // Only what the address says can be put right in the form.
    if (refusal.status !== 400) throw error;
    return { ...nothing, refusal };
  }
}

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
            <ListRows page={page} />
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
      <ListRows page={page} />
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

function ListRows({ page: { executions, workflowNames } }: { page: ListPage }) {
  return (
    <>
      {executions.map((row) => (
        <ListRow row={row} workflowNames={workflowNames} />
      ))}
    </>
  );
}

/** Its link has an id, so that the focus stays on it when the rows come anew. */
function ListRow({ row, workflowNames }: { row: ExecutionRow; workflowNames: WorkflowNames }) {
  const { executionId, status, summary, createdAt, finishedAt } = row;
  return (
    <tr>
      <td>
        <Badge state={status} />
      </td>
      <td class="wrap">
        <a id={`run-${executionId}`} href={executionPath(executionId)}>
          {titleOf(row, workflowNames, 120)}
        </a>
        {summary !== null && <div class="muted">{sentencesOf(summary, 160)}</div>}
      </td>
      <td>{row.creditsConsumed}</td>
      <td>{ORIGIN_LABELS[row.origin]}</td>
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
