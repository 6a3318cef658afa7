import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { Dashboard, Page } from "../../context.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows } from "./all.ts";
import { Arrivals } from "./arrivals.tsx";
import { sampleRequest } from "./curl/sample.ts";
import { curlScript } from "./curl/script.ts";
import { OverviewPage } from "./overview.tsx";
import { endpointPath, WEBHOOKS } from "./paths.ts";

const SHOWN_REQUESTS = 5;

const NOTICES: Record<string, string> = {
  secret: "The secret is in force.",
  workflow: "The workflow is attached.",
  detached: "No workflow is attached now: what comes in is held.",
};

/** One endpoint: its overview, its switch, its workflow, its end. */
export function serveEndpoint(app: Dashboard): void {
  app.get("/webhooks/:endpointId", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const [workflows, entries] = await Promise.all([allWorkflows(api), latestOf(api, endpoint)]);
    const attached = workflows.find(({ workflowId }) => workflowId === endpoint.workflowId);
    const script = curlScript(endpoint, sampleRequest(endpoint, attached?.inputs ?? []));
    const notice = NOTICES[http.req.query("done") ?? ""] ?? null;
    return http.html(
      <OverviewPage
        endpoint={endpoint}
        workflows={workflows}
        entries={entries}
        script={script}
        notice={notice}
      />,
    );
  });

  app.get("/webhooks/:endpointId/arrivals", async (http) => {
    const endpointId = http.req.param("endpointId");
    const { requests } = await http
      .get("api")
      .webhooks.requests(endpointId, { limit: SHOWN_REQUESTS });
    // Nothing new: the page stays as it is, and asks again.
    if (requests.length === 0) return http.body(null, 204);
    return http.html(<Arrivals endpointId={endpointId} entries={requests} />);
  });

  app.post("/webhooks/:endpointId/enabled", async (http) => {
    const posted = await postedForm(http);
    return change(http, http.req.param("endpointId"), "", {
      enabled: posted.line("enabled") === "true",
    });
  });

  app.post("/webhooks/:endpointId/workflow", async (http) => {
    const workflowId = (await postedForm(http)).line("workflowId") || null;
    const done = workflowId === null ? "?done=detached" : "?done=workflow";
    return change(http, http.req.param("endpointId"), done, { workflowId });
  });

  app.post("/webhooks/:endpointId/delete", async (http) => {
    await http.get("api").webhooks.delete(http.req.param("endpointId"));
    return http.redirect(WEBHOOKS, 303);
  });
}

async function change(
  http: Page,
  endpointId: string,
  done: string,
  body: { enabled: boolean } | { workflowId: string | null },
) {
  await http.get("api").webhooks.update(endpointId, body);
  return http.redirect(endpointPath(endpointId, done), 303);
}

async function latestOf(api: Prompthook, { endpointId }: EndpointRecord) {
  const { requests } = await api.webhooks.requests(endpointId, { limit: SHOWN_REQUESTS });
  return requests;
}
