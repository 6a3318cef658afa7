import { SCOPES } from "../../contract/account.ts";
import { Statuses } from "./statuses.tsx";

const SCOPE_TEXTS: Record<(typeof SCOPES)[number], string> = {
  "executions:read": "Status, result, events, files, lists and usage of executions.",
  "executions:write": "Trigger, message, approve, stop; run workflows; deliver callbacks again.",
  "credits:read": "The balance.",
  "workflows:read": "Read workflows.",
  "workflows:write": "Make, change and delete workflows.",
  "webhooks:read": "Endpoints, their logs, their usage and what was learned of their payloads.",
  "webhooks:write": "Make, change and delete endpoints; rotate secrets; replay requests.",
  "keys:admin": "API keys and MCP servers.",
};

/** What holds for every operation. */
export function Conventions() {
  return (
    <section id="conventions">
      <h2>What holds everywhere</h2>

      <h3 id="authentication">Keys and scopes</h3>
      <p>
        Send <code>Authorization: Bearer ph_live_...</code> over HTTPS. A key may do what its scopes
        say; one that is made without any may do everything. A revoked key stops working at once.
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
        Bodies are JSON with <code>Content-Type: application/json</code>, at most 256 KiB. An
        unknown field is refused and never ignored. Times are ISO 8601 in UTC with milliseconds;
        what lasts has its unit in its name, as <code>timeoutSeconds</code>. Answers may get further
        fields: pass over those that you do not know.
      </p>

      <Statuses />

      <h3 id="rate-limits">Rate limits</h3>
      <p>
        60 requests a minute to <code>/api/v1/agent</code>, unless the operators have set another
        number, and 600 to everything else, counted per account in a sliding minute. Each endpoint
        has a limit of its own. Every answer shows where you are:
      </p>
      <pre>{'RateLimit-Policy: "default";q=60;w=60\nRateLimit: "default";r=59;t=1'}</pre>
      <p>
        <code>q</code> requests in <code>w</code> seconds; <code>r</code> are left, and a place is
        free again in <code>t</code> seconds. Beyond it comes{" "}
        <a href="#problem-rate_limited">429</a> with <code>Retry-After</code>. An event stream or a
        status that waits counts once.
      </p>

      <h3 id="idempotency">Repeating safely</h3>
      <p>
        Where an operation takes an <code>Idempotency-Key</code>, send one of your own: the same key
        with the same body gets the same answer for at least 24 hours, marked{" "}
        <code>Idempotency-Replayed: true</code>, and starts nothing twice. With another body it is{" "}
        <a href="#problem-idempotency_key_reused">422</a>.
      </p>

      <h3 id="versions">Versions</h3>
      <p>
        Every change of an execution raises its <code>version</code>, which is the <code>ETag</code>{" "}
        of its status. <code>If-None-Match</code> spares an answer that you have.{" "}
        <code>If-Match</code> on a message or a stop refuses it once the execution has moved on (
        <a href="#problem-version_mismatch">412</a>).
      </p>

      <h3 id="lists">Lists</h3>
      <p>
        Lists go from the newest to the oldest, <code>limit</code> at a time (20, at most 100). The
        next page begins at <code>cursor</code>, which is the <code>nextCursor</code> of the one
        before and null on the last. While new things arrive no row comes twice, and none is left
        out.
      </p>

      <h3 id="event-stream">Event streams</h3>
      <p>
        <a href="#readExecutionEvents">The events of an execution</a> come as server-sent events.
        The <code>id</code> is the entry's number: a client that comes back with{" "}
        <code>Last-Event-ID</code> misses nothing, as an EventSource does by itself. The stream ends
        after the last entry.
      </p>

      <h3 id="request-ids">Request ids</h3>
      <p>
        Every answer has an <code>X-Request-Id</code>. Name it when you ask the operators about a
        request.
      </p>
    </section>
  );
}
