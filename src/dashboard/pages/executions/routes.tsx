import { toCsv } from "../../../agent/tools/source-content.ts";
import { PrompthookError } from "../../../client/error.ts";
import type { Prompthook } from "../../../client/prompthook.ts";
import { type Output, table } from "../../../contract/execution.ts";
import { attachment } from "../../../http/headers.ts";
import { sleep } from "../../../lib/async.ts";
import type { Dashboard, Page } from "../../context.ts";
import { pageNotFound } from "../../error-page.tsx";
import { type Refusal, refusalOf } from "../../forms/errors.tsx";
import { idempotencyOf } from "../../forms/fields.tsx";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { executionPath } from "../../paths.ts";
import { CallbackAttempts } from "./callbacks.tsx";
import type { ControlForm } from "./controls.tsx";
import { EarlierEntries } from "./event-log.tsx";
import { ExecutionPage } from "./execution-page.tsx";
import { serveExecutionList } from "./list.tsx";
import { liveStream, type Watch } from "./live.ts";
import { loadExecution, readLog } from "./load.ts";
import { serveNewExecution } from "./new-execution.tsx";
import { loadChanges, seenQuery, UpdatedParts } from "./updates.tsx";

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
    const output = await outputOf(http.get("api"), executionId, outputId);
    if (output === null) return pageNotFound(http);
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

/** What a form of the page does. */
interface Action {
  form: ControlForm;
  /** The control that takes text. */
  typed: string;
  /** The part of the page to return to. */
  anchor: string;
  act(api: Prompthook, executionId: string, posted: Posted): Promise<unknown>;
}

const ACTIONS: Record<string, Action> = {
  answer: {
    form: "answer",
    typed: "answer",
    anchor: "status",
    act: (api, id, posted) =>
      api.executions.message(id, { message: posted.text("answer") }, idempotencyOf(posted)),
  },
  decide: { form: "decide", typed: "note", anchor: "status", act: decide },
  message: { form: "message", typed: "message", anchor: "say", act: sendMessage },
  stop: {
    form: "stop",
    typed: "reason",
    anchor: "status",
    act: (api, id, posted) => api.executions.stop(id, given("reason", posted.line("reason"))),
  },
  redeliver: {
    form: "redeliver",
    typed: "callbackUrl",
    anchor: "callbacks",
    act: (api, id, posted) =>
      api.executions.redeliver(id, given("callbackUrl", posted.line("callbackUrl"))),
  },
};

/** Serves the forms of an execution's page: messages, answers, approvals, stop, redelivery. */
function serveActions(app: Dashboard): void {
  for (const [name, action] of Object.entries(ACTIONS)) {
    app.post(`/executions/:executionId/${name}`, (http) =>
      acted(http, http.req.param("executionId"), action),
    );
  }
}

async function acted(http: Page, executionId: string, action: Action) {
  const { form, typed, anchor, act } = action;
  const api = http.get("api");
  const posted = await postedForm(http);
  try {
    await act(api, executionId, posted);
  } catch (error) {
    const refusal = renamed(refusalOf(error), typed);
    const { origin } = new URL(http.req.url);
    const view = await loadExecution(api, executionId, { until: null, origin });
    const sent = { form, refusal, text: posted.text(typed) };
    return http.html(<ExecutionPage view={view} sent={sent} />, refusal.status);
  }
  return http.redirect(`${executionPath(executionId)}#${anchor}`, 303);
}

/** Moves the fault of the API's `message` to the control that it was typed into. */
function renamed(refusal: Refusal, control: string): Refusal {
  const named = [...refusal.faults].map(
    ([path, fault]) => [path === "message" ? control : path, fault] as const,
  );
  return { ...refusal, faults: new Map(named) };
}

function sendMessage(api: Prompthook, executionId: string, posted: Posted) {
  const mode = posted.line("mode") === "interrupt" ? "interrupt" : "next_step";
  return api.executions.message(
    executionId,
    { message: posted.text("message"), mode },
    idempotencyOf(posted),
  );
}

function decide(api: Prompthook, executionId: string, posted: Posted) {
  const decision = posted.line("decision") === "approve" ? "approve" : "deny";
  const approval = { callId: posted.line("callId"), decision } as const;
  const body = { ...given("message", posted.text("note")), approval };
  return api.executions.message(executionId, body, idempotencyOf(posted));
}

/** Returns an optional field, left out where nothing was typed. */
function given<Name extends string>(name: Name, text: string): { [Field in Name]?: string } {
  const fields: { [Field in Name]?: string } = {};
  if (text.trim() !== "") fields[name] = text;
  return fields;
}

/** How long the stream is silent while nothing changes. */
const WAIT_SECONDS = 15;

/** Serves the page of one execution, and its updates. */
function serveExecution(app: Dashboard): void {
  app.get("/executions/:executionId", async (http) => {
    const { origin } = new URL(http.req.url);
    const view = await loadExecution(http.get("api"), http.req.param("executionId"), {
      until: countIn(http, "until"),
      origin,
    });
    return http.html(<ExecutionPage view={view} sent={null} />);
  });

  app.get("/executions/:executionId/live", async (http) => {
    const executionId = http.req.param("executionId");
    const api = http.get("api");
    await api.executions.status(executionId);
    const heard = /^\d{1,15}$/.exec(http.req.header("Last-Event-ID") ?? "")?.[0];
    const since = heard === undefined ? (countIn(http, "since") ?? 0) : Number(heard);
    return http.body(liveStream(since, watchOf(api, executionId)), 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "X-Accel-Buffering": "no",
    });
  });

  app.get("/executions/:executionId/changes", async (http) => {
    const seen = seenQuery.parse(http.req.query());
    const changes = await loadChanges(http.get("api"), http.req.param("executionId"), seen);
    return http.html(<UpdatedParts changes={changes} />);
  });

  app.get("/executions/:executionId/entries", async (http) => {
    const executionId = http.req.param("executionId");
    const api = http.get("api");
    const [{ createdAt }, log] = await Promise.all([
      api.executions.status(executionId),
      readLog(api, executionId, countIn(http, "until")),
    ]);
    return http.html(<EarlierEntries executionId={executionId} log={log} since={createdAt} />);
  });

  app.get("/executions/:executionId/callbacks", async (http) => {
    const executionId = http.req.param("executionId");
    const { executions } = http.get("api");
    const [task, callbacks] = await Promise.all([
      executions.task(executionId),
      executions.callbacks(executionId),
    ]);
    return http.html(<CallbackAttempts task={task} callbacks={callbacks} />);
  });

  serveActions(app);
  serveDownloads(app);
}

/** Returns a whole number of the page's address, or null. */
function countIn(http: Page, name: string): number | null {
  const text = http.req.query(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Waits for the execution to change; one that can no longer be read counts as gone. */
function watchOf(api: Prompthook, executionId: string): Watch {
  return {
    async next(sinceVersion) {
      try {
        const waiting = { sinceVersion, waitSeconds: WAIT_SECONDS };
        return await api.executions.status(executionId, waiting);
      } catch (error) {
        if (error instanceof PrompthookError && error.status < 429) return null;
        throw error;
      }
    },
    pause: sleep,
  };
}

/** Serves the pages of executions: the list, a new one, one in full. */
export function serveExecutions(app: Dashboard): void {
  serveExecutionList(app);
  serveNewExecution(app);
  serveExecution(app);
}
