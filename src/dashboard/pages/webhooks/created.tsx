import type * as z from "zod";
import type { endpointSaved } from "../../../contract/inbound/endpoint.ts";
import { Copyable, Notice } from "../../components/parts.tsx";
import { Arrivals } from "./arrivals.tsx";
import type { KnownSecrets } from "./curl/script.ts";
import { EndpointPage } from "./frame.tsx";
import { endpointPath } from "./paths.ts";
import { PasteSecret } from "./secret-form.tsx";
import { senderOf } from "./senders/all.ts";
import type { Sender } from "./senders/sender.ts";
import { Steps } from "./steps.tsx";

export type SavedEndpoint = z.output<typeof endpointSaved>;

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
  const isForNow = sender.secret?.by === "them" && !given;
  return (
    <EndpointPage endpoint={endpoint} tab="overview">
      <Notice tone="good">{`${name} is ready.`}</Notice>
      <Copyable id="url" label="URL" text={url} />
      <MadeSecrets secrets={endpoint.secrets ?? {}} isForNow={isForNow} />
      <Steps sender={sender} />
      {isForNow && <TheirSecret endpointId={endpointId} sender={sender} />}
      <section aria-labelledby="first">
        <h2 id="first">Send it something</h2>
        <Copyable id="curl" label="From a terminal, signed as the sender would" text={script} />
        <p>
          <a class="button" href={endpointPath(endpointId, "/try")}>
            Try a sample
          </a>{" "}
          <a class="button" href={endpointPath(endpointId)}>
            To the endpoint
          </a>
        </p>
        <Arrivals endpointId={endpointId} entries={[]} />
      </section>
    </EndpointPage>
  );
}

/** Secrets that the service made; nothing shows them again. */
export function MadeSecrets({
  secrets: { hmac, token },
  isForNow = false,
}: {
  secrets: KnownSecrets;
  isForNow?: boolean;
}) {
  if (hmac === undefined && token === undefined) return null;
  return (
    <>
      {hmac !== undefined && (
        <Copyable id="secret" label={isForNow ? "Secret for now" : "Secret"} text={hmac} />
      )}
      {token !== undefined && <Copyable id="token" label="Token" text={token} />}
      <p class="hint">
        Shown only now. Keep it where secrets are kept; you can always make another.
      </p>
    </>
  );
}

function TheirSecret({ endpointId, sender }: { endpointId: string; sender: Sender }) {
  if (sender.secret?.by !== "them") return null;
  const { name } = sender.secret;
  return (
    <section class="card" aria-labelledby="theirs">
      <h2 id="theirs">{`Then paste the ${name.toLowerCase()}`}</h2>
      <p>{`Until then requests of ${sender.name} are refused: they are not signed with our secret.`}</p>
      <PasteSecret endpointId={endpointId} label={name} />
    </section>
  );
}
