import type { CreateWorkflowBody, WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { DataTable, Empty, NextPage, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";

/** A workflow to begin with: it runs with nothing set up, by a click or by any webhook with a `page`. */
export const EXAMPLE: CreateWorkflowBody = {
  name: "Headings of a page",
  prompt: "Open {{page}} and list its headings.",
  inputs: [
    {
      name: "page",
      type: "string",
      required: true,
      default: null,
      description: "The address of the page, such as https://example.com",
    },
  ],
};

const COLUMNS = ["Name", "Prompt", "Inputs", "Changed"];

/** The account's workflows, or how to come to a first one. */
export function WorkflowsPage({
  workflows,
  nextCursor,
  isFirstPage,
}: {
  workflows: WorkflowRecord[];
  nextCursor: string | null;
  isFirstPage: boolean;
}) {
  const older = nextCursor && `/dashboard/workflows?cursor=${encodeURIComponent(nextCursor)}`;
  return (
    <Layout
      title="Workflows"
      section="workflows"
      actions={
        <a class="button primary" href="/dashboard/workflows/new">
          New workflow
        </a>
      }
    >
      {workflows.length === 0 && isFirstPage ? (
        <NoWorkflows />
      ) : (
        <>
          <DataTable label="Workflows" columns={COLUMNS}>
            {workflows.map((workflow) => (
              <WorkflowRow workflow={workflow} />
            ))}
          </DataTable>
          <NextPage href={older} />
        </>
      )}
    </Layout>
  );
}

function WorkflowRow({ workflow }: { workflow: WorkflowRecord }) {
  const { workflowId, name, prompt, inputs, updatedAt } = workflow;
  return (
    <tr>
      <td class="named">
        <a href={`/dashboard/workflows/${workflowId}`}>{name}</a>
      </td>
      <td class="wrap">{preview(prompt)}</td>
      <td class="wrap">
        {inputs.length === 0 ? (
          <span class="muted">none</span>
        ) : (
          inputs.map(({ name: input, type }) => (
            <div>
              <code>{input}</code> <span class="muted">{type}</span>
            </div>
          ))
        )}
      </td>
      <td>
        <Time at={updatedAt} />
      </td>
    </tr>
  );
}

function NoWorkflows() {
  return (
    <Empty title="A workflow is a prompt that is kept">
      <p class="narrow">
        It has typed inputs, which <code>{"{{name}}"}</code> in the prompt refers to. You run it
        from here, by the API, or attach it to a webhook: whatever comes in there becomes its
        inputs.
      </p>
      <form method="post" action="/dashboard/workflows/example" class="actions centred">
        <button type="submit" class="primary">
          Make a first one
        </button>
        <a class="button" href="/dashboard/workflows/new">
          Write your own
        </a>
      </form>
      <p class="hint">The first one says “{EXAMPLE.prompt}” You can change all of it.</p>
    </Empty>
  );
}
