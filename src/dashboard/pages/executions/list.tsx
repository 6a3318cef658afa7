import * as z from "zod";
import {
  type ExecutionRow,
  executionStatus,
  ORIGINS,
  origin,
} from "../../../contract/execution.ts";
import { Badge, DataTable, Empty, NextPage, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { formatDuration, summaryLine } from "../../format.ts";
import { refusalOf } from "../../forms/errors.tsx";
import { FormErrors } from "../../forms/fields.tsx";
import { type Form, moment } from "../../forms/form.ts";
import { FilterForm, type ListFilter, readFilter, searchOf } from "../../forms/list-filter.tsx";
import { type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { ORIGIN_LABELS, titleOf } from "./labels.ts";

const COLUMNS = ["Status", "Execution", "Credits", "Started by", "Created", "Duration"];
/** How often the page asks for news while an execution is active, and while some only wait. */
const ACTIVE_SECONDS = 2;
const WAITING_SECONDS = 15;

const FILTER = {
  schema: z.object({
    status: z.array(executionStatus),
    origin: z.array(origin),
    workflowId: z.string().max(100).optional(),
    createdAfter: moment.optional(),
    createdBefore: moment.optional(),
  }),
  fields: {
    status: {
      kind: "choices",
      label: "Status",
      options: executionStatus.options.map((value) => ({
        value,
        label: value.replaceAll("_", " "),
      })),
    },
    origin: {
      kind: "choices",
      label: "Started by",
      options: ORIGINS.map((value) => ({ value, label: ORIGIN_LABELS[value] })),
    },
    workflowId: { kind: "line", label: "Workflow" },
    createdAfter: { kind: "moment", label: "Created after (UTC)" },
    createdBefore: { kind: "moment", label: "Created before (UTC)" },
  },
} satisfies Form;

/** One page of the list. */
interface ListPage {
  filter: ListFilter<z.output<typeof FILTER.schema>>;
  executions: ExecutionRow[];
  workflowNames: WorkflowNames;
  nextCursor: string | null;
}

/** Serves the list of executions, and the updates of its rows. */
export function serveExecutionList(app: Dashboard): void {
  app.get("/executions", async (http) => {
    const page = await pageOf(http);
    return http.html(<ExecutionsPage page={page} />, page.filter.state.refusal?.status ?? 200);
  });

  app.get("/executions/rows", async (http) => {
    return http.html(<RowsUpdate page={await pageOf(http)} />);
  });
}

async function pageOf(http: Page): Promise<ListPage> {
  const filter = readFilter(FILTER, new URL(http.req.url).searchParams);
  const { state, query, cursor } = filter;
  const nothing = { executions: [], workflowNames: new Map(), nextCursor: null };
  if (query === null) return { filter, ...nothing };
  try {
    const api = http.get("api");
    const page = await api.executions.list({ ...given(query), ...(cursor !== null && { cursor }) });
    return { filter, ...page, workflowNames: await workflowNamesFor(api, page.executions) };
  } catch (error) {
    const refusal = refusalOf(error);
    // Only faults of the address can be fixed in the form.
    if (refusal.status !== 400) throw error;
    return { filter: { ...filter, state: { ...state, refusal } }, ...nothing };
  }
}

/** Returns the query without fields that are undefined. */
function given({ workflowId, createdAfter, createdBefore, ...lists }: Query) {
  return {
    ...lists,
    ...(workflowId !== undefined && { workflowId }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
  };
}
type Query = z.output<typeof FILTER.schema>;

function ExecutionsPage({ page }: { page: ListPage }) {
  const { filter, executions, nextCursor } = page;
  const isBlank = executions.length === 0 && !filter.isFiltered && filter.cursor === null;
  return (
    <Layout
      title="Executions"
      section="executions"
      actions={
        <a class="button primary" href={`${EXECUTIONS}/new`}>
          Start execution
        </a>
      }
    >
      <FormErrors of={filter.state} />
      {!isBlank && <FilterForm filter={filter} path={EXECUTIONS} />}
      {executions.length > 0 && (
        <div id="runs">
          <DataTable label="Executions" columns={COLUMNS}>
            <Rows page={page} />
          </DataTable>
          <Poll page={page} isUpdate={false} />
        </div>
      )}
      {executions.length === 0 && filter.state.refusal === null && <NoExecutions filter={filter} />}
      {filter.cursor !== null && (
        <p>
          <a class="button" href={`${EXECUTIONS}${searchOf(filter)}`}>
            Newest
          </a>
        </p>
      )}
      <NextPage href={nextCursor && `${EXECUTIONS}${searchOf(filter, { cursor: nextCursor })}`} />
    </Layout>
  );
}

/** Replaces the rows of an open page, so that its frame keeps its scroll position. */
function RowsUpdate({ page }: { page: ListPage }) {
  return (
    <>
      <Rows page={page} />
      <template>
        <Poll page={page} isUpdate />
      </template>
    </>
  );
}

/** Asks for the rows again until none of them can change by itself. */
function Poll({ page: { filter, executions }, isUpdate }: { page: ListPage; isUpdate: boolean }) {
  const seconds = secondsToNext(executions);
  return (
    <div id="runs-poll" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {seconds !== null && (
        <div
          data-live=""
          hx-get={`${EXECUTIONS}/rows${searchOf(filter, { cursor: filter.cursor })}`}
          hx-trigger={`every ${seconds}s, visibilitychange from:document`}
          hx-target="#runs tbody"
        />
      )}
    </div>
  );
}

function secondsToNext(executions: readonly ExecutionRow[]): number | null {
  if (executions.some(({ status }) => status === "active")) return ACTIVE_SECONDS;
  return executions.some(({ status }) => status === "waiting_for_input") ? WAITING_SECONDS : null;
}

/** Links have ids, so that the focus stays on them when the rows are replaced. */
function Rows({ page: { executions, workflowNames } }: { page: ListPage }) {
  return (
    <>
      {executions.map((row) => {
        const { executionId, status, summary, createdAt, finishedAt } = row;
        const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt);
        return (
          <tr>
            <td>
              <Badge state={status} />
            </td>
            <td class="wrap">
              <a id={`run-${executionId}`} href={executionPath(executionId)}>
                {titleOf(row, workflowNames, 120)}
              </a>
              {summary !== null && <div class="muted">{summaryLine(summary, 160)}</div>}
            </td>
            <td>{row.creditsConsumed}</td>
            <td>{ORIGIN_LABELS[row.origin]}</td>
            <td>
              <Time at={createdAt} />
            </td>
            <td class="whole">{formatDuration(took)}</td>
          </tr>
        );
      })}
    </>
  );
}

function NoExecutions({ filter: { isFiltered, cursor } }: { filter: ListPage["filter"] }) {
  if (isFiltered) {
    return (
      <Empty title="No matching executions">
        <a class="button" href={EXECUTIONS}>
          Clear filter
        </a>
      </Empty>
    );
  }
  if (cursor !== null) {
    return (
      <Empty title="End of the list">
        <p>There are no older executions.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No executions yet">
      <p>An execution is an agent at work on a prompt. Its steps and outputs appear here.</p>
      <a class="button primary" href={`${EXECUTIONS}/new`}>
        Start execution
      </a>
    </Empty>
  );
}
