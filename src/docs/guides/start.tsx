import { Snippet } from "../components/text.tsx";
import { curlOf, type GuideContext, withExample } from "../curl.ts";

/** A task that needs no network, because it includes its data. */
const PROMPT =
  "List rows from the data sorted by total descending:\n\n" +
  "customer,total\nAcme,120.50\nBirch,80.00\nCedar,310.00";

/** From an API key to the first result. */
export function StartGuide({ target, operation }: GuideContext) {
  const trigger = withExample(operation("triggerExecution"), { prompt: PROMPT });
  const curl = (id: string) => curlOf(operation(id), target);
  return (
    <section id="guide-start">
      <h2>Start an agent</h2>
      <p>
        You need an API key. The operators of this service give you the first one; you create others
        in the <a href="/dashboard/keys">dashboard</a>. Export the key in your shell:
      </p>
      <Snippet id="guide-key" label="API key" text="export PROMPTHOOK_API_KEY=ph_live_..." />
      <ol class="numbered">
        <li>
          <p>
            <strong>Start an execution.</strong> The response is immediate. From then on the
            execution survives crashes and deployments.
          </p>
          <Snippet id="guide-trigger" label="Start an execution" text={curlOf(trigger, target)} />
          <p>
            Copy the <code>executionId</code> from the response:
          </p>
          <Snippet id="guide-id" label="Execution id" text="EXECUTION_ID=..." />
        </li>
        <li>
          <p>
            <strong>Wait for it.</strong> The status is returned as soon as it changes from the{" "}
            <code>version</code> that you pass. You can also follow the{" "}
            <a href="#readExecutionEvents">events</a>.
          </p>
          <Snippet id="guide-status" label="Get the status" text={curl("getExecutionStatus")} />
        </li>
        <li>
          <p>
            <strong>Get the result:</strong> a summary, and an output for every table, file, link
            and text. <code>status</code> and <code>statusDetail</code> say{" "}
            <a href="#statuses">how the execution ended</a>.
          </p>
          <Snippet id="guide-result" label="Get the result" text={curl("getExecutionResult")} />
        </li>
      </ol>
      <p>
        While the agent works, you can <a href="#sendMessage">send it messages</a>,{" "}
        <a href="#sendMessage">approve or deny</a> its actions, or{" "}
        <a href="#stopExecution">stop it</a>. Set a <code>callbackUrl</code> to have the result
        delivered: see <a href="#guide-callbacks">Verify a callback</a>.
      </p>
    </section>
  );
}
