import { PrompthookError } from "../../../../client/error.ts";
import type { Prompthook } from "../../../../client/prompthook.ts";
import { sleep } from "../../../../lib/sleep.ts";
import type { Dashboard, Page } from "../../../context.ts";
import { serveActions } from "./actions.tsx";
import { CallbackAttempts } from "./callbacks.tsx";
import { ChangedParts, loadChanges } from "./changes.tsx";
import { serveDownloads } from "./downloads.ts";
import { liveStream, type Watch } from "./live.ts";
import { loadRun, readLog } from "./load.ts";
import { EarlierEntries } from "./log.tsx";
import { RunPage } from "./page.tsx";
import { seenQuery } from "./seen.tsx";

/** How long a line is silent while nothing changes. */
const WAIT_SECONDS = 15;

/** The page of one run, and what keeps it up to date. */
export function serveRun(app: Dashboard): void {
  app.get("/executions/:executionId", async (http) => {
    const { origin } = new URL(http.req.url);
    const run = await loadRun(http.get("api"), http.req.param("executionId"), {
      until: countIn(http, "until"),
      origin,
    });
    return http.html(<RunPage run={run} sent={null} />);
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
    return http.html(<ChangedParts changes={changes} />);
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

/** A whole number in the page's address; null without one. */
function countIn(http: Page, name: string): number | null {
  const text = http.req.query(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Waits for the run to change; one that may not be read any more is gone. */
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
