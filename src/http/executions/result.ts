import * as z from "zod";
import { executionResult } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { HttpProblem } from "../problem.ts";
import { route } from "../route.ts";
import { etag, isUnchanged } from "../version.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

const query = closed({
  partial: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` reads also before the end what there is until now."),
});

export const result = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/result`,
  operationId: "getExecutionResult",
  tag: "Executions",
  summary: "Read the result of an execution",
  description:
    "It is there once the execution has ended; with partial=true also before, with the outputs and effects until now.",
  guard: keyWith("executions:read"),
  params: executionParams,
  query,
  body: noBody,
  answer: jsonAnswer(
    200,
    "Its result; a failed or stopped one keeps its outputs.",
    executionResult,
    {
      executionId: EXAMPLE_ID,
      status: "completed",
      presentedResult: { summary: "The page has one link." },
      outputs: [
        {
          outputId: "out_1",
          nodeType: "LINK_EXTRACTION",
          label: "Links",
          type: "table",
          mediaType: "application/json",
          value: {
            columns: ["text", "url"],
            rows: [["More information", "https://www.iana.org/domains/example"]],
          },
          sources: [{ eventSeq: 5, url: "https://example.com/" }],
          createdAt: "2026-11-20T09:30:02.000Z",
        },
      ],
      creditsConsumed: 4,
      version: 9,
      effects: [],
      usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, modelSteps: 2, toolCalls: 2 },
      model: "builtin/planner",
      createdAt: "2026-11-20T09:30:00.000Z",
      finishedAt: "2026-11-20T09:30:02.000Z",
    },
  ),
  errors: ["not_found", "result_not_ready"],
  requestHeaders: ["If-None-Match"],
  responseHeaders: ["ETag"],
  async handler({ http, caller, params: { executionId }, query }) {
    const reply = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: true,
      ask: (session) => session.result(caller.accountId, { partial: query.partial === "true" }),
    });
    if (reply.kind === "not_ready") throw resultNotReady(reply.status);
    const headers = { ETag: etag(reply.result.version) };
    if (isUnchanged(http.req.header("If-None-Match"), reply.result.version)) {
      return new Response(null, { status: 304, headers });
    }
    return { value: reply.result, headers };
  },
});

/** The execution goes on, so that there is no result yet. */
export function resultNotReady(status: string): HttpProblem {
  return new HttpProblem("result_not_ready", `The execution is ${status}; it has no result yet.`, {
    headers: { "Retry-After": "2" },
  });
}
