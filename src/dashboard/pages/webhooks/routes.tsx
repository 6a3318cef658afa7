import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import type { Dashboard, Page } from "../../context.ts";
import { attempt } from "../../forms/errors.tsx";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows, namesFor } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { CreatedPage } from "./created.tsx";
import { curlScript } from "./curl-script.ts";
import { Arrivals, OverviewPage } from "./endpoint-page.tsx";
import { EndpointsPage } from "./list.tsx";
import {
  blankDraft,
  ChooseSenderPage,
  endpointBody,
  NewEndpointPage,
  postedDraft,
} from "./new-endpoint.tsx";
import { serveRules } from "./rules.tsx";
import { sampleRequest } from "./sample-request.ts";
import { type SavedEndpoint, serveSecret } from "./secret.tsx";
import { SENDERS, type Sender } from "./senders.ts";
import { serveSettings } from "./settings.tsx";
import { serveShape } from "./shape.tsx";
import { serveTry } from "./try.tsx";

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

/** Making an endpoint: first its sender, then what that needs. */
export function serveNewEndpoint(app: Dashboard): void {
  app.get("/webhooks/new", (http) =>
    http.html(<ChooseSenderPage workflowId={http.req.query("workflowId") ?? null} />),
  );

  app.get("/webhooks/new/:sender", async (http) => {
    const sender = senderNamed(http.req.param("sender"));
    if (sender === null) return http.notFound();
    const workflows = await allWorkflows(http.get("api"));
    const draft = blankDraft(sender, http.req.query("workflowId") ?? "");
    return http.html(<NewEndpointPage sender={sender} draft={draft} workflows={workflows} />);
  });

  app.post("/webhooks/new/:sender", async (http) => {
    const sender = senderNamed(http.req.param("sender"));
    return sender === null ? http.notFound() : make(http, sender);
  });
}

function senderNamed(id: string): Sender | null {
  return SENDERS.find((sender) => sender.id === id) ?? null;
}

async function make(http: Page, sender: Sender) {
  const api = http.get("api");
  const posted = await postedForm(http);
  const draft = postedDraft(posted);
  const use = sender.auth.kind === "token" ? "token" : "hmac";
  const secret = posted.line(`auth.${use}.secret`);
  const workflows = await allWorkflows(api);
  const saved = await attempt(endpointBody(sender, draft, secret), (body) =>
    api.webhooks.create(body),
  );
  if (!saved.ok) {
    const { refusal } = saved;
    const page = (
      <NewEndpointPage sender={sender} draft={draft} workflows={workflows} refusal={refusal} />
    );
    return http.html(page, refusal.status);
  }
  const endpoint = saved.value;
  const given = secret !== "";
  const secrets = given ? { [use]: secret } : (endpoint.secrets ?? {});
  const script = curlScript(
    endpoint,
    sampleRequest(endpoint, inputsOf(endpoint, workflows)),
    secrets,
  );
  return http.html(<CreatedPage endpoint={endpoint} given={given} script={script} />, 201);
}

function inputsOf({ workflowId }: SavedEndpoint, workflows: WorkflowRecord[]) {
  return workflows.find((workflow) => workflow.workflowId === workflowId)?.inputs ?? [];
}

/** The account's endpoints and all there is to do with one, but for its request log. */
export function serveWebhooks(app: Dashboard): void {
  app.get("/webhooks", async (http) => {
    const api = http.get("api");
    const cursor = http.req.query("cursor");
    const page = await api.webhooks.list(cursor === undefined ? {} : { cursor });
    const workflowNames = await namesFor(api, page.endpoints);
    return http.html(
      <EndpointsPage {...page} workflowNames={workflowNames} isFirstPage={cursor === undefined} />,
    );
  });
  serveNewEndpoint(app);
  serveEndpoint(app);
  serveSettings(app);
  serveSecret(app);
  serveTry(app);
  serveRules(app);
  serveShape(app);
}
