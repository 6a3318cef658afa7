import type { Child } from "hono/jsx";
import { Badge, Copyable, Notice } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { attempt, NO_FAULTS, type Refusal, Refused } from "../../forms/errors.tsx";
import { Area } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import {
  EXECUTIONS,
  endpointPath,
  executionPath,
  outputFilePath,
  requestPath,
  WEBHOOKS,
} from "../../paths.ts";
import { DETAIL_LABELS, sentencesOf } from "../executions/labels.ts";
import { durationOf, gistOf } from "../requests/labels.ts";
import {
  curlLine,
  FIRST_PROMPT,
  FIRST_WORKFLOW,
  type FirstRun,
  fingerprintOf,
  isRunDone,
  isRunOpen,
  isWebhookDone,
  isWebhookOpen,
  loadFirstRun,
  makeEndpoint,
  SAMPLE,
  takesSample,
} from "./first-run-state.ts";

/** Soon after there was news there may be more; later on the calls behind it must not add up. */
const WHEN = "load delay:500ms, every 2s";

/** What is known of the first run, renewed until it has ended. */
export function RunProgress({ state }: { state: FirstRun }) {
  const { run, files } = state;
  return (
    <Progress id="run-progress" state={state} isOpen={isRunOpen(state)}>
      {run !== null && (
        <>
          <p>
            <Badge state={run.status} />{" "}
            {run.summary === null ? DETAIL_LABELS[run.statusDetail] : sentencesOf(run.summary, 200)}
          </p>
          <p class="actions">
            {files.map(({ outputId, filename }) => (
              <a class="button" href={outputFilePath(run.executionId, outputId)}>
                {`Download ${filename}`}
              </a>
            ))}
            <a class="button" href={executionPath(run.executionId)}>
              {isRunDone(state) ? "See its steps and results" : "Open the execution"}
            </a>
          </p>
        </>
      )}
    </Progress>
  );
}

/** What is known of the first webhook, renewed until one has come and its run has ended. */
export function WebhookProgress({ state }: { state: FirstRun }) {
  const { endpoint, arrival } = state.webhook;
  return (
    <Progress id="webhook-progress" state={state} isOpen={isWebhookOpen(state)}>
      {endpoint !== null && arrival === null && (
        <p>
          <Badge state="waiting" /> Waiting for the first request.
        </p>
      )}
      {endpoint !== null && arrival !== null && (
        <p>
          <Badge state={arrival.status} />{" "}
          {isWebhookDone(state) ? `Received. ${tookOf(state)}` : gistOf(arrival) || "Received."}{" "}
          <a href={requestPath(endpoint.endpointId, arrival.requestId)}>See the request</a>
          {arrival.executionId !== null && (
            <>
              {" and "}
              <a href={executionPath(arrival.executionId)}>its execution</a>
            </>
          )}
        </p>
      )}
    </Progress>
  );
}

function tookOf({ webhook: { arrival } }: FirstRun): string {
  const { toStart, toCompletion } = arrival?.latencyMs ?? { toStart: null, toCompletion: null };
  if (toStart === null || toCompletion === null) return "";
  return `Its execution began after ${durationOf(toStart)} and was done after ${durationOf(toCompletion)}.`;
}

/** The part that is asked for again and again, and answers only when there is news. */
function Progress({
  id,
  state,
  isOpen,
  children,
}: {
  id: "run-progress" | "webhook-progress";
  state: FirstRun;
  isOpen: boolean;
  children: Child;
}) {
  const seen = encodeURIComponent(fingerprintOf(state));
  return (
    <div
      id={id}
      {...(isOpen && {
        "data-live": "",
        "hx-get": `/dashboard/first-run/${id}?seen=${seen}`,
        "hx-trigger": WHEN,
        "hx-swap": "outerHTML",
      })}
    >
      {children}
    </div>
  );
}

const ROOT = "/dashboard/first-run";

