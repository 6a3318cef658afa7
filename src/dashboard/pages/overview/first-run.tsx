import type { Prompthook } from "../../../client/prompthook.ts";
import type { CreateWorkflowBody } from "../../../contract/workflow.ts";
import { Badge, Submit } from "../../components/elements.tsx";
import { IfMay } from "../../components/layout.tsx";
import type { Dashboard } from "../../context.ts";
import { headline, sumOf } from "../../format.ts";
import { FormKey, SingleControl } from "../../forms/fields.tsx";
import { field } from "../../forms/form.ts";
import { EXECUTIONS, endpointPath, executionPath, MODELS, WEBHOOKS } from "../../paths.ts";
import { FIRST_STEPS, keepChoice } from "../../session.ts";
import type { OverviewData } from "./load.ts";

/** A first prompt that every model can execute without a network, including `builtin/demo`. */
export const FIRST_PROMPT = `List distinct rows from the data sorted by total descending, save as orders.xlsx:

date,customer,total
2026-11-03,Acme,120.50
2026-11-04,Birch,80.00
2026-11-04,Birch,80.00
2026-11-05,Cedar,310.00
2026-11-06,Acme,45.25`;

const PROMPT = field.text("Prompt", {
  hint: "The agent plans its steps, cleans the data in code and writes the file. Change the prompt as you like.",
  required: true,
  more: { rows: 9 },
});

/** The workflow of the first endpoint, whose test event has such items. */
const FIRST_WORKFLOW = {
  name: "First webhook",
  prompt: "List rows from {{items}} sorted by total descending.",
  inputs: [
    {
      name: "items",
      type: "array",
      required: true,
      default: null,
      description: "The items of an order.",
    },
  ],
} satisfies CreateWorkflowBody;

const FIRST_ENDPOINT = "/dashboard/first-endpoint";

/** Serves the buttons that create the first endpoint and that dismiss the steps. */
export function serveFirstSteps(app: Dashboard): void {
  app.post("/first-steps/dismiss", (http) => {
    keepChoice(http, FIRST_STEPS, "dismissed");
    return http.redirect("/dashboard", 303);
  });
  app.post("/first-endpoint", async (http) => {
    return http.redirect(endpointPath(await firstEndpoint(http.get("api"))), 303);
  });
}

/** Returns the id of the newest endpoint; creates one and its workflow where there is none. */
async function firstEndpoint(api: Prompthook): Promise<string> {
  const { endpoints } = await api.webhooks.list({ limit: 1 });
  if (endpoints[0] !== undefined) return endpoints[0].endpointId;
  const { workflowId } = await api.workflows.create(FIRST_WORKFLOW);
  return (await api.webhooks.create({ name: FIRST_WORKFLOW.name, workflowId })).endpointId;
}

/** The newest executions of an account that is still new: the overview loads no more. */
const FEW = 5;

/** The two steps of a new account, each with its reader's own things, until both are done or dismissed. */
export function FirstSteps({ data, isNew }: { data: OverviewData; isNew: boolean }) {
  const { latest, webhooks, areStepsDismissed } = data;
  if (latest === null || webhooks === null || areStepsDismissed) return null;
  const [execution] = latest;
  const [endpoint] = webhooks.endpoints;
  const isReceived = webhooks.endpoints.some(({ requests }) => sumOf(requests) > 0);
  if (execution !== undefined && endpoint !== undefined) {
    if (isReceived || latest.length > FEW) return null;
  }
  return (
    <ol aria-label="Get started" class="first-steps">
      <li class="card">
        <h2>Start an execution</h2>
        {execution === undefined ? (
          <IfMay scope="executions:write">
            <form method="post" action={`${EXECUTIONS}/new`}>
              <FormKey />
              <SingleControl name="prompt" field={PROMPT} value={FIRST_PROMPT} />
              <Submit>Start execution</Submit>
            </form>
          </IfMay>
        ) : (
          <>
            <p>
              <Badge state={execution.status} />{" "}
              <a href={executionPath(execution.executionId)}>{headline(execution.promptPreview)}</a>
            </p>
            {execution.status === "failed" && <ConnectModel model={execution.model} />}
          </>
        )}
      </li>
      <li class="card">
        <h2>Receive a webhook</h2>
        {endpoint === undefined ? (
          <IfMay scope="webhooks:write">
            <form method="post" action={FIRST_ENDPOINT}>
              <p>
                An endpoint is a URL. Each request to it starts an execution of its workflow, here
                with the prompt: <q>{FIRST_WORKFLOW.prompt}</q> Send it a test event on its page.
              </p>
              <Submit>Create first endpoint</Submit>
            </form>
            <p class="muted">
              <a href={`${WEBHOOKS}/new`}>Endpoints for a sender</a> also verify signatures.
            </p>
          </IfMay>
        ) : (
          <p>
            <a href={endpointPath(endpoint.endpointId)}>{endpoint.name}</a>
            {isReceived
              ? " receives requests."
              : " waits for a request: send a test event on its page."}
          </p>
        )}
      </li>
      {!isNew && (
        <li>
          <form method="post" action="/dashboard/first-steps/dismiss">
            <button type="submit" class="link">
              Dismiss these steps
            </button>
          </form>
        </li>
      )}
    </ol>
  );
}

/** Leads from a prompt that the demo model does not know to a model that takes any; nothing for another model. */
export function ConnectModel({ model }: { model: string | string[] | null }) {
  if (model !== "builtin/demo") return null;
  return (
    <p>
      The built-in model knows only <a href="/docs/demo-model">its commands</a>. For a prompt in
      your own words, <a href={MODELS}>connect a model</a>.
    </p>
  );
}
