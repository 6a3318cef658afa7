import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { ReleaseTrial } from "../../../contract/webhooks/trials.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { LinkButton, Submit } from "../../components/elements.tsx";
import { IfMay, show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { SingleControl } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { namesOf } from "../../lookups.ts";
import { endpointPath, requestPath, WORKFLOWS, workflowPath } from "../../paths.ts";
import { errorLine } from "../requests/labels.ts";
import { EndpointPage } from "./endpoint-layout.tsx";

/** Attaches and detaches workflows, and releases held requests. */
export function serveHeld(app: Dashboard): void {
  app.post("/webhooks/:endpointId/workflow", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const form = await postedForm(http);
    const workflowId = form.line("workflowId") || null;
    if (workflowId !== null && form.line("confirmed") === "") {
      const trial = await webhooks.tryRelease(endpointId, { workflowId });
      if (trial.held > 0) {
        const endpoint = await webhooks.get(endpointId);
        return show(
          http,
          <ConfirmPage endpoint={endpoint} trial={trial} workflowId={workflowId} />,
        );
      }
    }
    await webhooks.update(endpointId, { workflowId });
    const done = workflowId === null ? "detached" : "workflow";
    return http.redirect(endpointPath(endpointId, `?done=${done}`), 303);
  });

  app.post("/webhooks/:endpointId/release", async (http) => {
    const endpointId = http.req.param("endpointId");
    await http.get("api").webhooks.release(endpointId);
    return http.redirect(endpointPath(endpointId, "?done=released"), 303);
  });
}

/** Shows what attaching a workflow does to the held requests, before it is attached. */
function ConfirmPage({
  endpoint,
  trial,
  workflowId,
}: {
  endpoint: EndpointRecord;
  trial: ReleaseTrial;
  workflowId: string;
}) {
  const { endpointId } = endpoint;
  const { wouldStart, wouldStayHeld, looked, held, sample } = trial;
  return (
    <EndpointPage endpoint={endpoint} tab="overview">
      <section class="card" aria-labelledby="attach">
        <h2 id="attach">Attach workflow</h2>
        <p>
          <strong>{`${wouldStart} of ${formatCount(looked, "held request")} can be mapped.`}</strong>
          {looked < held &&
            ` ${formatCount(held - looked, "further one")} could not be tried in time.`}
        </p>
        <p>
          {wouldStart > 0 && "Those that can be mapped start in order of arrival. "}
          {wouldStayHeld > 0 &&
            "The others stay held with their errors. Change the mapping and release them again."}
        </p>
        {sample.length > 0 && (
          <ul>
            {sample.map(({ requestId, errors: [first] }) => (
              <li>
                <a href={requestPath(endpointId, requestId)}>
                  <code>{requestId}</code>
                </a>
                {first !== undefined && ` ${errorLine(first)}`}
              </li>
            ))}
          </ul>
        )}
        <form method="post" action={endpointPath(endpointId, "/workflow")} class="inline-form ends">
          <input type="hidden" name="workflowId" value={workflowId} />
          <input type="hidden" name="confirmed" value="yes" />
          <Submit>Attach workflow</Submit>
          <LinkButton href={endpointPath(endpointId)}>Cancel</LinkButton>
        </form>
      </section>
    </EndpointPage>
  );
}

/** The workflow that requests start, and the form that attaches another one. */
export function AttachedWorkflow({
  endpoint: { endpointId, workflowId },
  workflows,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
}) {
  const attached =
    workflows.find((workflow) => workflow.workflowId === workflowId) ??
    (workflowId === null ? undefined : { workflowId, name: workflowId });
  const options = { "": "None", ...Object.fromEntries(namesOf(workflows)) };
  return (
    <section class="card" aria-labelledby="workflow">
      <h2 id="workflow">Workflow</h2>
      <p>
        {attached === undefined ? (
          "No workflow (requests are held)."
        ) : (
          <>
            Starts <a href={workflowPath(attached.workflowId)}>{attached.name}</a>.
          </>
        )}
      </p>
      <IfMay scope="webhooks:write">
        <form method="post" action={endpointPath(endpointId, "/workflow")} class="inline-form ends">
          <SingleControl
            name="workflowId"
            field={{ kind: "select", label: "Workflow", options }}
            value={workflowId ?? ""}
          />
          <button type="submit">Attach workflow</button>
          <a href={endpointPath(endpointId, "/rules?add=1")}>Route by conditions</a>
        </form>
      </IfMay>
      {workflows.length === 0 && (
        <p>
          <a href={WORKFLOWS}>Create a workflow first.</a>
        </p>
      )}
    </section>
  );
}

/** How many requests are held, and the button that releases them. */
export function HeldRequests({
  endpoint: { endpointId, workflowId, routing, queuedCount },
}: {
  endpoint: EndpointRecord;
}) {
  if (queuedCount === null) {
    return <p class="muted">The number of held requests is not available right now.</p>;
  }
  if (queuedCount === 0) return null;
  const held = formatCount(queuedCount, "held request");
  const isIdle = workflowId === null && routing === null;
  const what = isIdle
    ? "Attach a workflow to start them in order of arrival."
    : "Those that can be mapped start in order of arrival.";
  return (
    <div class="inline-form ends">
      <p>
        <strong>{`${held}. ${what}`}</strong>
      </p>
      {!isIdle && (
        <IfMay scope="webhooks:write">
          <form method="post" action={endpointPath(endpointId, "/release")}>
            <button type="submit">Release held requests</button>
          </form>
        </IfMay>
      )}
    </div>
  );
}
