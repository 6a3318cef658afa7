import { type ExecutionPage, type ListPosition, triggerAccepted } from "../../contract/account.ts";
import { type ExecutionRow, forkOf } from "../../contract/execution.ts";
import {
  MAX_JOB_ITEMS,
  type RetriesBody,
  retriesBody,
  retryForecast,
  retryRecord,
} from "../../contract/jobs.ts";
import { chainOf } from "../../contract/models.ts";
import type { ForkReply } from "../../contract/session.ts";
import { forkBody } from "../../contract/trigger.ts";
import { sessionHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { draftOfFork } from "../../workflows/draft.ts";
import { assertModels, assertTools } from "../agent-settings.ts";
import { apiKey, apiKeyVerifiedByHandler, authorize } from "../authentication.ts";
import type { Http } from "../context.ts";
import {
  assertFits,
  averagePrices,
  EVERY_EXECUTION,
  executionsBy,
  forecastOf,
  jobRoutes,
} from "../jobs.ts";
import { callWithRetry, conflict, invalid, notFound } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { AGENT } from "./session.ts";
import { acceptDraft } from "./trigger.ts";

const forkAccepted = triggerAccepted.extend({ forkOf }).meta({ id: "ForkAccepted" });

const fork = route("POST", `${AGENT}/trigger/:executionId/fork`, {
  operationId: "forkExecution",
  summary: "Continue an execution from a step",
  description:
    "Starts an execution that takes over the conversation and the results of another one up to a step, and goes on from there: after the end of a completed one with a `message`, before the step that failed, or after the step that you name. Nothing is done or charged again, and the original is unchanged. Effects before the step are history; what happens after it are effects of their own.",
  auth: apiKeyVerifiedByHandler("executions:write"),
  body: jsonBody(forkBody, { message: "And the prices of last year?" }),
  response: jsonResponse(202, "The execution was accepted and continues.", forkAccepted),
  problems: ["conflict", "insufficient_credits", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Location", "Idempotency-Replayed"],
  sendsCallback: true,
  async handler({ http, caller, params: { executionId }, body, bytes }) {
    const settings = settingsOf(http.env);
    const { afterStep = null, acknowledgeUncertain, message, model, tools, maxCredits } = body;
    const chain = model === undefined ? undefined : chainOf(model);
    if (chain !== undefined) await assertModels(chain, http.env, caller.accountId);
    if (tools !== undefined) assertTools(tools, settings);
    const query = { afterStep, acknowledgeUncertain };
    const host = () => sessionHostStub(http.env, caller.accountId, executionId);
    const reply = await callWithRetry(() => host().fork(executionId, query));
    const problem = problemOf(reply, afterStep, message);
    if (problem !== null || reply.kind !== "ready") {
      // A caller that the account does not admit learns nothing of the execution.
      const { pending } = await authorize(http, caller);
      if (pending !== null) throw conflict("The execution has not started yet.");
      throw problem ?? notFound();
    }
    const changes = { message, maxCredits, ...(chain && { chain }), ...(tools && { tools }) };
    const draft = draftOfFork(reply, changes);
    const { value, headers } = await acceptDraft(http, caller, draft, bytes);
    return { value: { ...value, forkOf: forkOf.parse(draft.fork) }, headers };
  },
});

function problemOf(reply: ForkReply, afterStep: number | null, message: string | undefined) {
  if (reply.kind === "refused" && reply.field !== undefined)
    return invalid(reply.field, "step", reply.detail);
  if (reply.kind === "refused") return conflict(reply.detail);
  if (reply.kind !== "ready" || message !== undefined || afterStep !== null) return null;
  return reply.isCompleted
    ? invalid("message", "required", "is required to continue a completed execution after its end")
    : null;
}

const PAGE = 1_000;
const AT_ONCE = 20;

/** Returns the executions that a query matches, oldest first. */
async function matching({ env }: Http, accountId: string, query: RetriesBody["query"]) {
  const { status: statuses, statusDetail, executionIds, workflowId = null } = query;
  const filter = {
    ...EVERY_EXECUTION,
    statuses,
    workflowId,
    createdAfter: query.createdAfter ?? null,
    createdBefore: query.createdBefore ?? null,
    limit: PAGE,
  };
  const found: ExecutionRow[] = [];
  let cursor: ListPosition | null = null;
  do {
    const page: ExecutionPage = await executionsBy(env, accountId, { ...filter, cursor });
    for (const row of page.executions) {
      if (executionIds !== undefined && !executionIds.includes(row.executionId)) continue;
      if (statusDetail === undefined || statusDetail.includes(row.statusDetail)) found.push(row);
    }
    cursor = page.next;
  } while (
    cursor !== null &&
    found.length <= MAX_JOB_ITEMS &&
    found.length !== executionIds?.length
  );
  assertFits(found.length);
  return found.reverse();
}

/** Asks the sessions what would become of the retries. */
async function foretell(
  http: Http,
  accountId: string,
  found: ExecutionRow[],
  from: RetriesBody["from"],
) {
  const priceOf = averagePrices(http, accountId);
  const query = {
    afterStep: from === "start" ? 0 : null,
    acknowledgeUncertain: false,
    retry: { forkId: null },
  };
  let credits = 0;
  const verdicts = await mapConcurrently(AT_ONCE, found, async (subject) => {
    const { executionId, workflowId, creditsConsumed } = subject;
    const reply = await callWithRetry(() =>
      sessionHostStub(http.env, accountId, executionId).fork(executionId, query),
    );
    if (reply.kind === "unknown") return refused(executionId, "It is no longer kept.");
    if (reply.kind === "refused") return refused(executionId, reply.detail);
    if (reply.kind === "continued") {
      const reason = `It was continued as ${reply.by}.`;
      return { executionId, verdict: "skip" as const, reason };
    }
    const whole = (workflowId === null ? null : await priceOf(workflowId)) ?? creditsConsumed;
    credits += Math.max(1, from === "start" ? whole : whole - creditsConsumed);
    return { executionId, verdict: "start" as const, reason: null };
  });
  return forecastOf(verdicts, credits);
}

const refused = (executionId: string, reason: string) => ({
  executionId,
  verdict: "refuse" as const,
  reason,
});

const retries = jobRoutes({
  kind: "retry",
  path: `${AGENT}/retries`,
  name: "Retry",
  reader: apiKey("executions:read"),
  writer: apiKey("executions:write"),
  create: {
    summary: "Retry many executions",
    description:
      "Continues the executions that match, oldest first, each once, also when the service crashes: from the step that failed, or again from the prompt. What was continued already is skipped; what has an effect that may have happened, or would be repeated, is refused. With `dryRun`, returns what would happen. At most 10,000 executions.",
    sendsCallback: true,
  },
  body: retriesBody,
  bodyExample: { query: { status: "failed", statusDetail: "model_error" }, from: "failure" },
  record: retryRecord,
  shown: (state, retryId) => ({ retryId, ...state }),
  forecast: retryForecast,
  async plan(http, accountId, { query, from, perMinute }) {
    const found = await matching(http, accountId, query);
    return {
      settings: { kind: "retry", perMinute, from },
      subjects: found.map(({ executionId: id }) => ({ id, endpointId: null })),
      foretell: () => foretell(http, accountId, found, from),
    };
  },
});

export const retryRoutes = [fork, ...retries];
