import * as z from "zod";
import {
  type EndpointRecord,
  endpointSaved,
  rotateSecretBody,
} from "../../../contract/webhooks/endpoint.ts";
import { Copyable, LinkButton, Submit, Time } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { Input } from "../../forms/fields.tsx";
import type { Form } from "../../forms/form.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { redirectToShowOnce, takeShownOnce } from "../../session.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { LatestRequests, SenderSteps } from "./endpoint-page.tsx";
import { curlLine, freshEvent, type SampleEvent } from "./sample-event.ts";
import { senderOf } from "./senders.ts";

export const ROTATION: Form<typeof rotateSecretBody> = {
  schema: rotateSecretBody,
  fields: {
    target: {
      kind: "select",
      label: "Secret to rotate",
      options: [
        { value: "hmac", label: "Signing secret" },
        { value: "token", label: "Token" },
      ],
    },
    secret: {
      kind: "secret",
      label: "New secret",
      hint: "Leave empty to generate one, which is shown once.",
    },
    overlapSeconds: {
      kind: "select",
      label: "The old secret stays valid for",
      hint: "Time to update the sender.",
      required: true,
      options: [
        { value: "0", label: "no time" },
        { value: "3600", label: "an hour" },
        { value: "86400", label: "a day" },
        { value: "604800", label: "a week" },
        { value: "2592000", label: "30 days" },
      ],
    },
  },
  assemble: ({ overlapSeconds, ...values }) => ({
    ...values,
    overlapSeconds: Number(overlapSeconds || Number.NaN),
  }),
};

/** After which changes an endpoint may have a secret to show, and what its page says. */
const CHANGES = {
  created: "The endpoint is ready.",
  rotated: "The new secret is valid now.",
  restored: "Earlier revision restored.",
  saved: "Settings saved.",
};

const knownSecrets = endpointSaved.shape.secrets.unwrap();
type KnownSecrets = z.output<typeof knownSecrets>;

const shownOnce = z.object({
  change: z.enum(["created", "rotated", "restored", "saved"]),
  /** Whether the reader gave the secret of a new endpoint. */
  isGiven: z.boolean().default(false),
  secrets: knownSecrets,
});
type ShownOnce = z.output<typeof shownOnce>;

/** Leads to the page that shows generated secrets once, or else to the endpoint's page at `rest`. */
export function showSecrets(
  http: Page,
  { endpointId, secrets }: { endpointId: string; secrets?: KnownSecrets | undefined },
  change: Omit<z.input<typeof shownOnce>, "secrets">,
  rest: string,
) {
  if (secrets === undefined) return http.redirect(endpointPath(endpointId, rest), 303);
  const once = { ...change, secrets } satisfies z.input<typeof shownOnce>;
  return redirectToShowOnce(http, endpointPath(endpointId, "/new-secret"), once);
}

/** Serves the page that shows what no other page does: the secrets of an endpoint that changed. */
export function serveSecrets(app: Dashboard): void {
  app.get("/webhooks/:endpointId/new-secret", async (http) => {
    const endpointId = endpointIdOf(http);
    const once = await takeShownOnce(http, shownOnce);
    if (once === null) return http.redirect(endpointPath(endpointId), 303);
    const api = http.get("api");
    const endpoint = await api.webhooks.get(endpointId);
    const sample = freshEvent(endpoint, await inputsOf(api, endpoint.workflowId));
    return show(http, <SecretsPage once={once} endpoint={endpoint} sample={sample} />);
  });
}

function SecretsPage({
  once: { change, isGiven, secrets },
  endpoint,
  sample,
}: {
  once: ShownOnce;
  endpoint: EndpointRecord;
  sample: SampleEvent;
}) {
  const { endpointId, url, auth } = endpoint;
  const sender = senderOf(endpoint);
  const isNew = change === "created";
  const isMissing = isNew && sender.secret?.by === "them" && !isGiven && auth.hmac !== undefined;
  const missing = isMissing && sender.secret?.by === "them" ? sender.secret : null;
  const curl = curlLine(endpoint, sample);
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="overview"
      live={endpointPath(endpointId, "/live")}
      livePart={{ page: endpointPath(endpointId), part: "arrivals" }}
      notice={
        missing === null
          ? CHANGES[change]
          : `The endpoint is created. Add its ${missing.name.toLowerCase()} to finish.`
      }
    >
      <Copyable id="url" label="URL" text={url} />
      {!isGiven && (missing === null || missing.orOurs) && <NewSecrets secrets={secrets} />}
      {change === "rotated" && <OldSecret auth={auth} secrets={secrets} />}
      {isNew && <SenderSteps sender={sender} where={isGiven ? null : "below"} />}
      {missing !== null && (
        <form method="post" action={endpointPath(endpointId, "/secret")} class="card">
          <p>{`Requests from ${sender.name} are rejected until you add its ${missing.name.toLowerCase()}.`}</p>
          <input type="hidden" name="overlapSeconds" value="0" />
          <Input
            name="secret"
            label={missing.name}
            type="password"
            more={{ autocomplete: "new-password", required: true, maxlength: 512 }}
          />
          <Submit>Save secret</Submit>
        </form>
      )}
      {isNew && curl !== null && (
        <Copyable id="curl" label="Send a first request from a terminal" text={curl} />
      )}
      <p>
        <LinkButton href={endpointPath(endpointId)}>View endpoint</LinkButton>
      </p>
      <LatestRequests endpointId={endpointId} entries={[]} />
    </EndpointPage>
  );
}

/** Says until when the secret before a rotation is valid. */
function OldSecret({ auth, secrets }: Pick<ShownOnce, "secrets"> & Pick<EndpointRecord, "auth">) {
  const { secret } = (secrets.hmac === undefined ? auth.token : auth.hmac) ?? {};
  const until = secret?.previousValidUntil;
  if (until === undefined || Date.parse(until) <= Date.now()) {
    return <p>The old secret is no longer valid.</p>;
  }
  return (
    <p>
      The old secret is valid until <Time at={until} />.
    </p>
  );
}

function NewSecrets({ secrets: { hmac, token } }: { secrets: KnownSecrets }) {
  if (hmac === undefined && token === undefined) return null;
  return (
    <>
      {hmac !== undefined && <Copyable id="made-secret" label="Secret" text={hmac} />}
      {token !== undefined && <Copyable id="made-token" label="Token" text={token} />}
      <p class="muted">Copy this now. It is not shown again, but you can rotate it at any time.</p>
    </>
  );
}
