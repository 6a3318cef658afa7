export const EXECUTIONS = "/dashboard/executions";

/** Where the page of a run is. */
export function executionPath(executionId: string): string {
  return `${EXECUTIONS}/${encodeURIComponent(executionId)}`;
}

/** Where a file that a run made is downloaded. */
export function outputFilePath(executionId: string, outputId: string): string {
  return `${executionPath(executionId)}/files/${encodeURIComponent(outputId)}`;
}

/** Where the whole of what else a run handed over is downloaded. */
export function outputPath(executionId: string, outputId: string, as: "json" | "csv"): string {
  return `${executionPath(executionId)}/outputs/${encodeURIComponent(outputId)}?as=${as}`;
}

/** Where the whole result is downloaded. */
export function resultPath(executionId: string): string {
  return `${executionPath(executionId)}/result`;
}

/** Where the form is that starts a run like this one. */
export function runAgainPath(executionId: string): string {
  return `${EXECUTIONS}/new?from=${encodeURIComponent(executionId)}`;
}

/** Where the endpoints' pages are. */
export const WEBHOOKS = "/dashboard/webhooks";

/** Where an endpoint's pages are; `rest` begins with a slash. */
export function endpointPath(endpointId: string, rest = ""): string {
  return `${WEBHOOKS}/${encodeURIComponent(endpointId)}${rest}`;
}

/** Where the log of an endpoint is. */
export function logPath(endpointId: string): string {
  return endpointPath(endpointId, "/requests");
}

/** Where an entry of it is. */
export function requestPath(endpointId: string, requestId: string): string {
  return `${logPath(endpointId)}/${encodeURIComponent(requestId)}`;
}

export const KEYS = "/dashboard/keys";

/** Where a key is rotated or revoked. */
export function keyPath(keyId: string, act: "rotate" | "revoke"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${act}`;
}

export const MCP_SERVERS = "/dashboard/mcp-servers";

/** Where a server is removed. */
export function removalPath(serverId: string): string {
  return `${MCP_SERVERS}/${encodeURIComponent(serverId)}/remove`;
}
