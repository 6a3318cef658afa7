import { Badge, Copyable, LinkButton, Notice, Submit } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { formatDuration, summaryLine } from "../../format.ts";
import { ErrorSummary, NO_FAULTS, type Refusal, refusalOf } from "../../forms/errors.tsx";
import { Area, FormKey, idempotencyOf } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { streamFollowed } from "../../live.ts";
import {
  EXECUTIONS,
  endpointPath,
  executionPath,
  outputFilePath,
  requestPath,
  WEBHOOKS,
} from "../../paths.ts";
import { DETAIL_LABELS } from "../executions/labels.ts";
import { gistOf } from "../requests/labels.ts";
import {
  acceptsSample,
  createFirstEndpoint,
  curlLine,
  FIRST_PROMPT,
  FIRST_WORKFLOW,
  type FirstRun,
  fingerprintOf,
  isExecutionDone,
  isExecutionOpen,
  isWebhookDone,
  loadFirstRun,
  SAMPLE,
} from "./first-run-state.ts";

/** The first execution, updated until it has ended. */
function ExecutionProgress({ state }: { state: FirstRun }) {
  const { execution, files } = state;
  return (
    <div id="run-progress">
      {execution !== null && (
        <>
          <p>
            <Badge state={execution.status} />{" "}
            {execution.summary === null
              ? DETAIL_LABELS[execution.statusDetail]
              : summaryLine(execution.summary, 200)}
          </p>
          <p class="actions">
            {files.map(({ outputId, filename }) => (
              <LinkButton
                href={outputFilePath(execution.executionId, outputId)}
              >{`Download ${filename}`}</LinkButton>
            ))}
            <LinkButton href={executionPath(execution.executionId)}>
              {isExecutionDone(state) ? "View steps and results" : "View execution"}
            </LinkButton>
          </p>
        </>
      )}
    </div>
  );
}

/** The first request, updated until it was received and its execution has ended. */
function WebhookProgress({ state }: { state: FirstRun }) {
  const { endpoint, arrival } = state.webhook;
  return (
    <div id="webhook-progress">
      {endpoint !== null && arrival === null && (
        <p>
          <Badge state="waiting" /> Waiting for the first request.
        </p>
      )}
      {endpoint !== null && arrival !== null && (
        <p>
          <Badge state={arrival.status} />{" "}
          {isWebhookDone(state)
            ? `Received. ${latencyText(state)}`
            : gistOf(arrival) || "Received."}{" "}
          <a href={requestPath(endpoint.endpointId, arrival.requestId)}>View request</a>
          {arrival.executionId !== null && (
            <>
              {" and "}
              <a href={executionPath(arrival.executionId)}>execution</a>
            </>
          )}
        </p>
      )}
    </div>
  );
}

function latencyText({ webhook: { arrival } }: FirstRun): string {
  const { toStart, toCompletion } = arrival?.latencyMs ?? { toStart: null, toCompletion: null };
  if (toStart === null || toCompletion === null) return "";
  return `Its execution started after ${formatDuration(toStart)} and completed after ${formatDuration(toCompletion)}.`;
}

const ROOT = "/dashboard/first-run";

/** Leads a new account to its first completed execution and its first webhook. */
export function serveFirstRun(app: Dashboard): void {
  app.get("/first-run", async (http) =>
    show(http, <FirstRunPage view={{ state: await loadFirstRun(http.get("api")) }} />),
  );

  app.post("/first-run/run", async (http) => {
    const api = http.get("api");
    const posted = await postedForm(http);
    const prompt = posted.text("prompt");
    let refusal: Refusal;
    try {
      await api.executions.trigger({ prompt }, idempotencyOf(posted));
      return http.redirect(ROOT, 303);
    } catch (error) {
      refusal = refusalOf(error);
    }
    const view = { state: await loadFirstRun(api), prompt, refusal };
    return show(http, <FirstRunPage view={view} />, refusal.status);
  });

  app.post("/first-run/endpoint", async (http) => {
    await createFirstEndpoint(http.get("api"));
    return http.redirect(`${ROOT}#webhook`, 303);
  });

  app.get("/first-run/live", async (http) => {
    const api = http.get("api");
    const { endpoint } = (await loadFirstRun(api)).webhook;
    const load = async () => fingerprintOf(await loadFirstRun(api));
    return streamFollowed(http, load, endpoint?.endpointId);
  });
}

