import { alerts, audit, caller, credits, quotaUsage } from "./account.ts";
import { accountRoutes } from "./admin/accounts.ts";
import { backupRoutes, timeTravel } from "./admin/backup.ts";
import { reseal } from "./admin/reseal.ts";
import { connectionRoutes, mcpServerRoutes } from "./connections.ts";
import { decisionRoutes } from "./decisions.ts";
import { destinationRoutes } from "./destinations.ts";
import { callbacks, message, redeliver, scoreRoutes, stop } from "./executions/control.ts";
import { events, file, list, result, status, step, task } from "./executions/read.ts";
import { fork, retryRoutes } from "./executions/retries.ts";
import { trigger, triggerBatch } from "./executions/trigger.ts";
import { health, serviceHealthRoute } from "./health.ts";
import { hookRoutes } from "./hooks.ts";
import { keyRoutes, mcpTokenRoutes, memberRoutes } from "./keys.ts";
import { modelProviderRoutes, models, setDefaultModel } from "./models.ts";
import { openApiDocument, openApiRoute } from "./openapi/document.ts";
import type { Route } from "./route.ts";
import { scheduleRoutes } from "./schedules.ts";
import { shareRoutes } from "./shares.ts";
import { usageRoutes } from "./usage.ts";
import { diagnosticRoutes } from "./webhooks/diagnostics.ts";
import { endpointRoutes, presets, rotate } from "./webhooks/endpoints.ts";
import { release, replay, replayRoutes } from "./webhooks/replays.ts";
import { caseRoutes, requestRoutes } from "./webhooks/requests.ts";
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
  ...shareRoutes,
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
