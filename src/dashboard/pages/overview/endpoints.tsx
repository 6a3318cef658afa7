import type { AllWebhookUsage } from "../../../contract/usage.ts";
import { told } from "../../components/charts/words.ts";
import { DataTable } from "../../components/parts.tsx";
import { endpointPath, WEBHOOKS } from "../webhooks/paths.ts";

const COLUMNS = ["Endpoint", "Requests", "Rejected", "Failed", "Start p50"];

/** What each endpoint got in the range. */
export function EndpointTable({ endpoints }: { endpoints: AllWebhookUsage["endpoints"] }) {
  return (
    <div class="card">
      <h2>By endpoint</h2>
      <DataTable label="Webhooks by endpoint" columns={COLUMNS}>
        {endpoints.map(({ endpointId, name, requests, latencyMs: { toStart } }) => (
          <tr>
            <td class="wrap">
              <a href={endpointPath(endpointId)}>{name}</a>
            </td>
            <td>{told(totalOf(requests), "count")}</td>
            <td>{told(requests.rejected, "count")}</td>
            <td>{told(requests.failed, "count")}</td>
            <td>{told(toStart?.p50 ?? null, "duration")}</td>
          </tr>
        ))}
      </DataTable>
      <a href={WEBHOOKS}>All endpoints</a>
    </div>
  );
}

function totalOf(requests: AllWebhookUsage["total"]["requests"]): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}
