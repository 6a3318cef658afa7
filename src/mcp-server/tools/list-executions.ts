import * as z from "zod";
import { executionRow, executionStatus, origin } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { cursor, limit } from "../fields.ts";
import { tool } from "../tool.ts";

const moment = z.iso.datetime({ offset: true });

export const listExecutions = tool({
  name: "list_executions",
  title: "List agents",
  description:
    "Lists the account's executions, the newest first, with status, the beginning of the prompt and a summary of what came out.",
  input: closed({
    status: z.exactOptional(z.array(executionStatus).max(5).describe("Only in one of these.")),
    origin: z.exactOptional(z.array(origin).max(4).describe("Only started by one of these.")),
    workflowId: z.exactOptional(z.string().max(100).describe("Only runs of this workflow.")),
    createdAfter: z.exactOptional(moment.describe("Only started after this time, ISO 8601.")),
    createdBefore: z.exactOptional(moment.describe("Only started before this time, ISO 8601.")),
    limit,
    cursor,
  }),
  output: z.object({
    executions: z.array(executionRow),
    nextCursor: z.string().nullable().describe("The cursor of the next page; null on the last."),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (query, call) => call.api.executions.list(query, call),
});
