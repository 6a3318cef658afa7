import type { CreateWorkflowBody, WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { DataTable, Empty, NextPage, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action } from "../../components/reader.tsx";
import { nextPath, WORKFLOWS, workflowPath } from "../../paths.ts";

const COLUMNS = ["Workflow", "Inputs", "Updated"];

/** A first workflow that needs no set-up; any webhook with a field `page` can start it. */
export const EXAMPLE: CreateWorkflowBody = {
  name: "Headings of a page",
  prompt: "Open {{page}} and list its headings.",
  inputs: [
    {
      name: "page",
      type: "string",
      required: true,
      default: null,
      description: "The URL of the page, such as https://example.com",
    },
  ],
};

/** The account's workflows. */
export function WorkflowsPage({
  workflows,
  nextCursor,
  live,
}: {
  workflows: WorkflowRecord[];
  nextCursor: string | null;
  /** Null for older pages. */
  live: string | null;
}) {
  const create = (
    <Action scope="workflows:write" href={`${WORKFLOWS}/new`}>
      Create workflow
    </Action>
  );
  return (
    <Layout title="Workflows" section="workflows" actions={create} live={live}>
      {workflows.length === 0 && live !== null ? (
        <NoWorkflows />
      ) : (
        <>
          <DataTable label="Workflows" columns={COLUMNS} numeric={[2]}>
            {workflows.map((workflow) => (
              <WorkflowRow workflow={workflow} />
            ))}
          </DataTable>
          <NextPage href={nextPath(WORKFLOWS, nextCursor)} />
        </>
      )}
    </Layout>
  );
}

function WorkflowRow({ workflow }: { workflow: WorkflowRecord }) {
  const { workflowId, name, prompt, inputs, updatedAt } = workflow;
  return (
    <tr>
      <td class="wrap">
        <a class="row-link" href={workflowPath(workflowId)}>
          {name}
        </a>
        <div class="muted">{preview(prompt)}</div>
      </td>
      <td data-label="Inputs">
        {inputs.length === 0 && <span class="muted">none</span>}
        {inputs.map(({ name: input, type }) => (
          <div>
            <code>{input}</code> <span class="muted">{type}</span>
          </div>
        ))}
      </td>
      <td class="num" data-label="Updated">
        <Time at={updatedAt} />
      </td>
    </tr>
  );
}

function NoWorkflows() {
  return (
    <Empty title="No workflows yet">
      <p class="narrow">
        A workflow is a saved prompt with typed inputs. Run it here, by the API or from webhooks.
      </p>
      <form method="post" action={`${WORKFLOWS}/example`}>
        <button type="submit" class="primary">
          Create example workflow
        </button>
      </form>
    </Empty>
  );
}
