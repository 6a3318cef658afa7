import type { CreateWorkflowBody, WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { Submit, Time } from "../../components/elements.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { WORKFLOWS, workflowPath } from "../../paths.ts";
import { serveList } from "../resource.tsx";

/** A first workflow that needs no set-up; any webhook with a field `page` can start it. */
export const EXAMPLE: CreateWorkflowBody = {
  name: "Headings of a page",
  prompt: "List headings of {{page}}.",
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

const COLUMNS: Column<WorkflowRecord>[] = [
  {
    name: "Workflow",
    is: "wrap",
    isBare: true,
    cell: ({ workflowId, name, prompt }) => (
      <>
        <RowLink href={workflowPath(workflowId)}>{name}</RowLink>
        <div class="muted">{preview(prompt)}</div>
      </>
    ),
  },
  {
    name: "Inputs",
    cell: ({ inputs }) =>
      inputs.length === 0 ? (
        <span class="muted">none</span>
      ) : (
        inputs.map(({ name, type }) => (
          <div>
            <code>{name}</code> <span class="muted">{type}</span>
          </div>
        ))
      ),
  },
  { name: "Updated", is: "num", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** Serves the list of the account's workflows. */
export function serveWorkflowList(app: Dashboard): void {
  serveList(app, {
    title: "Workflows",
    section: "workflows",
    path: WORKFLOWS,
    load: (api, query) => api.workflows.list(query),
    rowsOf: ({ workflows }) => workflows,
    around: async () => null,
    columns: () => COLUMNS,
    action: { scope: "workflows:write", href: `${WORKFLOWS}/new`, children: "Create workflow" },
    empty: {
      title: "No workflows yet",
      text: "A workflow is a saved prompt with typed inputs. Run it here, by the API or from webhooks.",
      button: (
        <form method="post" action={`${WORKFLOWS}/example`}>
          <Submit>Create example workflow</Submit>
        </form>
      ),
    },
  });
}
