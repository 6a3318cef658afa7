import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { Dashboard, Page } from "../../context.ts";
import { attempt } from "../../forms/attempt.ts";
import type { Refusal } from "../../forms/faults.ts";
import { postedForm } from "../../forms/posted.ts";
import { inputsOf } from "./all.ts";
import { endpointPath } from "./paths.ts";
import { draftOfRules, postedRules, type RulesDraft, rulesOf } from "./rules-draft.ts";
import { RulesPage } from "./rules-page.tsx";

/** An endpoint's validation and mapping: read, draft, try on what came, save. */
export function serveRules(app: Dashboard): void {
  app.get("/webhooks/:endpointId/rules", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const use = http.req.query("use") ?? "";
    const draft = use === "" ? draftOfRules(endpoint) : await learnedDraft(http, endpoint, use);
    const notice =
      http.req.query("saved") === "1"
        ? "Saved. It holds for every request from now on."
        : use === ""
          ? null
          : "This is a draft of what was learned. Nothing is saved yet.";
    return http.html(
      <RulesPage {...(await around(http, endpoint))} draft={draft} notice={notice} />,
    );
  });

  app.post("/webhooks/:endpointId/rules", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const posted = await postedForm(http);
    const draft = postedRules(posted);
    return posted.line("do") === "save"
      ? save(http, endpoint, draft)
      : tryOut(http, endpoint, draft);
  });
}

async function save(http: Page, endpoint: EndpointRecord, draft: RulesDraft) {
  const { endpointId } = endpoint;
  const saved = await attempt(rulesOf(draft), ({ validation, mapping }) =>
    http.get("api").webhooks.update(endpointId, { validation, mapping }),
  );
  if (saved.ok) return http.redirect(endpointPath(endpointId, "/rules?saved=1"), 303);
  return refused(http, endpoint, draft, saved.refusal);
}

async function tryOut(http: Page, endpoint: EndpointRecord, draft: RulesDraft) {
  const tried = await attempt(rulesOf(draft), (rules) =>
    http.get("api").webhooks.whatIf(endpoint.endpointId, rules),
  );
  if (!tried.ok) return refused(http, endpoint, draft, tried.refusal);
  const page = <RulesPage {...(await around(http, endpoint))} draft={draft} result={tried.value} />;
  return http.html(page);
}

async function refused(http: Page, endpoint: EndpointRecord, draft: RulesDraft, refusal: Refusal) {
  const page = <RulesPage {...(await around(http, endpoint))} draft={draft} refusal={refusal} />;
  return http.html(page, refusal.status);
}

async function around(http: Page, endpoint: EndpointRecord) {
  return { endpoint, inputs: await inputsOf(http.get("api"), endpoint.workflowId) };
}

/** The rules with what was learned in their place: the schema, the mapping, or both. */
async function learnedDraft(
  http: Page,
  endpoint: EndpointRecord,
  use: string,
): Promise<RulesDraft> {
  const { schema, mapping } = await http.get("api").webhooks.shape(endpoint.endpointId);
  const isBoth = use === "both";
  return draftOfRules({
    validation:
      isBoth || use === "validation" ? { ...endpoint.validation, schema } : endpoint.validation,
    mapping: isBoth || use === "mapping" ? mapping : endpoint.mapping,
  });
}
