import type { Child } from "hono/jsx";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { Place } from "../../../contract/inbound/signature.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Badge, Copyable, Notice, Time } from "../../components/elements.tsx";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { keptWords } from "../../forms/posted.ts";
import { endpointPath, requestPath } from "../../paths.ts";
import { gistOf } from "../requests/labels.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { WorkflowSelect } from "./new-endpoint.tsx";
import { type Sender, senderOf, signsTime } from "./senders.ts";
/** The latest requests, or a line that waits for the first one and is replaced by it. */
export function Arrivals({ endpointId, entries }: { endpointId: string; entries: LogEntry[] }) {
  if (entries.length === 0) return <Waiting endpointId={endpointId} />;
  return (
    <div id="arrivals" class="card">
      <ul class="arrivals">
        {entries.map((entry) => (
          <li>
            <a href={requestPath(endpointId, entry.requestId)}>
              <Time at={entry.receivedAt} />
            </a>
            <Badge state={entry.status} />
            <span class="muted">{`answered ${entry.httpStatus}`}</span>
            <span>{gistOf(entry)}</span>
          </li>
        ))}
      </ul>
      <a href={endpointPath(endpointId, "/requests")}>All requests</a>
    </div>
  );
}

function Waiting({ endpointId }: { endpointId: string }) {
  return (
    <div
      id="arrivals"
      class="card waiting"
      role="status"
      data-live=""
      hx-get={endpointPath(endpointId, "/arrivals")}
      hx-trigger="every 2s"
      hx-swap="outerHTML"
    >
      <p>
        Waiting for the first request. It appears here, and in the{" "}
        <a href={endpointPath(endpointId, "/requests")}>request log</a>.
      </p>
    </div>
  );
}

/** What an endpoint asks for and does, in words. */
export function EndpointFacts({ endpoint }: { endpoint: EndpointRecord }) {
  const { endpointId, methods, retentionDays, requestsPerMinute, createdAt } = endpoint;
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">What it asks for</h2>
      <dl class="facts">
        <Fact name="Sender">{senderOf(endpoint).name}</Fact>
        <AuthFacts auth={endpoint.auth} />
        <Fact name="Methods">{methods.join(", ")}</Fact>
        <Fact name="Replay protection">{replayWords(endpoint)}</Fact>
        <Fact name="Event id">
          {endpoint.eventId === null
            ? "as the sender names it, else the body’s id"
            : placeWords(endpoint.eventId)}
        </Fact>
        <Fact name="A duplicate">
          {endpoint.onDuplicate === "skip" ? "is skipped" : "runs again, flagged"}
        </Fact>
        <Fact name="Validation and mapping">
          <a href={endpointPath(endpointId, "/rules")}>{rulesWords(endpoint)}</a>
        </Fact>
        <Fact name="Rate">{`${requestsPerMinute} requests a minute at most`}</Fact>
        <Fact name="Log">{`kept for ${retentionDays} days`}</Fact>
        <Fact name="Made">
          <Time at={createdAt} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function AuthFacts({ auth: { hmac, token, ipAllowlist, headers } }: Pick<EndpointRecord, "auth">) {
  return (
    <>
      {hmac && (
        <Fact name="Signature">
          {hmac.preset === undefined && <code>{`${hmac.header} `}</code>}
          <SecretWords secret={hmac.secret} />
        </Fact>
      )}
      {token && (
        <Fact name="Token">
          <code>{`${token.header} `}</code>
          <SecretWords secret={token.secret} />
        </Fact>
      )}
      {ipAllowlist && <Fact name="IP allowlist">{ipAllowlist.join(", ")}</Fact>}
      {headers && (
        <Fact name="Headers">
          {headers
            .map(
              ({ name, value }) =>
                `${name} (${value === undefined ? "any value" : `value ${keptWords(value.last4)}`})`,
            )
            .join(", ")}
        </Fact>
      )}
    </>
  );
}

function SecretWords({
  secret,
}: {
  secret: { last4: string; previousValidUntil?: string | undefined };
}) {
  const { last4, previousValidUntil: until } = secret;
  const isOverlap = until !== undefined && Date.parse(until) > Date.now();
  return (
    <>
      {`secret ${keptWords(last4)}`}
      {isOverlap && (
        <>
          ; the one before is valid until <Time at={until} />
        </>
      )}
    </>
  );
}

/** A place in a request, in words. */
export function placeWords({ in: where, path }: Place): string {
  return where === "header" ? `the header ${path}` : `${path} in the body`;
}

function replayWords({
  auth,
  replayProtection: { enabled, toleranceSeconds, timestamp },
}: EndpointRecord) {
  if (!enabled) return "off";
  const within = `${toleranceSeconds} s either way, by`;
  if (timestamp !== null) return `${within} ${placeWords(timestamp)}`;
  if (signsTime(auth)) return `${within} the time that the sender signs`;
  return `${within} a timestamp in the body; what has none is not refused for its age`;
}

function rulesWords({ validation: { required, types, schema }, mapping }: EndpointRecord): string {
  const rules = [
    required.length > 0 && `${required.length} required`,
    Object.keys(types).length > 0 && `${Object.keys(types).length} typed`,
    schema !== null && "a schema",
    mapping.fields.length > 0 && `${mapping.fields.length} mapped`,
    mapping.auto && "auto-mapping",
  ].filter((rule) => rule !== false);
  return rules.length === 0 ? "none" : rules.join(", ");
}

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

/** What to do in the sender's own settings. */
export function Steps({
  sender: { name, auth, steps, docs },
  where,
}: {
  sender: Sender;
  /** Where the sender's secret is pasted; null where it is here already. */
  where: "below" | "under Settings" | null;
}) {
  const left = steps.flatMap((step) => {
    if (typeof step === "string") return [step];
    if (where !== null) return [step.missing.replace("{where}", where)];
    return step.given === null ? [] : [step.given];
  });
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {left.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {docs !== null && (
        <p>
          <a href={docs} rel="noreferrer">{`Documentation of ${name}`}</a>
        </p>
      )}
    </section>
  );
}
