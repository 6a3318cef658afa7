import { v7 as uuidv7 } from "uuid";
import { checkModel } from "../../agent/models/registry.ts";
import { type SeedDraft, triggerAccepted } from "../../contract/account.ts";
import { type TriggerBody, triggerBody } from "../../contract/trigger.ts";
import { accountStub } from "../../durable/stubs.ts";
import { type Settings, settingsOf } from "../../env.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { granted, keyCheckedByAct } from "../guard.ts";
import { idempotencyOf } from "../idempotency.ts";
import { invalid } from "../problem.ts";
import { noParams, noQuery } from "../query.ts";
import { route } from "../route.ts";
import { acceptedReply } from "./accepted.ts";
import { callbackOf, serviceHosts } from "./callback.ts";
import { AGENT, EXAMPLE_ID } from "./ids.ts";
import { checkOutputSchema } from "./output-schema.ts";

export const trigger = route({
  method: "POST",
  path: `${AGENT}/trigger`,
  operationId: "triggerExecution",
  tag: "Executions",
  summary: "Start an agent from a prompt",
  description:
    "Holds the credits, stores the prompt and answers; the agent then runs by itself. Read its status, or give a callbackUrl.",
  guard: keyCheckedByAct("executions:write"),
  params: noParams,
  query: noQuery,
  body: jsonBody(triggerBody, {
    prompt: "Open https://example.com and list its links as a table.",
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    maxCredits: 20,
    metadata: { order: "1007" },
  }),
  answer: jsonAnswer(202, "Accepted: the agent runs.", triggerAccepted, {
    executionId: EXAMPLE_ID,
    status: "active",
    availableCredits: 980,
  }),
  errors: ["insufficient_credits", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Location", "Idempotency-Replayed"],
  callsBack: true,
  async handler({ http, caller, body, bytes }) {
    const idempotency = await idempotencyOf(http, bytes);
    const draft = await draftOf(body, http.req.url, settingsOf(http.env), http.env);
    // Chosen here: the call can be repeated when its answer is lost, and starts nothing twice.
    const executionId = uuidv7();
    const reply = await callWithRetry(
      () =>
        accountStub(http.env, caller.accountId).accept(
          caller.credential,
          draft,
          idempotency,
          executionId,
        ),
      { idempotent: true },
    );
    return acceptedReply(http, granted(http, reply));
  },
});

/** What the account is asked to accept: the body with its defaults, checked against this deployment. */
async function draftOf(
  body: TriggerBody,
  url: string,
  settings: Settings,
  bindings: CloudflareEnv,
): Promise<SeedDraft> {
  const model = body.model ?? settings.DEFAULT_MODEL;
  const usable = checkModel(model, { settings, bindings });
  if (!usable.ok) throw invalid("model", "model", `${model} ${usable.reason}`);
  if (body.outputSchema !== undefined) checkOutputSchema(body.outputSchema);
  const hosts = serviceHosts(url, settings);
  return {
    v: 1,
    origin: "api",
    workflowId: null,
    inbound: null,
    prompt: body.prompt,
    inputs: body.inputs ?? null,
    outputSchema: body.outputSchema ?? null,
    model,
    tools: body.tools ?? null,
    approvals: body.approvals ?? [],
    interactive: body.interactive,
    maxCredits: body.maxCredits ?? null,
    maxSteps: body.maxSteps,
    timeoutSeconds: body.timeoutSeconds,
    inputTimeoutSeconds: body.inputTimeoutSeconds,
    metadata: body.metadata,
    callback: await callbackOf(body, hosts, settings),
    serviceHosts: hosts,
    retentionDays: settings.EXECUTION_RETENTION_DAYS,
  };
}
