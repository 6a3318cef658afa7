import { adminRoutes } from "./admin.ts";
import { credits } from "./credits.ts";
import { callbacks, redeliver } from "./executions/callbacks.ts";
import { events } from "./executions/events.ts";
import { file } from "./executions/files.ts";
import { list } from "./executions/list.ts";
import { message } from "./executions/message.ts";
import { result } from "./executions/result.ts";
import { status } from "./executions/status.ts";
import { stop } from "./executions/stop.ts";
import { trigger } from "./executions/trigger.ts";
import { health } from "./health.ts";
import { keyRoutes } from "./keys.ts";
import { mcpServerRoutes } from "./mcp-servers.ts";
import { openApiRoute } from "./openapi.ts";
import type { Route } from "./route.ts";
import { workflowRoutes } from "./workflows/routes.ts";
import { runWorkflow } from "./workflows/run.ts";

const described: Route[] = [
  trigger,
  list,
  status,
  result,
  message,
  stop,
  events,
  file,
  callbacks,
  redeliver,
  credits,
  ...keyRoutes,
  ...mcpServerRoutes,
  ...workflowRoutes,
  runWorkflow,
  ...adminRoutes,
  health,
];

/** Every route of the HTTP interface. */
export const routes: Route[] = [...described, openApiRoute(described)];
