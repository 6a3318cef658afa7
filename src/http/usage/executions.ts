import { usage as usageSchema } from "../../contract/usage.ts";
import { accountStub } from "../../durable/stubs.ts";
import { within } from "../../lib/async.ts";
import { countExecutions } from "../../records/usage.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { granted, keyCheckedByAct } from "../guard.ts";
import { noParams } from "../query.ts";
import { route } from "../route.ts";
import { executionBuckets } from "./figures.ts";
import { rangeFields, rangeOf, usageQuery } from "./range.ts";

export const TAG = "Usage";
/** Executions that are counted at most, which takes D1 about 0.2 s. */
const MOST_EXECUTIONS = 200_000;
const COUNT_TIMEOUT_MS = 10_000;

const EXAMPLE_FIGURES = {
  executions: { active: 1, waiting_for_input: 0, completed: 41, failed: 2, stopped: 0 },
  creditsConsumed: 187,
};

/** Executions and credits of an account over time. */
export const executionUsage = route({
  method: "GET",
  path: "/api/v1/usage",
  operationId: "getUsage",
  tag: TAG,
  summary: "Count executions and the credits that they used, by hour or by day",
  description:
    "An execution counts in the bucket of its creation, from its acceptance on and as long as it is kept.",
  guard: keyCheckedByAct("executions:read", "management"),
  params: noParams,
  query: usageQuery,
  body: noBody,
  answer: jsonAnswer(200, "The figures.", usageSchema, {
    bucket: "hour",
    from: "2026-11-20T09:00:00.000Z",
    to: "2026-11-20T10:00:00.000Z",
    countedFrom: "2026-11-20T09:00:00.000Z",
    buckets: [{ start: "2026-11-20T09:00:00.000Z", ...EXAMPLE_FIGURES }],
    total: EXAMPLE_FIGURES,
  }),
  errors: [],
  async handler({ http, caller: { accountId, credential }, query }) {
    const range = rangeOf(query, Date.now());
    const reply = await callWithRetry(
      () => accountStub(http.env, accountId).uncounted(credential, range),
      {
        idempotent: true,
      },
    );
    // Asked first: what D1 gets from now on is then either among these, and excepted, or new.
    const { executions } = granted(http, reply);
    const except = executions.map(({ executionId }) => executionId);
    const { countedFrom, counts } = await callWithRetry(
      () =>
        within(
          "D1",
          COUNT_TIMEOUT_MS,
          countExecutions(http.env.DB, accountId, range, { except, most: MOST_EXECUTIONS }),
        ),
      { idempotent: true },
    );
    const newer = executions.filter(({ createdAt }) => createdAt >= countedFrom);
    const figures = executionBuckets(range, counts, newer);
    return { value: { ...rangeFields(query.bucket, range, countedFrom), ...figures } };
  },
});
