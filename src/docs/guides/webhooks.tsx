import { PRESETS } from "../../contract/inbound/signature.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { Snippet } from "../components/code.tsx";
import { curlOf } from "../curl.ts";
import { type GuideContext, withExample } from "./guide.ts";
import { STAGES } from "./stages.ts";

const WORKFLOW = {
  name: "Look at a page",
  prompt: "Open {{page}} and list its headings.",
  inputs: [{ name: "page", required: true }],
};
const ENDPOINT = { name: "pages", workflowId: "wf_", auth: { token: {} } };
const EVENT = { id: "evt_1", page: "https://example.com" };

/** From nothing to a webhook that starts an agent. */
export function WebhookGuide({ target, operation }: GuideContext) {
  const curl = (id: string, example: object) => curlOf(withExample(operation(id), example), target);
  return (
    <section id="guide-webhooks">
      <h2>Receive a webhook</h2>
      <p>
        A workflow is a prompt with typed inputs; an endpoint is an address that checks what is sent
        to it and starts the workflow with what it finds. Values go to the agent as data beside the
        prompt, never as a part of it.
      </p>
      <ol class="numbered">
        <li>
          <p>
            <strong>Keep a prompt.</strong>
          </p>
          <Snippet
            id="guide-workflow"
            label="Make a workflow"
            text={curl("createWorkflow", WORKFLOW)}
          />
          <Snippet id="guide-workflow-id" label="Its id" text="WORKFLOW_ID=wf_..." />
        </li>
        <li>
          <p>
            <strong>Make an endpoint for it.</strong> Its answer has the <code>url</code> to give to
            the sender, and the token that was made for it, which is shown only now.
          </p>
          <Snippet
            id="guide-endpoint"
            label="Make an endpoint"
            text={curl("createEndpoint", ENDPOINT)}
          />
          <Snippet
            id="guide-endpoint-id"
            label="Its id and its token"
            text={"ENDPOINT_ID=ep_...\nWEBHOOK_TOKEN=..."}
          />
        </li>
        <li>
          <p>
            <strong>Send an event,</strong> as the sender would. Its <code>page</code> becomes the
            input of that name; other names are brought together by <code>mapping</code>.
          </p>
          <Snippet id="guide-event" label="Send an event" text={curl("receiveWebhook", EVENT)} />
        </li>
        <li>
          <p>
            <strong>Look at the log.</strong> It has whatever came, accepted or refused, with every
            reason, and can <a href="#replayWebhookRequest">run it again</a>.
          </p>
          <Snippet
            id="guide-log"
            label="Read the log"
            text={curlOf(operation("listWebhookRequests"), target)}
          />
        </li>
      </ol>

      <h3 id="webhook-checks">What a request goes through</h3>
      <p>
        The first check that fails decides the answer. Until a sender has shown its credentials, it
        is told nothing about the endpoint; the log always has the whole of it.
      </p>
      <Checks />

      <h3 id="webhook-signatures">Signatures</h3>
      <p>
        Providers that are known by name, as <code>auth.hmac.preset</code>:{" "}
        {PRESETS.map((name, at) => (
          <>
            {at > 0 && ", "}
            <code>{name}</code>
          </>
        ))}
        . <code>standard-webhooks</code> covers Svix and all who follow that specification. Any
        other HMAC scheme is described by its header, encoding, algorithm and template. When a
        signature does not match, the <code>diagnosis</code> in the log names what would have.
      </p>

      <h3 id="webhook-duplicates">Duplicates, and endpoints without a workflow</h3>
      <p>
        An event that comes again, by the id that its sender gives it, is flagged and starts
        nothing, unless <code>onDuplicate</code> says otherwise; the answer has the first one's
        execution. An endpoint without a workflow holds what it gets, and starts it in the order of
        arrival once one is attached.
      </p>
    </section>
  );
}

function Checks() {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Else</th>
          </tr>
        </thead>
        <tbody>
          {STAGES.map(({ check, codes }) => (
            <tr>
              <td>{check}</td>
              <td>
                {codes.map((code, at) => (
                  <>
                    {at > 0 && ", "}
                    {PROBLEMS[code].status} <a href={`#problem-${code}`}>{code}</a>
                  </>
                ))}
              </td>
            </tr>
          ))}
          <tr>
            <td>The event did not come before.</td>
            <td>
              200 <a href="#webhook-duplicates">duplicate</a>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
