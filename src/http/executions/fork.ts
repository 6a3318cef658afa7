import { triggerAccepted } from "../../contract/account.ts";
import { EXAMPLE_ID, forkOf } from "../../contract/execution.ts";
import { chainOf } from "../../contract/models.ts";
import type { ForkReply } from "../../contract/session.ts";
import { forkBody } from "../../contract/trigger.ts";
import { sessionHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { draftOfFork } from "../../workflows/draft.ts";
import { assertModels, assertTools } from "../agent-settings.ts";
import { apiKeyVerifiedByHandler, authorize } from "../authentication.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { HttpProblem, invalid, notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { AGENT } from "./session.ts";
import { acceptDraft } from "./trigger.ts";

const forkAccepted = triggerAccepted.extend({ forkOf }).meta({ id: "ForkAccepted" });

export const fork = route("POST", `${AGENT}/trigger/:executionId/fork`, {
  operationId: "forkExecution",
  summary: "Continue an execution from a step",
  description:
    "Starts an execution that takes over the conversation and the results of another one up to a step, and goes on from there: after the end of a completed one with a `message`, before the step that failed, or after the step that you name. Nothing is done or charged again, and the original is unchanged. Effects before the step are history; what happens after it are effects of their own.",
  auth: apiKeyVerifiedByHandler("executions:write"),
  body: optionalJsonBody(forkBody, { message: "And the prices of last year?" }),
  response: jsonResponse(202, "The execution was accepted and continues.", forkAccepted, {
    executionId: "019a8b2c-6f00-7c3d-9e4f-3b1d7a9a1f42",
    status: "active",
    availableCredits: 980,
    forkOf: { executionId: EXAMPLE_ID, afterStep: 3 },
  }),
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
    const reply = await callWithRetry(() =>
      sessionHostStub(http.env, caller.accountId, executionId).fork(executionId, {
        afterStep,
        acknowledgeUncertain,
      }),
    );
    const problem = problemOf(reply, afterStep, message);
    if (problem !== null || reply.kind !== "ready") {
      // Whoever the account does not admit learns nothing of it.
      await authorize(http, caller);
      throw problem ?? notFound();
    }
    const changes = { message, maxCredits, ...(chain && { chain }), ...(tools && { tools }) };
    const draft = draftOfFork(reply, changes);
    const { value, headers } = await acceptDraft(http, caller, draft, bytes);
    return { value: { ...value, forkOf: forkOf.parse(draft.fork) }, headers };
  },
});

function problemOf(
  reply: ForkReply,
  afterStep: number | null,
  message: string | undefined,
): HttpProblem | null {
  if (reply.kind === "refused" && reply.field !== undefined)
    return invalid(reply.field, "step", reply.detail);
  if (reply.kind === "refused") return new HttpProblem("conflict", reply.detail);
  if (reply.kind !== "ready" || message !== undefined || afterStep !== null) return null;
  return reply.isCompleted
    ? invalid("message", "required", "is required to continue a completed execution after its end")
    : null;
}
