import { Snippet } from "../components/code.tsx";
import { curlOf } from "../curl.ts";
import { type GuideContext, withExample } from "./guide.ts";

/** A task that needs no network, since its data stands in it. */
const PROMPT =
  "Sort this data by total descending, and show it as a table:\n\n" +
  "customer,total\nAcme,120.50\nBirch,80.00\nCedar,310.00";

/** From nothing to the first result. */
export function StartGuide({ target, operation }: GuideContext) {
  const trigger = withExample(operation("triggerExecution"), { prompt: PROMPT });
  const curl = (id: string) => curlOf(operation(id), target);
  return (
    <section id="guide-start">
      <h2>Start an agent</h2>
      <p>
        You need an API key. Whoever runs this service gives you the first one; it opens the{" "}
        <a href="/dashboard/keys">dashboard</a> too, where you make others. Give it to your shell:
      </p>
      <Snippet id="guide-key" label="Your key" text="export PROMPTHOOK_API_KEY=ph_live_..." />
      <ol class="numbered">
        <li>
          <p>
            <strong>Trigger it.</strong> The answer comes at once, and from then on nothing can lose
            the execution.
          </p>
          <Snippet id="guide-trigger" label="Trigger" text={curlOf(trigger, target)} />
          <p>
            Keep the <code>executionId</code> of the answer:
          </p>
          <Snippet id="guide-id" label="Its id" text="EXECUTION_ID=..." />
        </li>
        <li>
          <p>
            <strong>Wait for it.</strong> The status answers as soon as something has changed since
            the <code>version</code> that you name. Or follow the{" "}
            <a href="#readExecutionEvents">events</a>.
          </p>
          <Snippet id="guide-status" label="Status" text={curl("getExecutionStatus")} />
        </li>
        <li>
          <p>
            <strong>Read what came out:</strong> a summary, and every table, file, link and text as
            an output of its own. Its <code>status</code> and <code>statusDetail</code> say{" "}
            <a href="#statuses">how it ended</a>.
          </p>
          <Snippet id="guide-result" label="Result" text={curl("getExecutionResult")} />
        </li>
      </ol>
      <p>
        While it works you can <a href="#sendMessage">talk to it</a>,{" "}
        <a href="#sendMessage">approve or deny</a> its actions, or{" "}
        <a href="#stopExecution">stop it</a>. With a <code>callbackUrl</code> the result comes to
        you: see <a href="#guide-callbacks">Verify a callback</a>.
      </p>
    </section>
  );
}
