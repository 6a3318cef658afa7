import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { CATALOG } from "../../intake/signatures/catalog.ts";
import { Snippet } from "../components/text.tsx";
import { curlOf, type GuideContext, withExample } from "../curl.ts";

const WORKFLOW = {
  name: "Look at a page",
  prompt: "List headings of {{page}}.",
  inputs: [{ name: "page", required: true }],
};
const ENDPOINT = { name: "pages", workflowId: "wf_", auth: { token: {} } };
const EVENT = { id: "evt_1", page: "https://example.com" };

/** From a prompt to a webhook that starts an agent. */
export function WebhookGuide({ target, operation }: GuideContext) {
  const curl = (id: string, example: object) => curlOf(withExample(operation(id), example), target);
  return (
    <section id="guide-webhooks">
      <h2>Receive a webhook</h2>
      <p>
        A workflow is a prompt with typed inputs. An endpoint is an address that verifies webhooks
        and starts the workflow with values from their payloads. The agent receives these values as
        data beside the prompt, never as instructions.
      </p>
      <ol class="numbered">
        <li>
          <p>
            <strong>Create a workflow.</strong>
          </p>
          <Snippet
            id="guide-workflow"
            label="Create a workflow"
            text={curl("createWorkflow", WORKFLOW)}
          />
          <Snippet id="guide-workflow-id" label="Workflow id" text="WORKFLOW_ID=wf_..." />
        </li>
        <li>
          <p>
            <strong>Create an endpoint for it.</strong> The response includes the <code>url</code>{" "}
            for the sender and a generated token, which is shown only once.
          </p>
          <Snippet
            id="guide-endpoint"
            label="Create an endpoint"
            text={curl("createEndpoint", ENDPOINT)}
          />
          <Snippet
            id="guide-endpoint-id"
            label="Endpoint id and token"
            text={"ENDPOINT_ID=ep_...\nWEBHOOK_TOKEN=..."}
          />
        </li>
        <li>
          <p>
            <strong>Send an event,</strong> as the sender would. Its <code>page</code> becomes the
            input of that name; use <code>mapping</code> for other names.
          </p>
          <Snippet id="guide-event" label="Send an event" text={curl("receiveWebhook", EVENT)} />
        </li>
        <li>
          <p>
            <strong>Read the log.</strong> It has every request, accepted or rejected, with the
            reasons, and can <a href="#replayWebhookRequest">replay</a> it.
          </p>
          <Snippet
            id="guide-log"
            label="Read the log"
            text={curlOf(operation("listWebhookRequests"), target)}
          />
        </li>
      </ol>

      <h3 id="webhook-checks">Checks</h3>
      <p>
        The first check that fails determines the response. A sender that is not authenticated
        learns nothing about the endpoint; the log has all details.
      </p>
      <Checks />

      <h3 id="webhook-signatures">Signatures</h3>
      <p>
        {CATALOG.length} senders have a <a href="#listWebhookPresets">preset</a>, which knows how
        they sign, where their event ids are and how they check an address. It goes into{" "}
        <code>auth.hmac</code> for a shared secret, <code>auth.signature</code> for a public key, or{" "}
        <code>auth.token</code> for a sender that does not sign. <code>standard-webhooks</code>{" "}
        covers every sender that follows this specification. For any other scheme, set its header,
        encoding, algorithm and template. With a public key that can be Ed25519, ECDSA, RSA, a JSON
        Web Token or an HTTP Message Signature (RFC 9421). When a signature or a token is wrong,{" "}
        <code>diagnosis</code> in the log names the cause, or the endpoint of your account whose
        secret it is, and <code>advice.change</code> is a change under which the request would be
        authenticated, if there is one. Send it as <code>change</code> to{" "}
        <a href="#updateEndpoint">update the endpoint</a>.
      </p>

      <h3 id="webhook-duplicates">Duplicates and held requests</h3>
      <p>
        An event that is received again, recognized by the sender's id, is marked as a duplicate and
        starts nothing, unless <code>onDuplicate</code> is <code>run</code>. The response includes
        the execution of the first event. An endpoint without a workflow holds its requests and
        starts them in the order of arrival once you attach a workflow. A request that cannot be
        mapped to the workflow stays held, with its errors in the log, and lets the others pass.
        Change the mapping, then <a href="#releaseHeldRequests">release held requests</a>; with{" "}
        <code>dryRun</code>, the same call says beforehand how many can be mapped.
      </p>

      <h3 id="webhook-batches">Batches</h3>
      <p>
        For a sender that puts several events into one request, set <code>split</code> to their
        list, such as <code>{'{"path": "events"}'}</code>. Each item becomes a request of its own,
        with its own event id, log entry and execution; all of them are accepted in one transaction.
        The response lists them as <code>requests</code>. An item that fails validation or mapping
        is <code>rejected</code> alone; if all do, the batch is refused.
      </p>

      <h3 id="webhook-responses">Responses</h3>
      <p>
        An accepted request gets 202 and JSON. For a sender that expects another response, set{" "}
        <code>response</code>: <code>{'{"status": 200, "body": ""}'}</code> for Xero,{" "}
        <code>{'{"body": "{{header.Smartsheet-Hook-Challenge}}"}'}</code> to repeat a header. A
        refused request always gets the problem of its check.
      </p>
    </section>
  );
}

/** A check of a webhook and the codes of the response if it fails. */
interface Check {
  check: string;
  codes: ProblemCode[];
}

/** In the order in which requests go through them. */
const CHECKS: Check[] = [
  {
    check: "The endpoint exists, is enabled and is not deleted.",
    codes: ["not_found", "gone"],
  },
  {
    check: "The request uses HTTPS, over TLS 1.3 unless the operators allow older versions.",
    codes: ["https_required"],
  },
  { check: "The endpoint takes the method.", codes: ["method_not_allowed"] },
  { check: "The endpoint's rate limit is not exceeded.", codes: ["rate_limited"] },
  { check: "The sender's IP address is allowed.", codes: ["ip_not_allowed"] },
  { check: "The body is within the size limit.", codes: ["payload_too_large"] },
  { check: "The body has a supported media type.", codes: ["unsupported_media_type"] },
  { check: "The required headers and the token match.", codes: ["unauthorized"] },
  { check: "The signature of the raw body matches.", codes: ["unauthorized"] },
  { check: "The body can be parsed.", codes: ["malformed_json"] },
  { check: "The timestamp, if there is one, is recent.", codes: ["stale_request"] },
  { check: "The payload passes the endpoint's validation.", codes: ["validation_failed"] },
  { check: "The payload maps to the inputs of the workflow.", codes: ["mapping_failed"] },
];

function Checks() {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Response if it fails</th>
          </tr>
        </thead>
        <tbody>
          {CHECKS.map(({ check, codes }) => (
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
            <td>The event is not a duplicate.</td>
            <td>
              200 <a href="#webhook-duplicates">duplicate</a>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