export interface FirstRunView {
  state: FirstRun;
  /** The prompt that was typed and refused. */
  prompt?: string;
  refusal?: Refusal;
}

/** Two steps: start an execution, receive a webhook. */
export function FirstRunPage({ view }: { view: FirstRunView }) {
  const { state } = view;
  return (
    <Layout title="Get started" section="overview" live={`${ROOT}/live`}>
      <p>Two steps, one minute: start an execution with a prompt, and another with a webhook.</p>
      <ol class="first-steps">
        <li class="card" id="run">
          <h2>Start an execution</h2>
          <div role="status">
            <ExecutionProgress state={state} />
          </div>
          {!isExecutionDone(state) && !isExecutionOpen(state) && <PromptForm view={view} />}
        </li>
        <li class="card" id="webhook">
          <h2>Receive a webhook</h2>
          <div role="status">
            <WebhookProgress state={state} />
          </div>
          <WebhookStep state={state} />
        </li>
      </ol>
      <Next state={state} />
    </Layout>
  );
}

function PromptForm({ view: { prompt = FIRST_PROMPT, refusal } }: { view: FirstRunView }) {
  return (
    <form method="post" action="/dashboard/first-run/run">
      <ErrorSummary
        refusal={refusal ?? null}
        labelOf={(name) => (name === "prompt" ? "Prompt" : null)}
      />
      <FormKey />
      <Area
        name="prompt"
        label="Prompt"
        hint="The agent plans its steps, cleans the data in code and writes the file. Change the prompt as you like."
        value={prompt}
        faults={refusal?.faults ?? NO_FAULTS}
        more={{ rows: 9, required: true, maxlength: 32_000 }}
      />
      <Submit>Start execution</Submit>
    </form>
  );
}

function WebhookStep({ state }: { state: FirstRun }) {
  const { endpoint } = state.webhook;
  if (endpoint === null) {
    return (
      <form method="post" action="/dashboard/first-run/endpoint">
        <p>
          An endpoint is a URL. Each request to it starts an execution of its workflow, here with
          the prompt: <q>{FIRST_WORKFLOW.prompt}</q>
        </p>
        <Submit>Create endpoint</Submit>
      </form>
    );
  }
  if (!acceptsSample(endpoint)) {
    return (
      <p>
        <LinkButton
          href={endpointPath(endpoint.endpointId)}
        >{`Send a request to ${endpoint.name}`}</LinkButton>
      </p>
    );
  }
  const path = new URL(endpoint.url).pathname;
  return (
    <>
      <form class="sample" method="post" action={path} data-quiet="">
        <input type="hidden" name="payload" value={SAMPLE} />
        <Submit>Send sample</Submit>
        <span class="muted">or run this command:</span>
      </form>
      <Copyable id="curl" label="Send a sample order" text={curlLine(endpoint)} />
      <p class="muted">
        Anyone who knows the URL can send to it.{" "}
        <a href={`${WEBHOOKS}/new`}>Endpoints for providers</a> also verify signatures.
      </p>
      <noscript>
        <p>Reload this page to see updates.</p>
      </noscript>
    </>
  );
}

/** The next actions once both steps are done. */
function Next({ state }: { state: FirstRun }) {
  return (
    <div id="next">
      {isExecutionDone(state) && isWebhookDone(state) && (
        <Notice tone="good">
          <p>Both steps are complete.</p>
          <p class="actions">
            <LinkButton href="/dashboard">View overview</LinkButton>
            <LinkButton href={`${EXECUTIONS}/new`}>Start another execution</LinkButton>
            <LinkButton href={`${WEBHOOKS}/new`}>Create endpoint for a provider</LinkButton>
          </p>
        </Notice>
      )}
    </div>
  );
}
