import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Notice } from "../../components/elements.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { attempt, type Refusal } from "../../forms/errors.tsx";
import { type RowFocus, rowFocus } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { MadeSecrets } from "./secret.tsx";
import {
  type AuthDraft,
  AuthForm,
  authBody,
  authDraft,
  changedHeaders,
  postedAuth,
  withoutBlankHeaders,
} from "./settings-auth.tsx";
import {
  type GeneralDraft,
  GeneralForm,
  generalBody,
  generalDraft,
  postedGeneral,
} from "./settings-general.tsx";

/** An endpoint's settings: general ones, what a request must bring, its end. */
export function serveSettings(app: Dashboard): void {
  app.get("/webhooks/:endpointId/settings", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const notice = http.req.query("saved") === "1" ? "Saved." : null;
    return http.html(<SettingsPage endpoint={endpoint} notice={notice} />);
  });
  app.post("/webhooks/:endpointId/settings", (http) =>
    saveGeneral(http, http.req.param("endpointId")),
  );
  app.post("/webhooks/:endpointId/settings/auth", (http) =>
    saveAuth(http, http.req.param("endpointId")),
  );
}

async function saveGeneral(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const draft = postedGeneral(await postedForm(http));
  const saved = await attempt(generalBody(draft), (body) => webhooks.update(endpointId, body));
  if (saved.ok) return http.redirect(endpointPath(endpointId, "/settings?saved=1"), 303);
  const { refusal } = saved;
  const page = (
    <SettingsPage endpoint={await webhooks.get(endpointId)} general={{ draft, refusal }} />
  );
  return http.html(page, refusal.status);
}

async function saveAuth(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const endpoint = await webhooks.get(endpointId);
  const posted = await postedForm(http);
  const typed = postedAuth(posted);
  const headers = changedHeaders(typed.headers, posted.line("do"));
  if (headers !== null) {
    const auth = {
      draft: { ...typed, headers },
      refusal: null,
      focus: rowFocus(http, headers.length),
    };
    return http.html(<SettingsPage endpoint={endpoint} auth={auth} />);
  }
  const draft = withoutBlankHeaders(typed);
  const saved = await attempt(authBody(draft, endpoint), (body) =>
    webhooks.update(endpointId, body),
  );
  if (!saved.ok) {
    const { refusal } = saved;
    return http.html(
      <SettingsPage endpoint={endpoint} auth={{ draft, refusal }} />,
      refusal.status,
    );
  }
  const { secrets } = saved.value;
  if (secrets === undefined)
    return http.redirect(endpointPath(endpointId, "/settings?saved=1"), 303);
  return http.html(<SettingsPage endpoint={saved.value} notice="Saved." secrets={secrets} />);
}

function SettingsPage({
  endpoint,
  general = { draft: generalDraft(endpoint), refusal: null },
  auth = { draft: authDraft(endpoint), refusal: null },
  notice = null,
  secrets = {},
}: {
  endpoint: EndpointRecord;
  general?: { draft: GeneralDraft; refusal: Refusal | null };
  auth?: { draft: AuthDraft; refusal: Refusal | null; focus?: RowFocus };
  notice?: string | null;
  secrets?: { hmac?: string | undefined; token?: string | undefined };
}) {
  const { endpointId } = endpoint;
  const hasSecret = endpoint.auth.hmac !== undefined || endpoint.auth.token !== undefined;
  return (
    <EndpointPage endpoint={endpoint} tab="settings">
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <MadeSecrets secrets={secrets} />
      <GeneralForm endpointId={endpointId} {...general} />
      <AuthForm endpoint={endpoint} {...auth} />
      {hasSecret && (
        <section class="card" aria-labelledby="rotate">
          <h2 id="rotate">Rotate the secret</h2>
          <p>The old one stays valid for a while beside the new one, so nothing is refused.</p>
          <a class="button" href={endpointPath(endpointId, "/secret")}>
            Rotate the secret
          </a>
        </section>
      )}
      <Delete endpoint={endpoint} />
    </EndpointPage>
  );
}

function Delete({ endpoint: { endpointId, name, url } }: { endpoint: EndpointRecord }) {
  return (
    <details class="card danger-zone">
      <summary>Delete this endpoint</summary>
      <p>
        <code>{url}</code> answers 410 from then on, and its log can no longer be read. Runs that
        were started go on.
      </p>
      <form method="post" action={endpointPath(endpointId, "/delete")}>
        <button type="submit" class="danger">
          {`Delete ${name}`}
        </button>
      </form>
    </details>
  );
}
