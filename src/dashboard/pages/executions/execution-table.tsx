import type { ExecutionRow } from "../../../contract/execution.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { formatDuration, formatNumber, summaryLine } from "../../format.ts";
import type { WorkflowNames } from "../../lookups.ts";
import { executionPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, plainError, titleOf } from "./labels.ts";

const COLUMNS = ["Status", "Execution", "Started by", "Credits", "Duration", "Created"];
const NUMERIC = [3, 4, 5];

/** A list of executions. Rows have ids, so that the focus stays on them when the page changes. */
export function ExecutionTable({
  label,
  executions,
  workflowNames,
}: {
  label: string;
  executions: readonly ExecutionRow[];
  /** The names of workflows that precede the prompts; none on the page of a workflow. */
  workflowNames: WorkflowNames;
}) {
  return (
    <DataTable label={label} columns={COLUMNS} numeric={NUMERIC}>
      {executions.map((row) => {
        const { executionId, status, statusDetail, summary, createdAt } = row;
        const about = summary === null ? DETAIL_LABELS[statusDetail] : summaryLine(summary, 160);
        return (
          <tr id={`row-${executionId}`}>
            <td>
              <Badge state={status} />
            </td>
            <td class="wrap">
              <a id={`run-${executionId}`} class="row-link" href={executionPath(executionId)}>
                {titleOf(row, workflowNames, 120)}
              </a>
              <div class="muted">{plainError(about)}</div>
            </td>
            <td class="whole">{ORIGIN_LABELS[row.origin]}</td>
            <td class="num" data-label="Credits">
              {formatNumber(row.creditsConsumed)}
            </td>
            <td class="num" data-label="Duration">
              <Took row={row} />
            </td>
            <td class="num">
              <Time at={createdAt} />
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** The time from the acceptance to the end, as the page of the execution shows it. */
function Took({ row: { createdAt, finishedAt } }: { row: ExecutionRow }) {
  if (finishedAt === null) return <span data-since={createdAt}>running</span>;
  return <>{formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}</>;
}
