export const EXECUTIONS = "/dashboard/executions";

/** Where the page of a run is. */
export function runPath(executionId: string): string {
  return `${EXECUTIONS}/${encodeURIComponent(executionId)}`;
}

/** Where a file that a run made is downloaded. */
export function filePath(executionId: string, outputId: string): string {
  return `${runPath(executionId)}/files/${encodeURIComponent(outputId)}`;
}

/** Where the whole of what else a run handed over is downloaded. */
export function outputPath(executionId: string, outputId: string, as: "json" | "csv"): string {
  return `${runPath(executionId)}/outputs/${encodeURIComponent(outputId)}?as=${as}`;
}

/** Where the whole result is downloaded. */
export function resultPath(executionId: string): string {
  return `${runPath(executionId)}/result`;
}

/** Where the form is that starts a run like this one. */
export function runAgainPath(executionId: string): string {
  return `${EXECUTIONS}/new?from=${encodeURIComponent(executionId)}`;
}
