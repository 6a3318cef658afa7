import * as z from "zod";
import { closed } from "../../contract/fields.ts";
import { workflowRecord } from "../../contract/workflow.ts";
import { cursor, limit } from "../fields.ts";
import { tool } from "../tool.ts";

export const listWorkflows = tool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the account's workflows, the newest first: prepared tasks with typed inputs, which run_workflow starts.",
  input: closed({ limit, cursor }),
  output: z.object({
    workflows: z.array(workflowRecord),
    nextCursor: z.string().nullable().describe("The cursor of the next page; null on the last."),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (query, call) => call.api.workflows.list(query, call),
});
