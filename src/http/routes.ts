import { adminRoutes } from "./admin.ts";
import { createKeyOfAccount } from "./admin-keys.ts";
import { credits } from "./credits.ts";
import { callbacks, redeliver } from "./executions/callbacks.ts";
import { events } from "./executions/events.ts";
import { file } from "./executions/files.ts";
import { list } from "./executions/list.ts";
import { message } from "./executions/message.ts";
import { result } from "./executions/result.ts";
import { status } from "./executions/status.ts";
import { stop } from "./executions/stop.ts";
import { task } from "./executions/task.ts";
import { trigger } from "./executions/trigger.ts";
import { health } from "./health.ts";
import { hookRoutes } from "./hook-routes.ts";
import { keyRoutes } from "./keys.ts";
import { mcpServerRoutes } from "./mcp-servers.ts";
import { openApiDocument, openApiRoute } from "./openapi.ts";
import type { Route } from "./route.ts";
import { executionUsage } from "./usage/executions.ts";
import { allWebhookUsage } from "./usage/webhooks.ts";
import { create as createEndpoint } from "./webhooks/create.ts";
import { remove as deleteEndpoint } from "./webhooks/delete.ts";
import { get as getEndpoint } from "./webhooks/get.ts";
import { list as listEndpoints } from "./webhooks/list.ts";
import { replay as replayRequest } from "./webhooks/replay.ts";
import { request as getRequest } from "./webhooks/request.ts";
import { requests as listRequests } from "./webhooks/requests.ts";
import { rotate as rotateSecret } from "./webhooks/rotate.ts";
import { shape as getShape } from "./webhooks/shape.ts";
import { test as testEndpoint } from "./webhooks/test.ts";
import { update as updateEndpoint } from "./webhooks/update.ts";
import { usage as webhookUsage } from "./webhooks/usage.ts";
import { whatIf } from "./webhooks/what-if.ts";
import { workflowRoutes } from "./workflows/routes.ts";
import { runWorkflow } from "./workflows/run.ts";

const described: Route[] = [
  trigger,
  list,
  status,
  task,
  result,
  message,
  stop,
  events,
  file,
  callbacks,
  redeliver,
  credits,
  executionUsage,
  allWebhookUsage,
  ...keyRoutes,
  ...mcpServerRoutes,
  ...workflowRoutes,
  runWorkflow,
  createEndpoint,
  listEndpoints,
  getEndpoint,
  updateEndpoint,
  deleteEndpoint,
  rotateSecret,
  testEndpoint,
  whatIf,
  getShape,
  webhookUsage,
  listRequests,
  getRequest,
  replayRequest,
  ...adminRoutes,
  createKeyOfAccount,
  health,
];

/** Every route of the HTTP interface. */
export const routes: Route[] = [...described, openApiRoute(() => apiDocument())];

let document: ReturnType<typeof openApiDocument> | null = null;

/** The OpenAPI document of all routes, and of webhooks, which are served apart. Made once. */
export function apiDocument() {
  document ??= openApiDocument([...hookRoutes, ...routes]);
  return document;
}
