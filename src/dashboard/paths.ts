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
export const MEMBERS = "/dashboard/members";
export const AUDIT = "/dashboard/audit";
export const MODELS = "/dashboard/models";
export const DESTINATIONS = "/dashboard/destinations";
export const CONNECTIONS = "/dashboard/connections";

/** Returns what makes the path of one of a list's things; `rest` begins with a slash or a question mark. */
const pathBelow =
  (list: string) =>
  (id: string, rest = ""): string =>
    `${list}/${encodeURIComponent(id)}${rest}`;

export const rehearsalPath = pathBelow(REHEARSALS);
export const decisionPath = pathBelow(DECISIONS);
export const destinationPath = pathBelow(DESTINATIONS);
export const executionPath = pathBelow(EXECUTIONS);
export const workflowPath = pathBelow(WORKFLOWS);
export const endpointPath = pathBelow(WEBHOOKS);
export const schedulePath = pathBelow(SCHEDULES);

/** The page that compares an execution with another one; without that one, it asks for it. */
export function comparePath(executionId: string, other?: string): string {
  const query = other === undefined ? "" : `?with=${encodeURIComponent(other)}`;
  return executionPath(executionId, `/compare${query}`);
}

export function requestPath(endpointId: string, requestId: string, rest = ""): string {
  return endpointPath(endpointId, `/requests/${encodeURIComponent(requestId)}${rest}`);
}

type CaseId = Record<"endpointId" | "route" | "key", string>;

/** Returns the path of one case of an endpoint. */
export const casePath = ({ endpointId, route, key }: CaseId): string =>
  endpointPath(endpointId, `/case?${new URLSearchParams({ route, key })}`);
