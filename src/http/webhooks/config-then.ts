import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../contract/webhooks/log.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { loadWorkflow } from "../../records/workflows.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import { settingsAt } from "../revisions.ts";
import { definitionAt } from "../workflows/revisions.ts";
import { revisedOf } from "./revisions.ts";

/**
 * Returns the configuration that a logged request ran under, with today's secrets. Throws a 409 if the log
 * does not say which, and a 410 if it is no longer kept.
 */
export async function configThen(
  http: Http,
  config: EndpointConfig,
  entry: LogEntry,
): Promise<EndpointConfig> {
  if (entry.revision === null) {
    throw new HttpProblem(
      "conflict",
      "The request is older than revisions: the log does not say which one it ran under. Replay it under the current one.",
    );
  }
  const settings = await settingsAt(http, revisedOf(config), entry.revision);
  const { workflowId, routing, ...rest } = settings;
  const workflowAt = (id: string | null, revision: number | null) =>
    id === null || revision === null ? null : definitionOf(http, config.accountId, id, revision);
  if (routing === null) {
    const workflow = await workflowAt(workflowId, entry.workflowRevision);
    if (workflow === null) throw nothingToStart(entry.revision, workflowId);
    return { ...config, ...rest, auth: config.auth, workflow, routing: null };
  }
  const routes = await Promise.all(
    routing.routes.map(async (route) => {
      const logged = entry.routes.find(({ name }) => name === route.name);
      const workflow = await workflowAt(route.workflowId, logged?.workflowRevision ?? null);
      return { ...route, workflow };
    }),
  );
  return { ...config, ...rest, auth: config.auth, workflow: null, routing: { routes } };
}

function nothingToStart(revision: number, workflowId: string | null): HttpProblem {
  const reason =
    workflowId === null ? "had no workflow" : `had the workflow ${workflowId}, which is deleted`;
  return new HttpProblem("conflict", `At revision ${revision} the endpoint ${reason}.`);
}

/** Returns a workflow at a revision, or null if it is deleted. */
async function definitionOf(
  http: Http,
  accountId: string,
  workflowId: string,
  revision: number,
): Promise<WorkflowDefinition | null> {
  const workflow = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId));
  return workflow === null ? null : await definitionAt(http, accountId, workflow, revision);
}
