import { attachment } from "../../../http/headers.ts";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { streamFollowed } from "../../live.ts";
import { requestPath, WEBHOOKS } from "../../paths.ts";
import { serveAllRequests } from "./all-requests.tsx";
import { editableText, replayForm } from "./replay.tsx";
import { loggedOf } from "./request-body.tsx";
import { serveRequestLog } from "./request-log.tsx";
import { RequestPage } from "./request-page.tsx";
import { shownOf } from "./request-table.tsx";

const REQUEST = "/webhooks/:endpointId/requests/:requestId";

/** The request log of an endpoint, its requests and their replays. */
export function serveRequests(app: Dashboard): void {
  serveRequestLog(app);
  serveAllRequests(app);

  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/requests/:requestId`,
    action: `${WEBHOOKS}/:endpointId/requests/:requestId/replay`,
    load: shownOn,
    form: ({ body }) => replayForm(editableText(body)),
    initial: ({ body }) => ({ payload: editableText(body) }),
    page: (state, logged, http) => (
      <RequestPage logged={logged} state={state} isFixed={http.req.query("fixed") === "1"} />
    ),
    save: ({ webhooks }, body, { loaded: { entry } }) =>
      webhooks.replay(entry.endpointId, entry.requestId, body),
    done: (http, { requestId }) => http.redirect(requestPath(endpointIdOf(http), requestId), 303),
  });

  app.get(`${REQUEST}/live`, async (http) => {
    await shownOn(http);
    const load = async () => shownOf([(await shownOn(http)).entry]);
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
}

const shownOn = (http: Page) =>
  loggedOf(http, endpointIdOf(http), http.req.param("requestId") ?? "");
