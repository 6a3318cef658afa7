import type { ExecutionRow } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { Badge, Copyable, Facts, LinkButton, NoValue, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Layout } from "../../components/layout.tsx";
import { KeptIn } from "../../components/managed.tsx";
import { IfMay } from "../../components/reader.tsx";
import { type Column, RowLink, Table, TablePart } from "../../components/table.tsx";
import { shellQuoted } from "../../format.ts";
import { storedSecret } from "../../forms/execution-options.tsx";
import type { FormState } from "../../forms/form.ts";
import {
  EXECUTIONS,
  endpointPath,
  SCHEDULES,
  WEBHOOKS,
  WORKFLOWS,
  workflowPath,
} from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
import { DeleteLink } from "../resource.tsx";
import { SAMPLE_VALUES } from "../webhooks/sample-event.ts";
import { RunForm } from "./run-form.tsx";

const INPUT_COLUMNS: Column<WorkflowInput>[] = [
  { name: "Name", isBare: true, cell: ({ name }) => <code>{name}</code> },
  { name: "Type", isBare: true, cell: ({ type }) => type },
  { name: "Required", cell: ({ required }) => (required ? "yes" : "no") },
  {
    name: "Default",
    is: "wrap",
    cell: ({ default: standard }) =>
      standard === null ? <NoValue /> : <JsonView value={standard} />,
  },
  { name: "Description", is: "wrap", isBare: true, cell: ({ description }) => description },
];

const ENDPOINT_COLUMNS: Column<EndpointRecord>[] = [
  {
    name: "Name",
    is: "wrap",
    isBare: true,
    cell: ({ endpointId, name }) => <RowLink href={endpointPath(endpointId)}>{name}</RowLink>,
  },
  {
    name: "URL",
    isBare: true,
    cell: ({ url }) => (
      <div class="address">
        <code>{url}</code>
      </div>
    ),
  },
  {
    name: "State",
    isBare: true,
    cell: ({ enabled }) => <Badge state={enabled ? "enabled" : "disabled"} />,
  },
];

/** What uses a workflow; null where the session's key may not read it. */
export interface Uses {
  executions: ExecutionRow[] | null;
  endpoints: EndpointRecord[] | null;
}

/** One workflow: the form that runs it, its executions, its endpoints, its definition. */
export function WorkflowPage({
  workflow,
  uses,
  origin,
  state,
  notice,
}: {
  workflow: WorkflowRecord;
  uses: Uses;
  /** The origin of the service, for commands. */
  origin: string;
  /** The form that runs it. */
  state: FormState;
  notice: string | null;
}) {
  const { workflowId, name } = workflow;
  return (
    <Layout
      title={name}
      crumb={{ label: "Workflows", href: WORKFLOWS }}
      section="workflows"
      notice={notice}
      actions={
        <IfMay scope="workflows:write">
          <a class="button" href={`${SCHEDULES}/new?${new URLSearchParams({ workflowId })}`}>
            Create schedule
          </a>
          <LinkButton href={workflowPath(workflowId, "/edit")}>Edit workflow</LinkButton>
          <DeleteLink href={workflowPath(workflowId, "/delete")} name={name} verb="Delete" />
        </IfMay>
      }
    >
      <IfMay scope="executions:write">
        <RunForm workflowId={workflowId} state={state} />
      </IfMay>
      <UsedBy workflowId={workflowId} uses={uses} />
      <Definition workflow={workflow} origin={origin} />
    </Layout>
  );
}

function UsedBy({ workflowId, uses }: { workflowId: string; uses: Uses }) {
  const query = new URLSearchParams({ workflowId });
  return (
    <>
      <TablePart
        title="Latest executions"
        rows={uses.executions ?? "Your key may not read executions."}
        nothing="No executions yet."
        link={uses.executions?.length ? <a href={`${EXECUTIONS}?${query}`}>View all</a> : null}
        {...executionTable()}
      />
      <TablePart
        title="Endpoints"
        rows={uses.endpoints ?? "Your key may not read endpoints."}
        nothing="No endpoint starts this workflow yet."
        link={
          <IfMay scope="webhooks:write">
            <a href={`${WEBHOOKS}/new?${query}`}>Create endpoint</a>
          </IfMay>
        }
        columns={ENDPOINT_COLUMNS}
      />
    </>
  );
}

/** What a workflow is, and how a program runs it. */
function Definition({ workflow, origin }: { workflow: WorkflowRecord; origin: string }) {
  const { prompt, inputs, workflowId, outputSchema, callbackSecret } = workflow;
  const fact = (name: string, value: string | number | undefined) =>
    value !== undefined && ([name, value] as const);
  return (
    <section class="part">
      <h2>Definition</h2>
      <div class="card">
        <h3>Prompt</h3>
        <pre class="prose">{prompt}</pre>
        {inputs.length > 0 && (
          <>
            <h3>Inputs</h3>
            <Table label="Inputs" columns={INPUT_COLUMNS} rows={inputs} />
          </>
        )}
        <Facts
          facts={[
            fact("Model", workflow.model && [workflow.model].flat().join(", then ")),
            fact("Tools", workflow.tools?.join(", ")),
            fact("Requires approval", workflow.approvals?.join(", ")),
            fact("Credit limit", workflow.maxCredits),
            fact("Step limit", workflow.maxSteps),
            fact("Timeout (seconds)", workflow.timeoutSeconds),
            fact("Callback URL", workflow.callbackUrl),
            fact("Callback secret", callbackSecret && storedSecret(callbackSecret.last4)),
            ["Updated", <Time at={workflow.updatedAt} />],
            ["Revision", <a href={workflowPath(workflowId, "/revisions")}>{workflow.revision}</a>],
            ["Kept in", <KeptIn {...workflow} />],
          ]}
        />
        {outputSchema !== undefined && (
          <>
            <h3>Output schema</h3>
            <JsonView value={outputSchema} />
          </>
        )}
      </div>
      <Copyable
        id="run-by-api"
        label="Run workflow by the API"
        text={command(origin, workflowId, inputs)}
      />
      <p class="muted">
        <code>{workflowId}</code>
      </p>
    </section>
  );
}

function command(origin: string, workflowId: string, inputs: WorkflowRecord["inputs"]): string {
  const values = Object.fromEntries(
    inputs.map(({ name, type, default: standard }) => [name, standard ?? SAMPLE_VALUES[type]]),
  );
  return [
    `curl ${origin}/api/v1/workflows/${workflowId}/run \\`,
    `  -H "Authorization: Bearer $PROMPTHOOK_API_KEY" -H 'Content-Type: application/json' \\`,
    `  --data-raw ${shellQuoted(JSON.stringify({ inputs: values }))}`,
  ].join("\n");
}
