import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Copyable, DataTable, Time } from "../../components/parts.tsx";
import { keptWords } from "../../forms/secret-words.ts";

/** What a workflow is, and how a program runs it. */
export function Definition({ workflow, origin }: { workflow: WorkflowRecord; origin: string }) {
  const { prompt, inputs, workflowId, outputSchema } = workflow;
  return (
    <section class="part">
      <h2>Definition</h2>
      <div class="card">
        <h3>Prompt</h3>
        <pre class="prose">{prompt}</pre>
        {inputs.length > 0 && <Inputs inputs={inputs} />}
        <Facts workflow={workflow} />
        {outputSchema !== undefined && (
          <>
            <h3>Schema of the result</h3>
            <JsonView value={outputSchema} />
          </>
        )}
      </div>
      <Copyable
        id="run-by-api"
        label="Run it by the API"
        text={command(origin, workflowId, inputs)}
      />
      <p class="muted">
        <code>{workflowId}</code>
      </p>
    </section>
  );
}

function Inputs({ inputs }: { inputs: WorkflowRecord["inputs"] }) {
  return (
    <>
      <h3>Inputs</h3>
      <DataTable label="Inputs" columns={["Name", "Type", "Required", "Default", "Description"]}>
        {inputs.map(({ name, type, required, default: standard, description }) => (
          <tr>
            <td>
              <code>{name}</code>
            </td>
            <td>{type}</td>
            <td>{required ? "yes" : "no"}</td>
            <td class="wrap">
              {standard === null ? <span class="muted">–</span> : <JsonView value={standard} />}
            </td>
            <td class="wrap">{description}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function Facts({ workflow }: { workflow: WorkflowRecord }) {
  const { maxCredits, maxSteps, timeoutSeconds, callbackUrl, callbackSecret } = workflow;
  const facts: [string, string | number | undefined][] = [
    ["Model", workflow.model],
    ["Tools", workflow.tools?.join(", ")],
    ["Waits for a yes", workflow.approvals?.join(", ")],
    ["Credits at most", maxCredits],
    ["Steps at most", maxSteps],
    ["Seconds at most", timeoutSeconds],
    ["Callback", callbackUrl],
    ["Callback secret", callbackSecret && keptWords(callbackSecret.last4)],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
      <dt>Changed</dt>
      <dd>
        <Time at={workflow.updatedAt} />
      </dd>
    </dl>
  );
}

const SAMPLES: Record<WorkflowRecord["inputs"][number]["type"], unknown> = {
  string: "text",
  number: 1.5,
  integer: 1,
  boolean: true,
  timestamp: "2026-01-31T09:30:00Z",
  object: {},
  array: [],
};

function command(origin: string, workflowId: string, inputs: WorkflowRecord["inputs"]): string {
  const values = Object.fromEntries(
    inputs.map(({ name, type, default: standard }) => [name, standard ?? SAMPLES[type]]),
  );
  const body = JSON.stringify({ inputs: values }).replaceAll("'", "'\\''");
  return [
    `curl ${origin}/api/v1/workflows/${workflowId}/run \\`,
    `  -H "Authorization: Bearer $PROMPTHOOK_API_KEY" -H 'Content-Type: application/json' \\`,
    `  --data-raw '${body}'`,
  ].join("\n");
}
