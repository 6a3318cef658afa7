import { attachment } from "../../../http/headers.ts";
import { sleep } from "../../../lib/async.ts";
import { toCsv } from "../../../lib/csv.ts";
import { cutNote, withNote } from "../../../lib/text.ts";
import { show } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { pageNotFound } from "../../error-page.tsx";
import { NO_EVENT, orGone, streamChanges } from "../../live.ts";
import { serveCompare } from "./compare.tsx";
import { serveControls, serveFork } from "./controls.tsx";
import { callbacksKey, ExecutionPage } from "./execution-page.tsx";
import { serveFailures } from "./failures.tsx";
import { serveExecutionList } from "./list.tsx";
import { isOpen, loadExecution, wholeNumber } from "./load.ts";
import { serveNewExecution } from "./new-execution.tsx";
import { serveScores } from "./results.tsx";
import { StepPage } from "./step-page.tsx";

/** Agents make the downloads: opened as a page, one must not view as a page of the dashboard. */
const SANDBOX = "sandbox; default-src 'none'";

/** Serves outputs and results as files. */
function serveDownloads(app: Dashboard): void {
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
    const { outputs } = await http.get("api").executions.result(executionId, { partial: true });
    const output = outputs.find((one) => one.outputId === outputId);
    if (output?.type !== "table") return pageNotFound(http);
    const cuts = [...new Set(output.sources.flatMap(({ cut }) => cut ?? []))];
    const text = withNote(toCsv(output.value), "text/csv", cutNote(cuts));
    const name = `${output.label.slice(0, 100)}-${outputId}.csv`;
    return download(http, { name, type: "text/csv", text });
  });

  app.get("/executions/:executionId/result", async (http) => {
    const executionId = http.req.param("executionId");
    const result = await http.get("api").executions.result(executionId, { partial: true });
    const text = JSON.stringify(result, null, 2);
    return download(http, { name: `${executionId}.json`, type: "application/json", text });
  });
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

/** The pause between looks at callbacks, whose attempts no object tells. */
const CALLBACKS_MS = 5_000;
/** How long the stream is silent while nothing changes. */
const WAIT_SECONDS = 30;

/** Serves the page of one execution, and the streams that it follows. */
function serveExecution(app: Dashboard): void {
  app.get("/executions/:executionId", async (http) => {
    return show(http, <ExecutionPage view={await loadExecution(http)} sent={null} />);
  });

  app.get("/executions/:executionId/steps/:step", async (http) => {
    const { executionId, step: number } = http.req.param();
    if (!/^[1-9]\d{0,3}$/.test(number)) return pageNotFound(http);
    const step = await http.get("api").executions.step(executionId, Number(number));
    return show(http, <StepPage executionId={executionId} step={step} />);
  });

  app.get("/executions/:executionId/live", async (http) => {
    const executionId = http.req.param("executionId");
    const { executions } = http.get("api");
    await executions.status(executionId);
    const look = async (seen: string) => {
      const waiting = { sinceVersion: wholeNumber(seen) ?? 0, waitSeconds: WAIT_SECONDS };
      const state = await orGone(executions.status(executionId, waiting));
      return state && { seen: String(state.version), isOver: !isOpen(state) };
    };
    return streamChanges(http, look, async (onText, signal) => {
      const texts = executions.stream(executionId, { after: NO_EVENT, onText, signal });
      while ((await texts.next()).done !== true);
    });
  });

  app.get("/executions/:executionId/live-callbacks", async (http) => {
    const callbacksOf = () => http.get("api").executions.callbacks(http.req.param("executionId"));
    await callbacksOf();
    return streamChanges(http, async () => {
      await sleep(CALLBACKS_MS);
      const callbacks = await orGone(callbacksOf());
      return callbacks && { seen: callbacksKey(callbacks), isOver: callbacks.state !== "pending" };
    });
  });

  serveControls(app, async (http, sent) => (
    <ExecutionPage view={await loadExecution(http)} sent={sent} />
  ));
  serveDownloads(app);
}

/** Serves the pages of executions: the list, a new one, one in full. */
export function serveExecutions(app: Dashboard): void {
  serveExecutionList(app);
  serveNewExecution(app);
  serveFailures(app);
  serveFork(app);
  serveCompare(app);
  serveScores(app);
  serveExecution(app);
}
