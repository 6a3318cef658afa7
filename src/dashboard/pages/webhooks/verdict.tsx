import type * as z from "zod";
import type { CheckReport, testResult } from "../../../contract/inbound/log.ts";
import type { StageError } from "../../../contract/inbound/payload.ts";
import type { Fate, WhatIfRequest, WhatIfResult } from "../../../contract/inbound/trials.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { requestPath } from "../../paths.ts";
import { STAGE_NAMES } from "../requests/labels.ts";

export type TestResult = z.output<typeof testResult>;

/** What would become of a sample, check by check. */
export function Verdict({ result }: { result: TestResult }) {
  return (
    <section id="verdict">
      <h2>
        {result.accepted ? "It would be accepted" : "It would not be accepted"}
        <span class="muted">{` · answered ${result.httpStatus}`}</span>
      </h2>
      <DataTable label="Checks" columns={["Check", "Verdict", "Why"]}>
        {result.checks.map((check) => (
          <CheckRow check={check} />
        ))}
      </DataTable>
      <Lines title="What would help" lines={result.diagnosis} />
      <Lines title="Warnings" lines={result.warnings} />
      <div class="card">
        <h3>What the workflow would get</h3>
        {result.mappedInputs === null ? (
          <p class="muted">Nothing: it does not come that far.</p>
        ) : (
          <JsonView value={result.mappedInputs} />
        )}
        {result.eventId !== null && (
          <p class="muted">
            Event id <code>{result.eventId}</code>
            {result.duplicate && ", which came before"}
          </p>
        )}
      </div>
    </section>
  );
}

function CheckRow({ check: { stage, verdict, errors, note } }: { check: CheckReport }) {
  return (
    <tr>
      <td class="keep">{STAGE_NAMES[stage]}</td>
      <td>
        <Badge state={verdict} />
      </td>
      <td class="wrap">
        <ErrorList errors={errors} />
        {note !== undefined && <span class="muted">{note}</span>}
      </td>
    </tr>
  );
}

/** What was wrong, each with its path. */
export function ErrorList({ errors }: { errors: readonly StageError[] }) {
  if (errors.length === 0) return null;
  return (
    <ul class="told">
      {errors.map(({ path, message }) => (
        <li>
          {path !== undefined && <code>{`${path} `}</code>}
          {message}
        </li>
      ))}
    </ul>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div class="card">
      <h3>{title}</h3>
      <ul class="told">
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </div>
  );
}

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
        <a href={requestPath(endpointId, requestId)}>
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
