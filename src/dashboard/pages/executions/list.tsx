import * as z from "zod";
import {
  type ExecutionRow,
  executionStatus,
  ORIGINS,
  origin,
} from "../../../contract/execution.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Badge, Empty, LinkButton, NextPage, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action, show } from "../../components/reader.tsx";
import { type Column, RowLink, Table } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { formatDuration, formatNumber, summaryLine } from "../../format.ts";
import { refusalOf } from "../../forms/errors.tsx";
import { FormErrors } from "../../forms/fields.tsx";
import { type Form, moment } from "../../forms/form.ts";
import { FilterBar, type ListFilter, readFilter, searchOf } from "../../forms/list-filter.tsx";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { allWorkflows, type WorkflowNames } from "../../lookups.ts";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, plainError, titleOf } from "./labels.ts";

const schema = z.object({
  q: z.string().max(200).optional(),
  status: z.array(executionStatus),
  origin: z.union([origin, z.literal("")]).optional(),
  workflowId: z.string().max(100).optional(),
  createdAfter: moment.optional(),
  createdBefore: moment.optional(),
});
type Query = z.output<typeof schema>;

/** Returns the filter's form, which offers these workflows by their names. */
function filterOf(workflows: readonly WorkflowRecord[]): Form<typeof schema> {
  return {
    schema,
    fields: {
      q: { kind: "line", label: "Search prompts, results, metadata and ids" },
      status: { kind: "choices", label: "Status", options: STATUSES.slice(1) },
      workflowId: {
        kind: "select",
        label: "Workflow",
        options: [
          { value: "", label: "All workflows" },
          ...workflows.map(({ workflowId: value, name }) => ({ value, label: name })),
        ],
      },
      origin: {
        kind: "select",
        label: "Started by",
        options: [
          { value: "", label: "Anything" },
          ...ORIGINS.map((value) => ({ value, label: ORIGIN_LABELS[value] })),
        ],
      },
      createdAfter: { kind: "moment", label: "Created after (UTC)" },
      createdBefore: { kind: "moment", label: "Created before (UTC)" },
    },
  };
}

const STATUSES = [
  { value: "", label: "All" },
  { value: "active", label: "Active" },
  { value: "waiting_for_input", label: "Waiting for input" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "stopped", label: "Stopped" },
];

/** One page of the list. */
interface ListPage {
  filter: ListFilter<Query>;
  executions: ExecutionRow[];
  workflowNames: WorkflowNames;
  nextCursor: string | null;
  /** The fingerprint of what the reader sees. */
  seen: string;
}

/** Serves the list of executions, and the stream that it follows. */
export function serveExecutionList(app: Dashboard): void {
  app.get("/executions", async (http) => {
    const page = await pageOf(http);
    return show(http, <ExecutionsPage page={page} />, page.filter.state.refusal?.status ?? 200);
  });

  app.get("/executions/live", (http) => {
    const { query } = readFilter(filterOf([]), new URL(http.req.url).searchParams);
    const { executions } = http.get("api");
    return streamFollowed(http, async () =>
      query === null ? [] : (await executions.list(given(query))).executions,
    );
  });
}

async function pageOf(http: Page): Promise<ListPage> {
  const api = http.get("api");
  const { searchParams } = new URL(http.req.url);
  const workflows = await allWorkflows(api);
  const filter = readFilter(filterOf(workflows), searchParams);
  const { state, query, cursor } = filter;
  const workflowNames = new Map(workflows.map(({ workflowId, name }) => [workflowId, name]));
  const nothing = { executions: [], workflowNames, nextCursor: null, seen: "" };
  if (query === null) return { filter, ...nothing };
  try {
    const page = await api.executions.list({ ...given(query), ...(cursor !== null && { cursor }) });
    return { filter, ...page, workflowNames, seen: await fingerprint(page.executions) };
  } catch (error) {
    const refusal = refusalOf(error);
    // Only faults of the address can be fixed in the form.
    if (refusal.status !== 400) throw error;
    return { filter: { ...filter, state: { ...state, refusal } }, ...nothing };
  }
}

