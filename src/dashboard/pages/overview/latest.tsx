import type { ExecutionRow } from "../../../contract/execution.ts";
import { Badge, DataTable, Time } from "../../components/parts.tsx";
import { EXECUTIONS, runPath } from "../executions/paths.ts";
import { titleOf } from "../executions/words.ts";
import { entryPath } from "../requests/paths.ts";
import { gistOf } from "../requests/words.ts";
import type { WorkflowNames } from "../workflows/names.ts";
import type { Part, Refused } from "./load.ts";

/** The newest runs. */
export function LatestRuns({
  latest,
  workflowNames,
}: {
  latest: Part<ExecutionRow[]>;
  workflowNames: WorkflowNames;
}) {
  return (
    <div>
      <h2>Latest executions</h2>
      {!latest.ok && <p class="muted">{latest.why}</p>}
      {latest.ok && latest.value.length === 0 && (
        <p>
          None yet. <a href={`${EXECUTIONS}/new`}>Start one.</a>
        </p>
      )}
      {latest.ok && latest.value.length > 0 && (
        <>
          <DataTable label="Latest executions" columns={["Status", "Execution", "Created"]}>
            {latest.value.map((row) => (
              <tr>
                <td>
                  <Badge state={row.status} />
                </td>
                <td class="wrap">
                  <a href={runPath(row.executionId)}>{titleOf(row, workflowNames)}</a>
                </td>
                <td>
                  <Time at={row.createdAt} />
                </td>
              </tr>
            ))}
          </DataTable>
          <a href={EXECUTIONS}>All executions</a>
        </>
      )}
    </div>
  );
}

/** The newest requests that were rejected, of all endpoints. */
export function LatestRefused({ refused }: { refused: Part<Refused[]> }) {
  return (
    <div>
      <h2>Latest rejected requests</h2>
      {!refused.ok && <p class="muted">{refused.why}</p>}
      {refused.ok && refused.value.length === 0 && <p class="muted">None in this time.</p>}
      {refused.ok && refused.value.length > 0 && (
        <DataTable
          label="Latest rejected requests"
          columns={["Answer", "Received", "Endpoint", "Why"]}
        >
          {refused.value.map(({ entry, endpointName }) => (
            <tr>
              <td>
                <Badge state={String(entry.httpStatus)} />
              </td>
              <td>
                <a href={entryPath(entry.endpointId, entry.requestId)}>
                  <Time at={entry.receivedAt} />
                </a>
              </td>
              <td>{endpointName}</td>
              <td class="wrap">{gistOf(entry)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </div>
  );
}
