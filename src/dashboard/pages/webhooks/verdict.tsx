import type * as z from "zod";
import type { testResult } from "../../../contract/webhooks/log.ts";
import type { StageError } from "../../../contract/webhooks/payload.ts";
import type { Fate, WhatIfResult } from "../../../contract/webhooks/trials.ts";
import { Badge, Sentences, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { requestPath } from "../../paths.ts";
import { STAGE_NAMES } from "../requests/labels.ts";

export type TestResult = z.output<typeof testResult>;

const CHECK_COLUMNS: Column<TestResult["checks"][number]>[] = [
  { name: "Check", is: "keep", cell: ({ stage }) => STAGE_NAMES[stage] },
  { name: "Verdict", cell: ({ verdict }) => <Badge state={verdict} /> },
  {
    name: "Reason",
    is: "wrap",
    cell: ({ errors, note }) => (
      <>
        <ErrorList errors={errors} />
        {note !== undefined && <span class="muted">{note}</span>}
      </>
    ),
  },
];

/** What would happen to a sample, check by check. */
export function Verdict({ result }: { result: TestResult }) {
  return (
    <section id="verdict">
      <h2>
        {result.accepted ? "Accepted" : "Rejected"}
        <span class="muted">{` · HTTP ${result.httpStatus}`}</span>
      </h2>
      <Table label="Checks" columns={CHECK_COLUMNS} rows={result.checks} />
      <Sentences title="Diagnosis" lines={result.diagnosis} />
      <Sentences title="Warnings" lines={result.warnings} />
      <div class="card">
        <h3>Workflow inputs</h3>
        {result.mappedInputs === null ? (
          <p class="muted">None: the request is rejected before the mapping.</p>
        ) : (
          <JsonView value={result.mappedInputs} />
        )}
        {result.eventId !== null && (
          <p class="muted">
            Event id <code>{result.eventId}</code>
            {result.duplicate && " (duplicate)"}
          </p>
        )}
      </div>
    </section>
  );
}

/** What is wrong with a request, and the rules that say so. */
export function ErrorList({ errors }: { errors: readonly StageError[] }) {
  if (errors.length === 0) return null;
  return (
    <ul class="told">
      {errors.map(({ path, rule, message }) => (
        <li>
          {path && <code>{path}</code>}
          {/* Some messages continue with their field, some are sentences. */}
          {path && (/^[A-Z]/.test(message) ? ": " : " ")}
          {message} <span class="muted">{`rule ${rule}`}</span>
        </li>
      ))}
    </ul>
  );
}

const whatIfColumns = (endpointId: string): Column<WhatIfResult["requests"][number]>[] => [
  {
    name: "Received",
    cell: ({ requestId, receivedAt }) => (
      <a href={requestPath(endpointId, requestId)}>
        <Time at={receivedAt} />
      </a>
    ),
  },
  { name: "Current rules", is: "wrap", cell: ({ before }) => <FateCell fate={before} /> },
  { name: "This draft", is: "wrap", cell: ({ after }) => <FateCell fate={after} /> },
];

/** What a draft would change of the latest requests; where it changes none, what it makes of the newest. */
export function WhatIf({
  endpointId,
  result,
  route,
}: {
  endpointId: string;
  result: WhatIfResult;
  /** The name of the route that the draft changes. */
  route: string | null;
}) {
  const { requests, totals } = result;
  const matches = requests.filter(({ after }) =>
    after.routes.some(({ name, matched }) => name === route && matched),
  );
  const changed = requests.filter((request) => request.changed);
  const rows = changed.length > 0 ? changed : requests.slice(0, 1);
  return (
    <section id="what-if">
      <h2>Draft results</h2>
      {route !== null && (
        <p>
          <strong>{`${route} matches ${matches.length} of the last ${requests.length}.`}</strong>
        </p>
      )}
      <p role="status">{totalText(totals)}</p>
      {rows.length > 0 && (
        <Table label="Draft results" columns={whatIfColumns(endpointId)} rows={rows} />
      )}
    </section>
  );
}

function totalText(totals: WhatIfResult["totals"]): string {
  const { looked, changed, refusedBefore, refusedAfter, truncated } = totals;
  if (looked === 0) return "No requests to try the draft on yet.";
  const outcomes = changed === 1 ? "1 outcome" : `${changed} outcomes`;
  const of = looked === 1 ? "the latest request" : `the latest ${looked} requests`;
  const more = truncated ? " Older requests were left out to answer in time." : "";
  return `${outcomes} of ${of} would change. Rejected by the current rules: ${refusedBefore}; by this draft: ${refusedAfter}.${more}`;
}

function FateCell({ fate: { ok, errors, mappedInputs } }: { fate: Fate }) {
  return (
    <>
      <Badge state={ok ? "passed" : "rejected"} />
      <ErrorList errors={errors} />
      {mappedInputs !== null && Object.keys(mappedInputs).length > 0 && (
        <JsonView value={mappedInputs} level={1} />
      )}
    </>
  );
}
