import type { PromisedExecution } from "../../contract/account.ts";
import { type RehearseBody, rehearseBody } from "../../contract/jobs.ts";
import { rehearsalAccepted, rehearsalRecord } from "../../contract/rehearsals.ts";
import { ORIGINS } from "../../contract/words.ts";
import { inboxStub, sessionHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { newExecutionId, slotOf, withSlot } from "../../lib/execution-id.ts";
import { endpointIdsOf } from "../../records/endpoints.ts";
import { draftOfRehearsal } from "../../workflows/draft.ts";
import { apiKey } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { EVERY_EXECUTION, executionsBy, job } from "../jobs.ts";
import { invalid, notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { changedDefinition } from "./definition.ts";
import { AT_ONCE, contentKey, foundBy } from "./rehearsed.ts";
import { existingWorkflow, reader, WORKFLOWS } from "./routes.ts";

const PATH = "/api/v1/rehearsals";

const rehearse = route("POST", `${WORKFLOWS}/:workflowId/rehearse`, {
  operationId: "rehearseWorkflow",
  summary: "Rehearse a workflow",
  description:
    "Runs a workflow, or a draft of it, on the inputs of earlier executions. The model is asked; effects are noted and never done; reads return what the original read. The executions have the origin `rehearsal`, tell nobody, and are charged.",
  auth: apiKey("executions:write", "management"),
  body: jsonBody(rehearseBody, { draft: { prompt: "Say what the order is about." }, last: 20 }),
  response: jsonResponse(202, "The rehearsal runs.", rehearsalAccepted),
  async handler({ http, caller, params: { workflowId }, body }) {
    const { accountId } = caller;
    const { definition } = await existingWorkflow(http, accountId, workflowId);
    const { draft, reads } = body;
    const tried =
      draft === undefined
        ? definition
        : await changedDefinition(http, accountId, definition, draft);
    const originals = await originalsOf(http, accountId, workflowId, body);
    const runs = await mapConcurrently(
      AT_ONCE,
      originals,
      async (of): Promise<PromisedExecution> => {
        const host = sessionHostStub(http.env, accountId, of);
        const found = await callWithRetry(() => host.task(of));
        if (found.kind === "unknown") throw notFound();
        const { inputs } = found.task;
        const rehearsal = { of, reads };
        // It lives where its original is, and reads what that has read.
        return {
          executionId: withSlot(newExecutionId(), slotOf(of)),
          draft: draftOfRehearsal(tried, inputs ?? {}, rehearsal, settingsOf(http.env)),
        };
      },
    );
    const rehearsalId = crypto.randomUUID();
    const settings = {
      kind: "rehearsal" as const,
      perMinute: 1,
      workflowId,
      expect: tried.expect,
      tried: await contentKey(tried),
    };
    const subjects = runs.map(({ executionId: madeId }, at) => {
      return { id: originals[at] ?? "", endpointId: null, madeId };
    });
    const command = { do: "create" as const, jobId: rehearsalId, settings, subjects };
    await job(http, caller, "rehearsal", command, runs);
    return { value: { rehearsalId } };
  },
});

/** Returns the executions whose inputs are used, the newest first. */
async function originalsOf(
  { env }: Http,
  accountId: string,
  workflowId: string,
  { executionIds, requestIds, last = 0 }: RehearseBody,
): Promise<string[]> {
  if (executionIds !== undefined) return executionIds;
  if (requestIds !== undefined) {
    const endpointIds = await callWithRetry(() => endpointIdsOf(env.DB, accountId));
    const found = await mapConcurrently(AT_ONCE, endpointIds, (id) =>
      callWithRetry(() => inboxStub(env, id).entries(requestIds)),
    );
    const started = found.flat().flatMap((entry) => entry.executionId ?? []);
    if (started.length === requestIds.length) return started;
    throw invalid("requestIds", "started", "must be requests that started an execution");
  }
  const origins = ORIGINS.filter((origin) => origin !== "rehearsal");
  const statuses = ["completed" as const, "failed" as const];
  const query = { ...EVERY_EXECUTION, workflowId, origins, statuses, limit: last };
  const { executions } = await executionsBy(env, accountId, query);
  return executions.map((row) => row.executionId);
}

const get = route("GET", `${PATH}/:rehearsalId`, {
  operationId: "getRehearsal",
  summary: "Get a rehearsal",
  description:
    "Returns for each input what would change: the effects, the data and the figures, and what the workflow's `expect` finds.",
  auth: reader,
  response: jsonResponse(200, "The rehearsal.", rehearsalRecord),
  async handler({ http, caller, params: { rehearsalId } }) {
    const command = { do: "get" as const, jobId: rehearsalId };
    const { rehearsal } = await job(http, caller, "rehearsal", command);
    if (rehearsal === undefined) throw notFound();
    return { value: await foundBy(http, caller.accountId, rehearsalId, rehearsal) };
  },
});

export const rehearsalRoutes = [rehearse, get];
