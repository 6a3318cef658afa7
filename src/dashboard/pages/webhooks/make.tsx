import type { WorkflowRecord } from "../../../contract/workflow.ts";
import type { Dashboard, Page } from "../../context.ts";
import { attempt } from "../../forms/attempt.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows } from "./all.ts";
import { ChooseSenderPage } from "./choose.tsx";
import { CreatedPage, type SavedEndpoint } from "./created.tsx";
import { sampleRequest } from "./curl/sample.ts";
import { curlScript } from "./curl/script.ts";
import { NewEndpointPage } from "./new.tsx";
import { blankDraft, endpointBody, postedDraft } from "./new-draft.ts";
import { SENDERS } from "./senders/all.ts";
import type { Sender } from "./senders/sender.ts";

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
