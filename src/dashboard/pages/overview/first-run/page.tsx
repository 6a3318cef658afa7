import { Area } from "../../../components/fields.tsx";
import { Layout } from "../../../components/layout.tsx";
import { Copyable, Notice } from "../../../components/parts.tsx";
import { Refused } from "../../../components/refused.tsx";
import { NO_FAULTS, type Refusal } from "../../../forms/faults.ts";
import { EXECUTIONS } from "../../executions/paths.ts";
import { endpointPath, WEBHOOKS } from "../../webhooks/paths.ts";
import { RunProgress, WebhookProgress } from "./progress.tsx";
import { type FirstRun, isRunDone, isRunOpen, isWebhookDone, takesSample } from "./state.ts";
import { curlLine, FIRST_PROMPT, FIRST_WORKFLOW, SAMPLE } from "./task.ts";

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
