import type { Child } from "hono/jsx";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { Place } from "../../../contract/inbound/signature.ts";
import { Time } from "../../components/parts.tsx";
import { keptWords } from "../../forms/secret-words.ts";
import { endpointPath } from "./paths.ts";
import { senderOf, signsTime } from "./senders/all.ts";

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
