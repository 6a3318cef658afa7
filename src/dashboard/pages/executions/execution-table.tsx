import type { ExecutionRow } from "../../../contract/execution.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import { formatDuration, formatNumber, summaryLine } from "../../format.ts";
import type { WorkflowNames } from "../../lookups.ts";
import { executionPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, plainError, titleOf } from "./labels.ts";

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
