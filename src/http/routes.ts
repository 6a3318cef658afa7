import { ownAccountRoutes } from "./account.ts";
import { accountRoutes } from "./admin/accounts.ts";
import { backupRoutes } from "./admin/backup.ts";
import { reseal } from "./admin/reseal.ts";
import { connectionRoutes, mcpServerRoutes } from "./connections.ts";
import { decisionRoutes } from "./decisions.ts";
import { destinationRoutes } from "./destinations.ts";
import { controlRoutes } from "./executions/control.ts";
import { readRoutes } from "./executions/read.ts";
import { retryRoutes } from "./executions/retries.ts";
import { triggerRoutes } from "./executions/trigger.ts";
import { health, serviceHealthRoute } from "./health.ts";
import { hookRoutes } from "./hooks.ts";
import { keyRoutes, mcpTokenRoutes, memberRoutes } from "./keys.ts";
import { modelRoutes } from "./models.ts";
import { openApiDocument, openApiRoute } from "./openapi/document.ts";
import type { Route } from "./route.ts";
import { scheduleRoutes } from "./schedules.ts";
import { shareRoutes } from "./shares.ts";
import { usageRoutes } from "./usage.ts";
import { diagnosticRoutes } from "./webhooks/diagnostics.ts";
import { endpointRoutes } from "./webhooks/endpoints.ts";
import { replayRoutes } from "./webhooks/replays.ts";
import { requestRoutes } from "./webhooks/requests.ts";
import { rehearsalRoutes } from "./workflows/rehearsals.ts";
import { workflowRoutes } from "./workflows/routes.ts";

/** Every route of the HTTP interface but those of webhooks, in the order of the API reference. */
export const routes: Route[] = [
  ...triggerRoutes,
  ...readRoutes,
  ...controlRoutes,
  ...retryRoutes,
  ...decisionRoutes,
  ...modelRoutes,
  ...ownAccountRoutes,
  ...usageRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...destinationRoutes,
  ...shareRoutes,
  ...connectionRoutes,
  ...mcpServerRoutes,
  ...mcpTokenRoutes,
  ...workflowRoutes,
  ...rehearsalRoutes,
  ...scheduleRoutes,
  ...endpointRoutes,
  ...diagnosticRoutes,
  ...requestRoutes,
  ...replayRoutes,
  ...accountRoutes,
  serviceHealthRoute,
  reseal,
  ...backupRoutes,
  health,
  openApiRoute(() => apiDocument()),
];

let document: ReturnType<typeof openApiDocument> | null = null;

/** Returns the OpenAPI document of all routes, those of webhooks included. It is generated once. */
export function apiDocument() {
  document ??= openApiDocument([...hookRoutes, ...routes]);
  return document;
}
