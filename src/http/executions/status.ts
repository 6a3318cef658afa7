import { executionState } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { wholeNumber } from "../query.ts";
import { route } from "../route.ts";
import { etag, isUnchanged } from "../version.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

const query = closed({
  sinceVersion: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({
      description: "The version that you have: wait for a later one.",
      param: { example: 1 },
    }),
  waitSeconds: wholeNumber(1, 30)
    .optional()
    .meta({ description: "How long to wait for it at most.", param: { example: 10 } }),
}).refine(
  ({ sinceVersion, waitSeconds }) => waitSeconds === undefined || sinceVersion !== undefined,
  {
    message: "is needed beside waitSeconds",
    path: ["sinceVersion"],
  },
);

export const status = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/status`,
  operationId: "getExecutionStatus",
  tag: "Executions",
  summary: "Read how an execution stands",
  description:
    "With sinceVersion and waitSeconds it answers as soon as the version passes sinceVersion, or when the time is over.",
  guard: keyWith("executions:read"),
  params: executionParams,
  query,
  body: noBody,
  answer: jsonAnswer(200, "Its status.", executionState, {
    executionId: EXAMPLE_ID,
    status: "active",
    statusDetail: "running",
    version: 4,
    progress: {
      message: "Opening https://example.com",
      stepsCompleted: 1,
      currentStep: 2,
      percent: null,
    },
    creditsConsumed: 2,
    createdAt: "2026-11-20T09:30:00.000Z",
    startedAt: "2026-11-20T09:30:00.100Z",
    updatedAt: "2026-11-20T09:30:01.000Z",
    finishedAt: null,
  }),
  errors: ["not_found"],
  requestHeaders: ["If-None-Match"],
  responseHeaders: ["ETag"],
  async handler({ http, caller, params, query }) {
    const { sinceVersion, waitSeconds } = query;
    const { state } = await askSession({
      env: http.env,
      caller,
      executionId: params.executionId,
      idempotent: true,
      ask: (session) =>
        sinceVersion === undefined || waitSeconds === undefined
          ? session.status(caller.accountId)
          : session.waitForStatus(caller.accountId, sinceVersion, waitSeconds),
    });
    const headers = { ETag: etag(state.version) };
    if (isUnchanged(http.req.header("If-None-Match"), state.version)) {
      return new Response(null, { status: 304, headers });
    }
    return { value: state, headers };
  },
});
