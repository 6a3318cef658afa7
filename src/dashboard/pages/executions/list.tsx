import * as z from "zod";
import { type ExecutionRow, executionStatus, origin } from "../../../contract/execution.ts";
import { Badge, LinkButton, Time } from "../../components/elements.tsx";
import { fieldColumns, serveFilteredList } from "../../components/list-page.tsx";
import { type Column, RowLink, sumColumn } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatDuration, headline, summaryLine } from "../../format.ts";
import { type Form, field, moment } from "../../forms/form.ts";
import {
  allWorkflows,
  endpointNames,
  ifAllowed,
  namesOf,
  newest,
  type WorkflowNames,
} from "../../lookups.ts";
import { EXECUTIONS, executionPath, FAILURES, RETRIES, requestPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, plainError, shownStatus, titleOf } from "./labels.ts";

const schema = z.object({
  q: z.string().max(200).exactOptional(),
  status: z.array(executionStatus),
  workflowId: z.string().max(100).exactOptional(),
  origin: origin.transform((one) => [one]).exactOptional(),
  createdAfter: moment.exactOptional(),
  createdBefore: moment.exactOptional(),
});

/** Returns the filter's form, which offers these workflows by their names. */
export function filterOf(workflowNames: WorkflowNames): Form<typeof schema> {
  return {
    schema,
    fields: {
      q: field.line("Search prompts, results, metadata and ids"),
      status: field.choices("Status", STATUSES),
      workflowId: field.select("Workflow", {
        "": "All workflows",
        ...Object.fromEntries(workflowNames),
      }),
      origin: field.select("Started by", { "": "Anything", ...ORIGIN_LABELS }),
      createdAfter: field.moment("Created after (UTC)"),
      createdBefore: field.moment("Created before (UTC)"),
    },
  };
}

const STATUSES: Record<ExecutionRow["status"], string> = {
  active: "Active",
  waiting_for_input: "Waiting",
  completed: "Completed",
  failed: "Failed",
  stopped: "Stopped",
};

/** The statuses of executions that can be retried. */
export const RETRIED = ["failed", "stopped"] as const;

/** Serves the list of executions. */
export function serveExecutionList(app: Dashboard): void {
  serveFilteredList(app, {
    section: "executions",
    filter: (names) => filterOf(names?.workflows ?? new Map()),
    search: "q",
    load: (api, query) => api.executions.list(query),
    rowsOf: ({ executions }) => executions,
    around: async (http) => {
      const api = http.get("api");
      const [workflows, endpoints] = await Promise.all([
        allWorkflows(api),
        ifAllowed(newest(api.webhooks.all())),
      ]);
      return { workflows: namesOf(workflows), endpoints: endpointNames(endpoints ?? []) };
    },
    columns: columnsWith,
    idOf: executionRowId,
    again: {
      scope: "executions:write",
      path: RETRIES,
      verb: "Retry",
      idOf: ({ executionId }) => executionId,
      filters: ["status", "workflowId", "createdAfter", "createdBefore"],
      statuses: RETRIED,
    },
    view: <LinkButton href={FAILURES}>Failures by reason</LinkButton>,
    action: {
      scope: "executions:write",
      href: `${EXECUTIONS}/new`,
      children: "Start execution",
    },
    empty: {
      title: "No executions yet",
      text: "An execution is an agent at work on a prompt. Its steps and outputs appear here.",
    },
    csv: {
      ...fieldColumns("executionId", "status", "statusDetail", "origin", "workflowId"),
      prompt: ({ promptPreview }) => promptPreview,
      inputs: ({ inputsPreview }) => inputsPreview,
      eventId: ({ inbound }) => inbound?.eventId ?? null,
      ...fieldColumns("summary", "creditsConsumed", "createdAt", "finishedAt"),
    },
  });
}

/** The names of workflows and endpoints by their ids. */
type Names = Record<"workflows" | "endpoints", ReadonlyMap<string, string>>;

const columnsWith = ({ workflows, endpoints }: Names): Column<ExecutionRow>[] => [
  { name: "Status", cell: (row) => <Badge state={shownStatus(row)} /> },
  {
    name: "Execution",
    is: "wrap",
    cell: (row) => {
      const { executionId, statusDetail, summary, inputsPreview, promptPreview } = row;
      const about = summary === null ? DETAIL_LABELS[statusDetail] : summaryLine(summary, 160);
      return (
        <>
          <RowLink href={executionPath(executionId)} id={`run-${executionId}`}>
            {titleOf(row, workflows, 120)}
          </RowLink>
          <Inputs preview={inputsPreview} prompt={promptPreview} />
          <div class="muted">{plainError(about)}</div>
        </>
      );
    },
  },
  {
    name: "Started by",
    is: "name",
    cell: ({ origin, inbound }) => {
      if (inbound === null) return <span class="keep">{ORIGIN_LABELS[origin]}</span>;
      const { endpointId, requestId, eventId } = inbound;
      return (
        <>
          <a href={requestPath(endpointId, requestId)}>
            {endpoints.get(endpointId) ?? ORIGIN_LABELS[origin]}
          </a>
          {eventId !== null && (
            <div class="muted">
              <code>{eventId}</code>
            </div>
          )}
        </>
      );
    },
  },
  sumColumn("Credits", ({ creditsConsumed }) => creditsConsumed),
  { name: "Duration", is: "num", cell: (row) => <Elapsed of={row} /> },
  { name: "Created", is: "num", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The inputs, which tell the executions of a workflow apart, unless the prompt says all of them. */
function Inputs({ preview, prompt }: { preview: string | null; prompt: string }) {
  const values = (preview ?? "").split(", ").map((input) => input.replace(/^\w+: /, ""));
  if (preview === null || values.every((value) => prompt.includes(value))) return null;
  return <div>{headline(preview, 120)}</div>;
}

/** Returns how a table shows executions; on the page of a workflow its name does not precede the prompts. */
export const executionTable = (workflows: WorkflowNames = new Map()) => ({
  columns: columnsWith({ workflows, endpoints: new Map() }),
  idOf: executionRowId,
});

const executionRowId = ({ executionId }: ExecutionRow): string => `row-${executionId}`;

/** The time from the acceptance to the end; until then the reader's browser counts on. */
export function Elapsed({ of }: { of: Pick<ExecutionRow, "createdAt" | "finishedAt"> }) {
  const { createdAt, finishedAt } = of;
  if (finishedAt === null) return <span data-since={createdAt}>running</span>;
  return <>{formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}</>;
}
