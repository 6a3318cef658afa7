import { accountRoutes } from "./admin/accounts.ts";
import { backupRoutes } from "./admin/backup.ts";
import { findExecution } from "./admin/executions.ts";
import { serviceHealthRoute } from "./admin/health.ts";
import { adminKeyRoutes } from "./admin/keys.ts";
import { reseal } from "./admin/reseal.ts";
import { timeTravel } from "./admin/time-travel.ts";
import { alerts } from "./alerts.ts";
import { audit } from "./audit.ts";
import { caller } from "./caller.ts";
import { connectionRoutes } from "./connections.ts";
import { credits } from "./credits.ts";
import { decisionRoutes } from "./decisions.ts";
import { destinationRoutes } from "./destinations.ts";
import { callbacks, redeliver } from "./executions/callbacks.ts";
import { capabilities } from "./executions/capabilities.ts";
import { message, stop } from "./executions/control.ts";
import { events } from "./executions/events.ts";
import { file } from "./executions/files.ts";
import { fork } from "./executions/fork.ts";
import { list, result, status, step, task } from "./executions/read.ts";
import { retryRoutes } from "./executions/retries.ts";
import { scoreRoutes } from "./executions/scores.ts";
import { trigger, triggerBatch } from "./executions/trigger.ts";
import { health } from "./health.ts";
import { hookRoutes } from "./hook-routes.ts";
import { keyRoutes } from "./keys.ts";
import { mcpServerRoutes } from "./mcp-servers.ts";
import { mcpTokenRoutes } from "./mcp-tokens.ts";
import { memberRoutes } from "./members.ts";
import { modelProviderRoutes } from "./model-providers.ts";
import { models, setDefaultModel } from "./models.ts";
import { openApiDocument, openApiRoute } from "./openapi/document.ts";
import { quotaUsage } from "./quota-use.ts";
import type { Route } from "./route.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { caseRoutes } from "./webhooks/cases.ts";
import { diagnosticRoutes } from "./webhooks/diagnostics.ts";
import { endpointRoutes } from "./webhooks/endpoints.ts";
import { presets } from "./webhooks/presets.ts";
import { release } from "./webhooks/release.ts";
import { replay } from "./webhooks/replay.ts";
import { replayRoutes } from "./webhooks/replays.ts";
import { requestRoutes } from "./webhooks/requests.ts";
import { rotate } from "./webhooks/rotation.ts";
import { rehearsalRoutes } from "./workflows/rehearsals.ts";
import { workflowRoutes } from "./workflows/routes.ts";

/** Every route of the HTTP interface but those of webhooks, in the order of the API reference. */
export const routes: Route[] = [
  trigger,
  triggerBatch,
  list,
  status,
  task,
  result,
  message,
  stop,
  fork,
  ...retryRoutes,
  ...scoreRoutes,
  events,
  step,
  file,
  callbacks,
  redeliver,
  ...decisionRoutes,
  capabilities,
  models,
  setDefaultModel,
  ...modelProviderRoutes,
  credits,
  ...usageRoutes,
  quotaUsage,
  caller,
  ...keyRoutes,
  ...memberRoutes,
  audit,
  ...destinationRoutes,
  alerts,
  ...connectionRoutes,
  ...mcpServerRoutes,
  ...mcpTokenRoutes,
  ...workflowRoutes,
  ...rehearsalRoutes,
  ...scheduleRoutes,
  ...endpointRoutes,
  presets,
  rotate,
  ...diagnosticRoutes,
  ...requestRoutes,
  ...caseRoutes,
  replay,
  ...replayRoutes,
  release,
  ...accountRoutes,
  ...adminKeyRoutes,
  findExecution,
  serviceHealthRoute,
  reseal,
  ...backupRoutes,
  timeTravel,
  health,
  openApiRoute(() => apiDocument()),
];

let document: ReturnType<typeof openApiDocument> | null = null;

/** Returns the OpenAPI document of all routes, those of webhooks included. It is generated once. */
export function apiDocument() {
  document ??= openApiDocument([...hookRoutes, ...routes]);
  return document;
}
