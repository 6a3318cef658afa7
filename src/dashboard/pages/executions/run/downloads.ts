import { toCsv } from "../../../../agent/tools/material/convert.ts";
import type { Prompthook } from "../../../../client/prompthook.ts";
import { type Output, table } from "../../../../contract/execution.ts";
import { attachment } from "../../../../http/content-disposition.ts";
import type { Dashboard, Page } from "../../../context.ts";
import { nothingHere } from "../../../failure.tsx";

/** What is downloaded was made by an agent: opened as a page it must not run as one of ours. */
const SANDBOX = "sandbox; default-src 'none'";

/** What a run has made, to be kept as files. */
export function serveDownloads(app: Dashboard): void {
  app.get("/executions/:executionId/files/:outputId", async (http) => {
    const { executionId, outputId } = http.req.param();
    const { headers, body } = await http.get("api").executions.file(executionId, outputId);
    return new Response(body, {
      headers: {
        "Content-Type": headers.get("Content-Type") ?? "application/octet-stream",
        "Content-Disposition": headers.get("Content-Disposition") ?? attachment(outputId),
        "Content-Security-Policy": SANDBOX,
      },
    });
  });

  app.get("/executions/:executionId/outputs/:outputId", async (http) => {
    const { executionId, outputId } = http.req.param();
    const output = await outputOf(http.get("api"), executionId, outputId);
    if (output === null) return nothingHere(http);
    const read = http.req.query("as") === "csv" ? table.safeParse(output.value) : null;
    const name = `${output.label.slice(0, 100)}-${outputId}`;
    if (read?.success === true) {
      return download(http, { name: `${name}.csv`, type: "text/csv", text: toCsv(read.data) });
    }
    const text = JSON.stringify(output.value ?? null, null, 2);
    return download(http, { name: `${name}.json`, type: "application/json", text });
  });

  app.get("/executions/:executionId/result", async (http) => {
    const executionId = http.req.param("executionId");
    const result = await http.get("api").executions.result(executionId, { partial: true });
    const text = JSON.stringify(result, null, 2);
    return download(http, { name: `${executionId}.json`, type: "application/json", text });
  });
}

async function outputOf(
  api: Prompthook,
  executionId: string,
  outputId: string,
): Promise<Output | null> {
  const { outputs } = await api.executions.result(executionId, { partial: true });
  return outputs.find((output) => output.outputId === outputId) ?? null;
}

function download(
  http: Page,
  { name, type, text }: { name: string; type: string; text: string },
): Response {
  return http.body(text, 200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Disposition": attachment(name),
    "Content-Security-Policy": SANDBOX,
  });
}
