import type { ExecutionRow } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Layout } from "../../components/layout.tsx";
import { Notice } from "../../components/parts.tsx";
import type { Refusal } from "../../forms/faults.ts";
import { Definition } from "./definition.tsx";
import { RunForm } from "./run-form.tsx";
import type { TypedInputs } from "./run-inputs.ts";
import { WorkflowEndpoints, WorkflowRuns } from "./uses.tsx";

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
      <WorkflowRuns workflowId={workflowId} executions={uses.executions} />
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