/** Returns the query without fields that are undefined. */
function given({ q, workflowId, createdAfter, createdBefore, origin: started, status }: Query) {
  return {
    status,
    ...(started !== undefined && started !== "" && { origin: [started] }),
    ...(q !== undefined && { q }),
    ...(workflowId !== undefined && workflowId !== "" && { workflowId }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
  };
}

function ExecutionsPage({ page }: { page: ListPage }) {
  const { filter, executions, nextCursor, seen } = page;
  const isBlank = executions.length === 0 && !filter.isFiltered && filter.cursor === null;
  // Older pages do not change by themselves.
  const isLive = filter.cursor === null && filter.query !== null;
  return (
    <Layout
      title="Executions"
      section="executions"
      actions={
        <Action scope="executions:write" href={`${EXECUTIONS}/new`}>
          Start execution
        </Action>
      }
      live={isLive ? livePath(`${EXECUTIONS}/live${searchOf(filter)}`, seen) : null}
    >
      <FormErrors of={filter.state} />
      {!isBlank && <FilterBar filter={filter} path={EXECUTIONS} search="q" chips={STATUSES} />}
      {executions.length > 0 && (
        <Table label="Executions" rows={executions} {...executionTable(page.workflowNames)} />
      )}
      {executions.length === 0 && filter.state.refusal === null && <NoExecutions filter={filter} />}
      {filter.cursor !== null && (
        <p>
          <LinkButton href={`${EXECUTIONS}${searchOf(filter)}`}>Newest</LinkButton>
        </p>
      )}
      <NextPage href={nextCursor && `${EXECUTIONS}${searchOf(filter, { cursor: nextCursor })}`} />
    </Layout>
  );
}

function NoExecutions({ filter: { isFiltered, cursor } }: { filter: ListPage["filter"] }) {
  if (isFiltered) {
    return (
      <Empty title="No matching executions">
        <LinkButton href={EXECUTIONS}>Clear filter</LinkButton>
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
      <Action scope="executions:write" href={`${EXECUTIONS}/new`}>
        Start execution
      </Action>
    </Empty>
  );
}

const columnsWith = (workflowNames: WorkflowNames): Column<ExecutionRow>[] => [
  { name: "Status", isBare: true, cell: ({ status }) => <Badge state={status} /> },
  {
    name: "Execution",
    is: "wrap",
    isBare: true,
    cell: (row) => {
      const { executionId, statusDetail, summary } = row;
      const about = summary === null ? DETAIL_LABELS[statusDetail] : summaryLine(summary, 160);
      return (
        <>
          <RowLink href={executionPath(executionId)} id={`run-${executionId}`}>
            {titleOf(row, workflowNames, 120)}
          </RowLink>
          <div class="muted">{plainError(about)}</div>
        </>
      );
    },
  },
  { name: "Started by", is: "keep", isBare: true, cell: ({ origin }) => ORIGIN_LABELS[origin] },
  { name: "Credits", is: "num", cell: ({ creditsConsumed }) => formatNumber(creditsConsumed) },
  { name: "Duration", is: "num", cell: (row) => <Elapsed of={row} /> },
  { name: "Created", is: "num", isBare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Returns how a table shows executions; on the page of a workflow its name does not precede the prompts. */
export const executionTable = (workflowNames: WorkflowNames = new Map()) => ({
  columns: columnsWith(workflowNames),
  idOf: ({ executionId }: ExecutionRow) => `row-${executionId}`,
});

/** The time from the acceptance to the end; until then the reader's browser counts on. */
export function Elapsed({
  of: { createdAt, finishedAt },
}: {
  of: Pick<ExecutionRow, "createdAt" | "finishedAt">;
}) {
  if (finishedAt === null) return <span data-since={createdAt}>running</span>;
  return <>{formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}</>;
}
