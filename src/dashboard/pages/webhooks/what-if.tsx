import type { Fate, WhatIfRequest, WhatIfResult } from "../../../contract/inbound/what-if.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Badge, DataTable, Time } from "../../components/parts.tsx";
import { entryPath } from "../requests/paths.ts";
import { ErrorList } from "./verdict.tsx";

const COLUMNS = ["Received", "Change", "Now", "With this draft"];

/** How the newest requests fare under the rules of today and under a draft. */
export function WhatIf({ endpointId, result }: { endpointId: string; result: WhatIfResult }) {
  const { requests, totals } = result;
  return (
    <section id="what-if">
      <h2>What if</h2>
      {requests.length === 0 ? (
        <p class="muted">There is no request in the log yet that it could be tried on.</p>
      ) : (
        <>
          <p role="status">{totalWords(totals)}</p>
          <DataTable label="Before and after" columns={COLUMNS}>
            {requests.map((request) => (
              <Row endpointId={endpointId} request={request} />
            ))}
          </DataTable>
        </>
      )}
    </section>
  );
}

function totalWords({
  looked,
  changed,
  refusedBefore,
  refusedAfter,
  truncated,
}: WhatIfResult["totals"]) {
  const of = looked === 1 ? "Of the newest request" : `Of the newest ${looked} requests`;
  const more = truncated ? " There are more, which would have taken too long." : "";
  return `${of} ${changed} would fare otherwise. Refused now: ${refusedBefore}; with this draft: ${refusedAfter}.${more}`;
}

function Row({ endpointId, request }: { endpointId: string; request: WhatIfRequest }) {
  const { requestId, receivedAt, before, after, changed } = request;
  return (
    <tr>
      <td>
        <a href={entryPath(endpointId, requestId)}>
          <Time at={receivedAt} />
        </a>
      </td>
      <td>{changed ? <Badge state="changed" /> : <span class="muted">none</span>}</td>
      <td class="wrap">
        <Fares fate={before} />
      </td>
      <td class="wrap">
        <Fares fate={after} />
      </td>
    </tr>
  );
}

function Fares({ fate: { ok, errors, mappedInputs } }: { fate: Fate }) {
  return (
    <>
      <Badge state={ok ? "passed" : "refused"} />
      <ErrorList errors={errors} />
      {mappedInputs !== null && Object.keys(mappedInputs).length > 0 && (
        <JsonView value={mappedInputs} level={1} />
      )}
    </>
  );
}
