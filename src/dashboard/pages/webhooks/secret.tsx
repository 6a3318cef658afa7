import * as z from "zod";
import {
  type EndpointRecord,
  endpointSaved,
  rotateSecretBody,
} from "../../../contract/webhooks/endpoint.ts";
import { Copyable, LinkButton, Notice, Submit, Time } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { Control, FormErrors, Input } from "../../forms/fields.tsx";
import { type Form, type FormState, shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { endpointPath } from "../../paths.ts";
import { redirectToShowOnce, takeShownOnce } from "../../session.ts";
import { EndpointPage } from "./endpoint-layout.tsx";

const ROTATION: Form<typeof rotateSecretBody> = {
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

/** An endpoint's secrets: rotate them, or replace them by the sender's own. */
export function serveSecret(app: Dashboard): void {
  app.get("/webhooks/:endpointId/secret", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const state = shownForm(ROTATION, { overlapSeconds: 86_400 });
    return show(http, <SecretPage endpoint={endpoint} state={state} />);
  });

  app.post("/webhooks/:endpointId/secret", (http) => rotate(http, http.req.param("endpointId")));

  app.get("/webhooks/:endpointId/new-secret", async (http) => {
    const endpointId = http.req.param("endpointId");
    const once = await takeShownOnce(http, newSecret);
    if (once === null) return http.redirect(endpointPath(endpointId), 303);
    const endpoint = await http.get("api").webhooks.get(endpointId);
    return show(http, <NewSecretPage endpoint={endpoint} {...once} />);
  });
}

async function rotate(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const rotated = await submit(ROTATION, await postedForm(http), (body) =>
    webhooks.rotateSecret(endpointId, body),
  );
  if (!rotated.ok) {
    const page = <SecretPage endpoint={await webhooks.get(endpointId)} state={rotated.state} />;
    return show(http, page, rotated.state.refusal.status);
  }
  return showNewSecrets(http, rotated.value, "rotated", "?done=secret");
}

function SecretPage({ endpoint, state }: { endpoint: EndpointRecord; state: FormState }) {
  const { hmac, token } = endpoint.auth;
  return (
    <EndpointPage endpoint={endpoint} tab="settings">
      <h2>Rotate secret</h2>
      {hmac === undefined && token === undefined ? (
        <p>This endpoint has no secret.</p>
      ) : (
        <form method="post" action={endpointPath(endpoint.endpointId, "/secret")} class="card">
          <FormErrors of={state} />
          {hmac !== undefined && token !== undefined && <Control of={state} name="target" />}
          <Control of={state} name="secret" />
          <Control of={state} name="overlapSeconds" />
          <Submit>Rotate secret</Submit>
        </form>
      )}
    </EndpointPage>
  );
}

/** After which changes an endpoint may have a secret that the service generated, and what its page says. */
const CHANGES = {
  rotated: "The new secret is valid now.",
  restored: "Earlier revision restored.",
  saved: "Settings saved.",
};
type Change = keyof typeof CHANGES;

export const knownSecrets = endpointSaved.shape.secrets.unwrap();
type KnownSecrets = z.output<typeof knownSecrets>;

const newSecret = z.object({
  change: z.enum(["rotated", "restored", "saved"]),
  secrets: knownSecrets,
});

/** Leads to the page that shows generated secrets once, or else to the endpoint's page at `rest`. */
export function showNewSecrets(
  http: Page,
  { endpointId, secrets }: { endpointId: string; secrets?: KnownSecrets | undefined },
  change: Change,
  rest: string,
) {
  if (secrets === undefined) return http.redirect(endpointPath(endpointId, rest), 303);
  const once = { change, secrets } satisfies z.output<typeof newSecret>;
  return redirectToShowOnce(http, endpointPath(endpointId, "/new-secret"), once);
}

function NewSecretPage({
  endpoint: { endpointId, name, auth },
  change,
  secrets,
}: z.output<typeof newSecret> & { endpoint: EndpointRecord }) {
  const { secret } = (secrets.hmac === undefined ? auth.token : auth.hmac) ?? {};
  const until = secret?.previousValidUntil;
  return (
    <EndpointPage endpoint={{ endpointId, name }} tab="settings">
      <Notice tone="good">{CHANGES[change]}</Notice>
      <NewSecrets secrets={secrets} />
      {change === "rotated" && (
        <p>
          {until === undefined || Date.parse(until) <= Date.now() ? (
            "The old secret is no longer valid."
          ) : (
            <>
              The old secret is valid until <Time at={until} />.
            </>
          )}
        </p>
      )}
      <p>
        <LinkButton href={endpointPath(endpointId)}>View endpoint</LinkButton>
      </p>
    </EndpointPage>
  );
}

/** Replaces the secret by the sender's own, at once. */
export function PasteSecret({ endpointId, label }: { endpointId: string; label: string }) {
  return (
    <form method="post" action={endpointPath(endpointId, "/secret")}>
      <input type="hidden" name="overlapSeconds" value="0" />
      <Input
        name="secret"
        label={label}
        type="password"
        faults={NO_FAULTS}
        more={{ autocomplete: "new-password", required: true, maxlength: 512 }}
      />
      <Submit>Save secret</Submit>
    </form>
  );
}

/** Shows secrets that the service generated, which no other page does. */
export function NewSecrets({ secrets: { hmac, token } }: { secrets: KnownSecrets }) {
  if (hmac === undefined && token === undefined) return null;
  return (
    <>
      {hmac !== undefined && <Copyable id="made-secret" label="Secret" text={hmac} />}
      {token !== undefined && <Copyable id="made-token" label="Token" text={token} />}
      <p class="muted">Copy this now. It is not shown again, but you can rotate it at any time.</p>
    </>
  );
}
