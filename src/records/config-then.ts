import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../contract/webhooks/log.ts";
import { storedWorkflow, type WorkflowDefinition } from "../contract/workflow.ts";
import { archivedSettings, settingsIn } from "./endpoint-rows.ts";
import { RevisionUnavailable, settingsAt } from "./revisions.ts";
import { loadWorkflow } from "./workflows.ts";

/**
 * Returns the configuration that a logged request ran under, with today's secrets. Throws if the log does
 * not say which, or if it is no longer kept.
 */
export async function configThen(
  db: D1Database,
  config: EndpointConfig,
  entry: Pick<LogEntry, "revision" | "workflowRevision" | "routes">,
): Promise<EndpointConfig> {
  if (entry.revision === null) {
    throw new RevisionUnavailable(
      "conflict",
      "The request is older than revisions: the log does not say which one it ran under. Replay it under the current one.",
    );
  }
  const { accountId, endpointId } = config;
  const current = settingsIn(config);
  const revised = { accountId, resourceId: endpointId, current, parse: archivedSettings };
  const settings = await settingsAt(db, revised, entry.revision);
  const { workflowId, routing, ...rest } = settings;
  const workflowAt = (id: string | null, revision: number | null) =>
    id === null || revision === null ? null : definitionAt(db, accountId, id, revision);
  const workflow = await workflowAt(workflowId, entry.workflowRevision);
  if (workflow === null && routing === null) throw nothingToStart(entry.revision, workflowId);
  const routes = (routing?.routes ?? []).map(async (route) => {
    const logged = entry.routes.find(({ name }) => name === route.name);
    const revision = logged?.workflowRevision ?? null;
    return { ...route, workflow: await workflowAt(route.workflowId, revision) };
  });
  const started = { workflow, routing: routing && { routes: await Promise.all(routes) } };
  return { ...config, ...rest, ...started, auth: config.auth };
}

function nothingToStart(revision: number, workflowId: string | null): RevisionUnavailable {
  const reason =
    workflowId === null ? "had no workflow" : `had the workflow ${workflowId}, which is deleted`;
  return new RevisionUnavailable("conflict", `At revision ${revision} the endpoint ${reason}.`);
}

/** Returns a workflow at a revision, with today's callback secret; null if it is deleted. */
async function definitionAt(
  db: D1Database,
  accountId: string,
  workflowId: string,
  revision: number,
): Promise<WorkflowDefinition | null> {
  const workflow = await loadWorkflow(db, accountId, workflowId);
  if (workflow === null) return null;
  const { definition } = workflow;
  const parse = (text: string) => storedWorkflow.parse(JSON.parse(text));
  const revised = { accountId, resourceId: workflowId, current: definition, parse };
  const settings = await settingsAt(db, revised, revision);
  const { callback } = settings;
  const isSigned = callback?.sealedSecret != null;
  const secret = isSigned ? (definition.callback?.sealedSecret ?? null) : null;
  return { ...settings, callback: callback && { ...callback, sealedSecret: secret } };
}