/** The way from nothing to a first finished run and a first received webhook. */
export function serveFirstRun(app: Dashboard): void {
  app.get("/first-run", async (http) =>
    http.html(<FirstRunPage view={{ state: await loadFirstRun(http.get("api")) }} />),
  );

  app.post("/first-run/run", async (http) => {
    const api = http.get("api");
    const posted = await postedForm(http);
    const prompt = posted.text("prompt");
    const key = posted.line("once");
    const started = await attempt({ ok: true, body: { prompt } }, (body) =>
      api.executions.trigger(body, key === "" ? {} : { idempotencyKey: key }),
    );
    if (started.ok) return http.redirect(ROOT, 303);
    const { refusal } = started;
    const view = { state: await loadFirstRun(api), prompt, refusal };
    return http.html(<FirstRunPage view={view} />, refusal.status);
  });

  app.post("/first-run/endpoint", async (http) => {
    await makeEndpoint(http.get("api"));
    return http.redirect(`${ROOT}#webhook`, 303);
  });

  app.get("/first-run/run-progress", (http) =>
    news(http, (state) => (
      <>
        <RunProgress state={state} />
        <Next state={state} isUpdate />
      </>
    )),
  );
  app.get("/first-run/webhook-progress", (http) =>
    news(http, (state) => (
      <>
        <WebhookProgress state={state} />
        <Next state={state} isUpdate />
      </>
    )),
  );
}

/** A part of the page as it is now, or nothing when it is as it was. */
async function news(http: Page, part: (state: FirstRun) => ReturnType<typeof Next>) {
  const state = await loadFirstRun(http.get("api"));
  if (http.req.query("seen") === fingerprintOf(state)) return http.body(null, 204);
  return http.html(part(state));
}

export interface FirstRunView {
  state: FirstRun;
  /** What was typed, where it was not taken. */
  prompt?: string;
  refusal?: Refusal;
}

/** Leads somebody who is new here to a first finished run and a first received webhook. */
export function FirstRunPage({ view }: { view: FirstRunView }) {
  const { state } = view;
  return (
    <Layout title="Get started" section="overview">
      <p>Two steps, a minute at most: an agent that you start, and one that an event starts.</p>
      <ol class="first-steps">
        <li class="card" id="run">
          <h2>Run an agent</h2>
          <div role="status">
            <RunProgress state={state} />
          </div>
          {!isRunDone(state) && !isRunOpen(state) && <RunForm view={view} />}
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

function RunForm({ view: { prompt = FIRST_PROMPT, refusal } }: { view: FirstRunView }) {
  return (
    <form method="post" action="/dashboard/first-run/run">
      <Refused refusal={refusal ?? null} />
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Area
        name="prompt"
        label="What the agent is to do"
        hint="It plans by itself, cleans the data in code and writes the file. Change it as you like."
        value={prompt}
        faults={refusal?.faults ?? NO_FAULTS}
        more={{ rows: 9, required: true, maxlength: 32_000 }}
      />
      <button type="submit" class="primary">
        Run it
      </button>
    </form>
  );
}

function WebhookStep({ state }: { state: FirstRun }) {
  const { endpoint } = state.webhook;
  if (endpoint === null) {
    return (
      <form method="post" action="/dashboard/first-run/endpoint">
        <p>
          An endpoint is a URL. Whatever is sent to it starts an execution of its workflow, here
          with this prompt: <q>{FIRST_WORKFLOW.prompt}</q>
        </p>
        <button type="submit" class="primary">
          Make an endpoint
        </button>
      </form>
    );
  }
  if (!takesSample(endpoint)) {
    return (
      <p>
        <a class="button" href={endpointPath(endpoint.endpointId)}>
          {`Send something to ${endpoint.name}`}
        </a>
      </p>
    );
  }
  const path = new URL(endpoint.url).pathname;
  return (
    <>
      <form
        class="sample"
        method="post"
        action={path}
        hx-post={path}
        hx-swap="none"
        hx-disabled-elt="find button"
      >
        <input type="hidden" name="payload" value={SAMPLE} />
        <button type="submit" class="primary">
          Send a sample for me
        </button>
        <span class="muted">or paste this into a shell:</span>
      </form>
      <Copyable id="curl" label="An order, as a shop would send it" text={curlLine(endpoint)} />
      <p class="muted">
        Whoever knows the URL can send to it: <a href={`${WEBHOOKS}/new`}>a provider's endpoint</a>{" "}
        also checks who signed.
      </p>
      <noscript>
        <p>Load this page again to see what came.</p>
      </noscript>
    </>
  );
}

/** What to do next once both are done; `isUpdate` where it comes beside a part of the page. */
export function Next({ state, isUpdate = false }: { state: FirstRun; isUpdate?: boolean }) {
  return (
    <div id="next" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isRunDone(state) && isWebhookDone(state) && (
        <Notice tone="good">
          <p>Both work. From here:</p>
          <p class="actions">
            <a class="button" href="/dashboard">
              See the overview
            </a>
            <a class="button" href={`${EXECUTIONS}/new`}>
              Run something of yours
            </a>
            <a class="button" href={`${WEBHOOKS}/new`}>
              Connect GitHub, Stripe or others
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
}
