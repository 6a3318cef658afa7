import * as z from "zod";
import { executionRow, executionStatus, origin } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { accountStub } from "../../durable/stubs.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { granted, keyCheckedByAct } from "../guard.ts";
import { unavailable } from "../problem.ts";
import { cursor, limit, listOf, moment, nextCursorSchema, noParams } from "../query.ts";
import { route } from "../route.ts";
import { AGENT, EXAMPLE_ID } from "./ids.ts";

const query = closed({
  limit,
  cursor,
  status: listOf(executionStatus),
  origin: listOf(origin),
  workflowId: z.string().min(1).max(100).optional().describe("Only runs of this workflow."),
  createdAfter: moment.optional().describe("Only what was accepted after this moment."),
  createdBefore: moment.optional().describe("Only what was accepted before this moment."),
});

const page = z
  .object({
    executions: z.array(executionRow).describe("The newest first."),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: "ExecutionPage" });

export const list = route({
  method: "GET",
  path: `${AGENT}/trigger/list`,
  operationId: "listExecutions",
  tag: "Executions",
  summary: "List executions, the newest first",
  description: "One that was just triggered is in it at once.",
  guard: keyCheckedByAct("executions:read"),
  params: noParams,
  query,
  body: noBody,
  answer: jsonAnswer(200, "One page.", page, {
    executions: [
      {
        executionId: EXAMPLE_ID,
        status: "completed",
        statusDetail: "done",
        version: 9,
        promptPreview: "Open https://example.com and list its links as a table.",
        summary: "The page has one link.",
        creditsConsumed: 4,
        origin: "api",
        workflowId: null,
        metadata: { order: "1007" },
        createdAt: "2026-11-20T09:30:00.000Z",
        updatedAt: "2026-11-20T09:30:02.000Z",
        finishedAt: "2026-11-20T09:30:02.000Z",
      },
    ],
    nextCursor: null,
  }),
  errors: [],
  async handler({ http, caller, query }) {
    const position = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const filter = {
      limit: query.limit,
      cursor: position && { createdAt: position.createdAt, executionId: position.id },
      statuses: query.status,
      origins: query.origin,
      workflowId: query.workflowId ?? null,
      createdAfter: query.createdAfter ?? null,
      createdBefore: query.createdBefore ?? null,
    };
    const reply = granted(
      http,
      await callWithRetry(
        () => accountStub(http.env, caller.accountId).list(caller.credential, filter),
        {
          idempotent: true,
        },
      ),
    );
    if (reply.kind === "unavailable") throw unavailable("The list cannot be read at this moment.");
    const { executions, next } = reply;
    const nextCursor = next && encodeCursor({ createdAt: next.createdAt, id: next.executionId });
    return { value: { executions, nextCursor } };
  },
});
