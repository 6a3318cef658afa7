export const EXECUTIONS = "/dashboard/executions";
export const DECISIONS = "/dashboard/decisions";
export const WORKFLOWS = "/dashboard/workflows";
export const WEBHOOKS = "/dashboard/webhooks";
/** The requests of all endpoints. */
export const REQUESTS = "/dashboard/requests";
export const REPLAYS = "/dashboard/replays";
/** Failed executions by their reasons. */
export const FAILURES = "/dashboard/executions/failures";
export const RETRIES = "/dashboard/retries";
export const REHEARSALS = "/dashboard/rehearsals";
export const SCHEDULES = "/dashboard/schedules";
export const USAGE = "/dashboard/usage";
export const KEYS = "/dashboard/keys";
export const MCP_SERVERS = "/dashboard/mcp-servers";
export const MEMBERS = "/dashboard/members";
export const AUDIT = "/dashboard/audit";
export const MODELS = "/dashboard/models";
export const DESTINATIONS = "/dashboard/destinations";
export const ALERTS = "/dashboard/alerts";
export const CONNECTIONS = "/dashboard/connections";

export function rehearsalPath(rehearsalId: string): string {
  return `${REHEARSALS}/${encodeURIComponent(rehearsalId)}`;
}

export function stepPath(executionId: string, step: number): string {
  return `${executionPath(executionId)}/steps/${step}`;
}

export function decisionPath(decisionId: string): string {
  return `${DECISIONS}/${encodeURIComponent(decisionId)}`;
}

/** Returns the path of a destination's page; `rest` begins with a slash. */
export function destinationPath(destinationId: string, rest = ""): string {
  return `${DESTINATIONS}/${encodeURIComponent(destinationId)}${rest}`;
}

export function executionPath(executionId: string): string {
  return `${EXECUTIONS}/${encodeURIComponent(executionId)}`;
}

/** The page that compares an execution with another one; without that one, it asks for it. */
export function comparePath(executionId: string, other?: string): string {
  const query = other === undefined ? "" : `?with=${encodeURIComponent(other)}`;
  return `${executionPath(executionId)}/compare${query}`;
}

/** Returns where a file of an execution is downloaded. */
export function outputFilePath(executionId: string, outputId: string): string {
  return `${executionPath(executionId)}/files/${encodeURIComponent(outputId)}`;
}

/** Returns where the rows of a table are downloaded. */
export function csvPath(executionId: string, outputId: string): string {
  return `${executionPath(executionId)}/outputs/${encodeURIComponent(outputId)}?as=csv`;
}

export function workflowPath(workflowId: string, rest = ""): string {
  return `${WORKFLOWS}/${encodeURIComponent(workflowId)}${rest}`;
}

/** Returns the path of an endpoint's page; `rest` begins with a slash. */
export function endpointPath(endpointId: string, rest = ""): string {
  return `${WEBHOOKS}/${encodeURIComponent(endpointId)}${rest}`;
}

export function requestPath(endpointId: string, requestId: string): string {
  return endpointPath(endpointId, `/requests/${encodeURIComponent(requestId)}`);
}

/** Returns the path of one case of an endpoint. */
export function casePath({
  endpointId,
  route,
  key,
}: {
  endpointId: string;
  route: string;
  key: string;
}): string {
  return endpointPath(endpointId, `/case?${new URLSearchParams({ route, key })}`);
}

export function schedulePath(scheduleId: string, rest = ""): string {
  return `${SCHEDULES}/${encodeURIComponent(scheduleId)}${rest}`;
}
