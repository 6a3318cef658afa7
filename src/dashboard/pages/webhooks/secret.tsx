import type * as z from "zod";
import { type EndpointRecord, rotateSecretBody } from "../../../contract/inbound/endpoint.ts";
import { Notice, Time } from "../../components/parts.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { attempt, type Made } from "../../forms/attempt.ts";
import { faultsByIssues, type Refusal } from "../../forms/faults.ts";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { MadeSecrets, type SavedEndpoint } from "./created.tsx";
import { EndpointPage } from "./frame.tsx";
import { endpointPath } from "./paths.ts";
import { ROTATION, RotateForm, type SecretDraft } from "./secret-form.tsx";

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
