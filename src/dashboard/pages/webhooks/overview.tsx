import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Copyable, Notice } from "../../components/parts.tsx";
import { NO_FAULTS } from "../../forms/faults.ts";
import { Arrivals } from "./arrivals.tsx";
import { EndpointFacts } from "./facts.tsx";
import { EndpointPage } from "./frame.tsx";
import { WorkflowSelect } from "./new.tsx";
import { endpointPath } from "./paths.ts";
import { senderOf } from "./senders/all.ts";
import { Steps } from "./steps.tsx";

/** An endpoint at a glance. */
export function OverviewPage({
  endpoint,
  workflows,
  entries,
  script,
  notice,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
  entries: LogEntry[];
  script: string;
  notice: string | null;
}) {
  const { url, auth } = endpoint;
  const isSecret = auth.hmac !== undefined || auth.token !== undefined;
  return (
    <EndpointPage endpoint={endpoint} tab="overview" actions={<Switch endpoint={endpoint} />}>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {!endpoint.enabled && (
        <Notice tone="bad">It is disabled: whoever calls it is answered 404.</Notice>
      )}
      <Copyable id="url" label="URL" text={url} />
      <AttachedWorkflow endpoint={endpoint} workflows={workflows} />
      <section class="part" aria-labelledby="latest">
        <h2 id="latest">Latest requests</h2>
        <Arrivals endpointId={endpoint.endpointId} entries={entries} />
      </section>
      <EndpointFacts endpoint={endpoint} />
      <details class="card">
        <summary>
          <h2>Send it an event from a terminal</h2>
        </summary>
        <Copyable
          id="curl"
          label={isSecret ? "Signed as the sender would, once the secret is filled in" : "As it is"}
          text={script}
        />
      </details>
      <details class="card">
        <summary>
          <h2>Set up the sender</h2>
        </summary>
        <Steps sender={senderOf(endpoint)} where="under Settings" />
      </details>
    </EndpointPage>
  );
}

function Switch({ endpoint: { endpointId, enabled } }: { endpoint: EndpointRecord }) {
  return (
    <form method="post" action={endpointPath(endpointId, "/enabled")}>
      <input type="hidden" name="enabled" value={enabled ? "false" : "true"} />
      <button type="submit" class="switch" role="switch" aria-checked={enabled ? "true" : "false"}>
        Enabled
      </button>
    </form>
  );
}

function AttachedWorkflow({
  endpoint: { endpointId, workflowId, queuedCount },
  workflows,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
}) {
  const action = endpointPath(endpointId, "/workflow");
  const attached = workflows.find((workflow) => workflow.workflowId === workflowId);
  return (
    <section class="card" aria-labelledby="workflow">
      <h2 id="workflow">Workflow</h2>
      <p>
        {workflowId === null ? (
          "None is attached: what comes in is held."
        ) : (
          <>
            Starts <a href={`/dashboard/workflows/${workflowId}`}>{attached?.name ?? workflowId}</a>
            .
          </>
        )}{" "}
        <Held count={queuedCount} isAttached={workflowId !== null} />
      </p>
      <div class="inline-form ends">
        <form method="post" action={action} class="inline-form ends">
          <WorkflowSelect
            workflows={workflows}
            none="–"
            value={workflowId ?? ""}
            faults={NO_FAULTS}
            isNeeded
          />
          <button type="submit">Attach</button>
        </form>
        {workflowId !== null && (
          <form method="post" action={action}>
            <button type="submit">Detach</button>
          </form>
        )}
      </div>
      {workflows.length === 0 && (
        <p>
          <a href="/dashboard/workflows">Make a workflow first.</a>
        </p>
      )}
    </section>
  );
}

/** How many requests wait, and for what. */
function Held({ count, isAttached }: { count: number | null; isAttached: boolean }) {
  if (count === null) return <>How many requests are held is not known right now.</>;
  if (count === 0) return <>No request is held.</>;
  const are = count === 1 ? "1 request is" : `${count} requests are`;
  return (
    <strong>
      {isAttached
        ? `${are} held and being started, in the order of arrival.`
        : `${are} held. Once a workflow is attached they start, in the order of arrival.`}
    </strong>
  );
}
