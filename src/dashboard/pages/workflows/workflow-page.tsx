import type { ExecutionRow } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Badge, Copyable, DataTable, Notice, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Refusal } from "../../forms/errors.tsx";
import { keptWords } from "../../forms/posted.ts";
import { ORIGIN_LABELS, sentencesOf } from "../executions/labels.ts";
import { RunForm, type TypedInputs } from "./run-form.tsx";

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

/** The workflow's latest executions. */
export function WorkflowExecutions({
  workflowId,
  executions,
}: {
  workflowId: string;
  executions: ExecutionRow[] | null;
}) {
  return (
    <section class="part">
      <div class="section-head">
        <h2>Latest executions</h2>
        {executions !== null && executions.length > 0 && (
          <a href={`/dashboard/executions?workflowId=${workflowId}`}>All of them</a>
        )}
      </div>
      {executions === null ? (
        <p class="muted">The key of this session may not read executions.</p>
      ) : executions.length === 0 ? (
        <p class="muted">It has not run yet.</p>
      ) : (
        <DataTable
          label="Latest executions"
          columns={["Created", "Status", "Started by", "Summary", "Credits"]}
        >
          {executions.map((row) => (
            <tr>
              <td>
                <a href={`/dashboard/executions/${row.executionId}`}>
                  <Time at={row.createdAt} />
                </a>
              </td>
              <td>
                <Badge state={row.status} />
              </td>
              <td>{ORIGIN_LABELS[row.origin]}</td>
              <td class="wrap">
                {row.summary === null ? (
                  <span class="muted">–</span>
                ) : (
                  sentencesOf(row.summary, 160)
                )}
              </td>
              <td>{row.creditsConsumed}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** The endpoints that the workflow is attached to. */
export function WorkflowEndpoints({
  workflowId,
  endpoints,
}: {
  workflowId: string;
  endpoints: EndpointRecord[] | null;
}) {
  return (
    <section class="part">
      <div class="section-head">
        <h2>Endpoints</h2>
        <a href={`/dashboard/webhooks/new?workflowId=${workflowId}`}>New endpoint for it</a>
      </div>
      {endpoints === null ? (
        <p class="muted">The key of this session may not read endpoints.</p>
      ) : endpoints.length === 0 ? (
        <p class="muted">No webhook starts it yet.</p>
      ) : (
        <DataTable label="Endpoints" columns={["Name", "URL", "State"]}>
          {endpoints.map(({ endpointId, name, url, enabled }) => (
            <tr>
              <td class="named">
                <a href={`/dashboard/webhooks/${endpointId}`}>{name}</a>
              </td>
              <td class="address">
                <code>{url}</code>
              </td>
              <td>
                <Badge state={enabled ? "enabled" : "disabled"} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** What is shown beside a workflow; null where the session's key may not read it. */
export interface Uses {
  executions: ExecutionRow[] | null;
  endpoints: EndpointRecord[] | null;
}

/** A workflow: run it, what it ran, what starts it, what it is. */
export function WorkflowPage({
  workflow,
  uses,
  origin,
  runKey,
  typed = new Map(),
  refusal = null,
  notice = null,
}: {
  workflow: WorkflowRecord;
  uses: Uses;
  /** Where the service is, for its own commands. */
  origin: string;
  runKey: string;
  typed?: TypedInputs;
  refusal?: Refusal | null;
  notice?: string | null;
}) {
  const { workflowId, name } = workflow;
  return (
    <Layout
      title={name}
      section="workflows"
      actions={
        <a class="button" href={`/dashboard/workflows/${workflowId}/edit`}>
          Edit
        </a>
      }
    >
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <RunForm workflow={workflow} typed={typed} refusal={refusal} runKey={runKey} />
      <WorkflowExecutions workflowId={workflowId} executions={uses.executions} />
      <WorkflowEndpoints workflowId={workflowId} endpoints={uses.endpoints} />
      <Definition workflow={workflow} origin={origin} />
      <Delete workflow={workflow} endpoints={uses.endpoints ?? []} />
    </Layout>
  );
}

function Delete({
  workflow: { workflowId, name },
  endpoints,
}: {
  workflow: WorkflowRecord;
  endpoints: EndpointRecord[];
}) {
  const names = endpoints.map((endpoint) => endpoint.name).join(", ");
  return (
    <details class="card danger-zone">
      <summary>Delete this workflow</summary>
      <p>
        {endpoints.length === 0
          ? "No endpoint uses it. Executions that were started go on."
          : `Its endpoints (${names}) hold what they receive from then on, until another workflow is attached. Executions that were started go on.`}
      </p>
      <form method="post" action={`/dashboard/workflows/${workflowId}/delete`}>
        <button type="submit" class="danger">
          {`Delete ${name}`}
        </button>
      </form>
    </details>
  );
}
