import { SCOPES } from "../../contract/account.ts";
import type { StatusDetail } from "../../contract/execution.ts";

const SCOPE_TEXTS: Record<(typeof SCOPES)[number], string> = {
  "executions:read": "Read the status, result, events, files, lists and usage of executions.",
  "executions:write":
    "Start, message, approve and stop executions; run workflows; redeliver callbacks.",
  "credits:read": "Read the balance.",
  "workflows:read": "Read workflows.",
  "workflows:write": "Create, update and delete workflows.",
  "webhooks:read": "Read endpoints, their logs, their usage and the learned shape of payloads.",
  "webhooks:write": "Create, update and delete endpoints; rotate secrets; replay requests.",
  "keys:admin": "Manage API keys and MCP servers.",
};

/** What applies to every operation. */
export function Conventions() {
  return (
    <section id="conventions">
      <h2>Conventions</h2>

      <h3 id="authentication">Authentication and scopes</h3>
      <p>
        Send <code>Authorization: Bearer ph_live_...</code> over HTTPS. The scopes of a key
        determine what it can do; a key that is created without scopes has all of them. A revoked
        key stops working at once.
      </p>
      <dl class="facts">
        {SCOPES.map((scope) => (
          <>
            <dt>
              <code>{scope}</code>
            </dt>
            <dd>{SCOPE_TEXTS[scope]}</dd>
          </>
        ))}
      </dl>

      <h3 id="bodies">Bodies and times</h3>
      <p>
        Request bodies are JSON with <code>Content-Type: application/json</code>, at most 256 KiB.
        Unknown fields are rejected, never ignored. Times are ISO 8601 in UTC with milliseconds;
        durations have their unit in the name, as in <code>timeoutSeconds</code>. Responses may get
        new fields: ignore those that you do not know.
      </p>

      <Statuses />

      <h3 id="rate-limits">Rate limits</h3>
      <p>
        An account can make 60 requests per minute to <code>/api/v1/agent</code>, unless the
        operators set another limit, and 600 to all other operations, counted in a sliding window.
        Every endpoint has a limit of its own. Each response shows the current state:
      </p>
      <pre>{'RateLimit-Policy: "default";q=60;w=60\nRateLimit: "default";r=59;t=1'}</pre>
      <p>
        The limit is <code>q</code> requests in <code>w</code> seconds; <code>r</code> remain, and
        the next is free in <code>t</code> seconds. Beyond the limit you get a{" "}
        <a href="#problem-rate_limited">429</a> with <code>Retry-After</code>. An event stream or a
        waiting status request counts once.
      </p>

      <h3 id="idempotency">Idempotent requests</h3>
      <p>
        Some operations take an <code>Idempotency-Key</code>. Repeating a request with the same key
        and body returns the first response for at least 24 hours, marked{" "}
        <code>Idempotency-Replayed: true</code>, and starts nothing twice. The same key with another
        body is a <a href="#problem-idempotency_key_reused">422</a>.
      </p>

      <h3 id="versions">Versions</h3>
      <p>
        Every change of an execution increments its <code>version</code>, which is also the{" "}
        <code>ETag</code> of its status. Send it as <code>If-None-Match</code> to skip a response
        that you already have, or as <code>If-Match</code> to reject a message or a stop once the
        execution has changed (<a href="#problem-version_mismatch">412</a>).
      </p>

      <h3 id="lists">Lists</h3>
      <p>
        Lists are sorted newest first and return <code>limit</code> items at a time (20 by default,
        at most 100). Pass <code>nextCursor</code> as <code>cursor</code> to get the next page; it
        is null on the last one. No item is skipped or repeated while new ones arrive.
      </p>

      <h3 id="event-stream">Event streams</h3>
      <p>
        <a href="#readExecutionEvents">The events of an execution</a> are server-sent events whose{" "}
        <code>id</code> is the sequence number. A client that reconnects with{" "}
        <code>Last-Event-ID</code>, as an EventSource does, misses nothing. The stream ends after
        the final event.
      </p>

      <h3 id="request-ids">Request ids</h3>
      <p>
        Every response has an <code>X-Request-Id</code>. Include it when you contact the operators
        about a request.
      </p>
    </section>
  );
}

/** Every `statusDetail` with the status that it occurs with. */
const DETAILS: Record<StatusDetail, { status: string; meaning: string }> = {
  queued: { status: "active", meaning: "Accepted and about to start." },
  planning: { status: "active", meaning: "The model plans its first step." },
  running: { status: "active", meaning: "The agent is working." },
  retrying: { status: "active", meaning: "An attempt failed and is repeated." },
  question: { status: "waiting_for_input", meaning: "The agent asked a question." },
  approval: { status: "waiting_for_input", meaning: "A tool call requires approval." },
  event: { status: "waiting_for_input", meaning: "The agent waits for a webhook." },
  done: { status: "completed", meaning: "The agent completed the task." },
  user_request: { status: "stopped", meaning: "The execution was stopped on request." },
  superseded: { status: "stopped", meaning: "A further event of its case replaced it." },
  budget_reached: { status: "stopped", meaning: "The execution consumed its maxCredits." },
  step_limit: { status: "failed", meaning: "The execution took its maxSteps." },
  credits_exhausted: {
    status: "stopped, failed",
    meaning: "The balance was used up; failed if it was too low to start.",
  },
  timed_out: { status: "failed", meaning: "The execution exceeded its timeoutSeconds." },
  cannot_do: {
    status: "failed",
    meaning: "The agent ended the execution and says what it could not do.",
  },
  source_unavailable: {
    status: "failed",
    meaning: "The agent could not read a page or another source that the task needs.",
  },
  model_error: {
    status: "failed",
    meaning:
      "The model could not be reached, refused, repeated the same failing call, or sent no reply that can be used.",
  },
  input_timeout: { status: "failed", meaning: "No answer arrived within inputTimeoutSeconds." },
  internal_error: { status: "failed", meaning: "The service failed." },
};

function Statuses() {
  return (
    <>
      <h3 id="statuses">Statuses</h3>
      <p>
        An execution is <code>active</code> or <code>waiting_for_input</code> until it reaches a
        final status: <code>completed</code>, <code>failed</code> or <code>stopped</code>.{" "}
        <code>statusDetail</code> gives the reason:
      </p>
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">statusDetail</th>
              <th scope="col">status</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(DETAILS).map(([detail, { status, meaning }]) => (
              <tr>
                <td>
                  <code>{detail}</code>
                </td>
                <td>{status}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
