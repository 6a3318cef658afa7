import type * as z from "zod";
import type { CheckReport, testResult } from "../../../contract/inbound/log.ts";
import type { StageError } from "../../../contract/inbound/payload.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Badge, DataTable } from "../../components/parts.tsx";
import { STAGE_NAMES } from "../requests/words.ts";

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
