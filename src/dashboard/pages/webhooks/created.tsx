import { Copyable, Notice } from "../../components/elements.tsx";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { Arrivals, Steps } from "./endpoint-page.tsx";
import { MadeSecrets, PasteSecret, type SavedEndpoint } from "./secret.tsx";
import { senderOf } from "./senders.ts";

/** What to do with a new endpoint. The only page that shows its secret. */
export function CreatedPage({
  endpoint,
  given,
  script,
}: {
  endpoint: SavedEndpoint;
  /** Whether the secret was brought along, and not made by the service. */
  given: boolean;
  script: string;
}) {
  const sender = senderOf(endpoint);
  const { endpointId, name, url } = endpoint;
  const theirs = sender.secret?.by === "them" && !given ? sender.secret : null;
  return (
    <EndpointPage endpoint={endpoint} tab="overview">
      <Notice tone="good">
        {theirs === null
          ? `${name} is ready.`
          : `${name} is made. What is left is its ${theirs.name.toLowerCase()}.`}
      </Notice>
      <Copyable id="url" label="URL" text={url} />
      {(theirs === null || theirs.orOurs) && <MadeSecrets secrets={endpoint.secrets ?? {}} />}
      <Steps sender={sender} where={given ? null : "below"} />
      {theirs !== null && (
        <section class="card" aria-labelledby="theirs">
          <h2 id="theirs">{theirs.name}</h2>
          <p>{`Until it is here, requests of ${sender.name} are refused.`}</p>
          <PasteSecret endpointId={endpointId} label={theirs.name} />
        </section>
      )}
      <section class="part" aria-labelledby="first">
        <h2 id="first">Send it something</h2>
        <Copyable
          id="curl"
          label={
            theirs === null
              ? "From a terminal, signed as the sender would"
              : "From a terminal, signed with a secret of ours that stands in for theirs until then"
          }
          text={script}
        />
        <p class="actions">
          <a class="button" href={endpointPath(endpointId, "/try")}>
            Try a sample
          </a>
          <a class="button" href={endpointPath(endpointId)}>
            To the endpoint
          </a>
        </p>
        <Arrivals endpointId={endpointId} entries={[]} />
      </section>
    </EndpointPage>
  );
}
