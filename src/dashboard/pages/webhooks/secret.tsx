import type * as z from "zod";
import {
  type EndpointRecord,
  type endpointSaved,
  rotateSecretBody,
} from "../../../contract/inbound/endpoint.ts";
import { Copyable, Notice, Time } from "../../components/elements.tsx";
import type { Dashboard, Page } from "../../context.ts";
import {
  attempt,
  faultsByIssues,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { SecretInput, Select } from "../../forms/fields.tsx";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { endpointPath } from "../../paths.ts";
import type { KnownSecrets } from "./curl-script.ts";
import { EndpointPage } from "./endpoint-layout.tsx";

/** Takes a sender's own secret in place of the one there is, from now on. */
export function PasteSecret({ endpointId, label }: { endpointId: string; label: string }) {
  return (
    <form method="post" action={endpointPath(endpointId, "/secret")}>
      <input type="hidden" name="overlapSeconds" value="0" />
      <SecretInput
        name="secret"
        label={label}
        faults={NO_FAULTS}
        more={{ required: true, maxlength: 512 }}
      />
      <button type="submit" class="primary">
        Use it
      </button>
    </form>
  );
}

const OVERLAPS = [
  { value: "0", label: "not at all" },
  { value: "3600", label: "an hour" },
  { value: "86400", label: "a day" },
  { value: "604800", label: "a week" },
  { value: "2592000", label: "30 days" },
];

const NAMES = { hmac: "Signing secret", token: "Token" };

export interface SecretDraft {
  target: string;
  overlapSeconds: string;
}

export const ROTATION: SecretDraft = { target: "", overlapSeconds: "86400" };

/** Replaces a secret, the old one staying good for a while. */
export function RotateForm({
  endpointId,
  targets,
  draft,
  refusal,
}: {
  endpointId: string;
  /** The secrets there are. */
  targets: readonly ("hmac" | "token")[];
  draft: SecretDraft;
  refusal: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <form method="post" action={endpointPath(endpointId, "/secret")} class="card">
      <Refused refusal={refusal} />
      {targets.length > 1 && (
        <Select
          name="target"
          label="Which one"
          value={draft.target}
          options={targets.map((target) => ({ value: target, label: NAMES[target] }))}
          faults={faults}
        />
      )}
      <SecretInput
        name="secret"
        label="New secret"
        hint="Leave this empty for a good one, which is shown once."
        faults={faults}
        more={{ maxlength: 512 }}
      />
      <Select
        name="overlapSeconds"
        label="The old one stays valid for"
        hint="Time to tell the sender."
        value={draft.overlapSeconds}
        options={OVERLAPS}
        faults={faults}
      />
      <button type="submit" class="primary">
        Rotate
      </button>
    </form>
  );
}

/** An endpoint's secrets: rotate them, or put the sender's own in their place. */
export function serveSecret(app: Dashboard): void {
  app.get("/webhooks/:endpointId/secret", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    return http.html(<SecretPage endpoint={endpoint} draft={ROTATION} refusal={null} />);
  });

  app.post("/webhooks/:endpointId/secret", (http) => rotate(http, http.req.param("endpointId")));
}

async function rotate(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const posted = await postedForm(http);
  const rotated = await attempt(bodyOf(posted), (body) => webhooks.rotateSecret(endpointId, body));
  if (rotated.ok && rotated.value.secrets === undefined) {
    return http.redirect(endpointPath(endpointId, "?done=secret"), 303);
  }
  if (rotated.ok) return http.html(<RotatedPage endpoint={rotated.value} />);
  const endpoint = await webhooks.get(endpointId);
  const draft = { target: posted.line("target"), overlapSeconds: posted.line("overlapSeconds") };
  const { refusal } = rotated;
  const page = <SecretPage endpoint={endpoint} draft={draft} refusal={refusal} />;
  return http.html(page, refusal.status);
}

function bodyOf(posted: Posted): Made<z.output<typeof rotateSecretBody>> {
  const [target, secret] = [posted.line("target"), posted.line("secret")];
  const parsed = rotateSecretBody.safeParse({
    ...(target !== "" && { target }),
    ...(secret !== "" && { secret }),
    overlapSeconds: Number(posted.line("overlapSeconds") || Number.NaN),
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

function SecretPage({
  endpoint,
  draft,
  refusal,
}: {
  endpoint: EndpointRecord;
  draft: SecretDraft;
  refusal: Refusal | null;
}) {
  const targets = (["hmac", "token"] as const).filter((use) => endpoint.auth[use] !== undefined);
  return (
    <EndpointPage endpoint={endpoint} tab="settings">
      <h2>Rotate the secret</h2>
      {targets.length === 0 ? (
        <p>This endpoint has no secret.</p>
      ) : (
        <RotateForm
          endpointId={endpoint.endpointId}
          targets={targets}
          draft={draft}
          refusal={refusal}
        />
      )}
    </EndpointPage>
  );
}

function RotatedPage({ endpoint }: { endpoint: SavedEndpoint }) {
  const { auth, secrets = {}, endpointId } = endpoint;
  const { secret } = (secrets.hmac === undefined ? auth.token : auth.hmac) ?? {};
  return (
    <EndpointPage endpoint={endpoint} tab="settings">
      <Notice tone="good">The new secret is in force.</Notice>
      <MadeSecrets secrets={secrets} />
      <OldOne until={secret?.previousValidUntil ?? null} now={Date.now()} />
      <p>
        <a class="button" href={endpointPath(endpointId)}>
          To the endpoint
        </a>
      </p>
    </EndpointPage>
  );
}

/** Until when the secret before this one is taken. */
export function OldOne({ until, now }: { until: string | null; now: number }) {
  if (until === null || Date.parse(until) <= now) return <p>The old one is no longer taken.</p>;
  return (
    <p>
      The old one is taken until <Time at={until} />.
    </p>
  );
}

export type SavedEndpoint = z.output<typeof endpointSaved>;

/** Secrets that the service made; nothing shows them again. */
export function MadeSecrets({ secrets: { hmac, token } }: { secrets: KnownSecrets }) {
  if (hmac === undefined && token === undefined) return null;
  return (
    <>
      {hmac !== undefined && <Copyable id="made-secret" label="Secret" text={hmac} />}
      {token !== undefined && <Copyable id="made-token" label="Token" text={token} />}
      <p class="muted">
        Shown only now. Keep it where secrets are kept; you can always make another.
      </p>
    </>
  );
}
