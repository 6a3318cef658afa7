import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { attachment } from "../../../http/headers.ts";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { fingerprint, streamFollowed } from "../../live.ts";
import { ifVisible } from "../../lookups.ts";
import { requestPath } from "../../paths.ts";
import { type RefusedReplay, replay } from "./replay.tsx";
import { requestBodyOf } from "./request-body.tsx";
import { serveRequestLog, shownOf } from "./request-log.tsx";
import { type LinkedExecution, type Logged, RequestPage } from "./request-page.tsx";

const REQUEST = "/webhooks/:endpointId/requests/:requestId";

/** The request log of an endpoint, its requests and their replays. */
export function serveRequests(app: Dashboard): void {
  serveRequestLog(app);

  app.get(REQUEST, async (http) => show(http, await requestPage(http, http.req.param())));

  app.get(`${REQUEST}/live`, async (http) => {
    await loggedOf(http, http.req.param());
    const load = async () => {
      const { entry, execution } = await loggedOf(http, http.req.param());
      return [shownOf([entry]), execution];
    };
    return streamFollowed(http, load, http.req.param("endpointId"));
  });

  app.get(`${REQUEST}/body`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const { body } = await http.get("api").webhooks.request(endpointId, requestId);
    return http.body(body ?? "", 200, {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": attachment(`${requestId}.txt`),
    });
  });

  app.post(`${REQUEST}/fix`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const { webhooks } = http.get("api");
    const change = (await webhooks.request(endpointId, requestId)).advice?.change ?? null;
    if (change !== null) await webhooks.update(endpointId, { change });
    return http.redirect(`${requestPath(endpointId, requestId)}?fixed=1`, 303);
  });

  app.post(`${REQUEST}/replay`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const replayed = await replay(http, endpointId, requestId);
    if (replayed.ok) return http.redirect(requestPath(endpointId, replayed.requestId), 303);
    const { refused } = replayed;
    const page = await requestPage(http, { endpointId, requestId }, refused);
    return show(http, page, refused.refusal.status);
  });
}

interface RequestParams {
  endpointId: string;
  requestId: string;
}

async function requestPage(
  http: Page,
  params: RequestParams,
  refused: RefusedReplay | null = null,
) {
  const logged = await loggedOf(http, params);
  const body = await requestBodyOf(logged.entry);
  const isFixed = http.req.query("fixed") === "1";
  return <RequestPage logged={logged} body={body} refused={refused} isFixed={isFixed} />;
}

async function loggedOf(http: Page, { endpointId, requestId }: RequestParams): Promise<Logged> {
  const { webhooks } = http.get("api");
  const [endpoint, entry] = await Promise.all([
    webhooks.get(endpointId),
    webhooks.request(endpointId, requestId),
  ]);
  const execution = await executionOf(http, entry);
  const seen = await fingerprint([shownOf([entry]), execution]);
  return { endpoint, entry, execution, seen };
}

async function executionOf(http: Page, { executionId }: LogEntry): Promise<LinkedExecution | null> {
  if (executionId === null) return null;
  const state = await ifVisible(http.get("api").executions.status(executionId));
  if (state === null) return null;
  const { status, statusDetail, progress } = state;
  return { executionId, status, statusDetail, progress };
}
