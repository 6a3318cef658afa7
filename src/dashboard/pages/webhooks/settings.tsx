import type { Json, JsonObject } from "../../../contract/json.ts";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  updateEndpointBody,
} from "../../../contract/webhooks/endpoint.ts";
import { PRESETS } from "../../../contract/webhooks/signature.ts";
import { isObject } from "../../../lib/json-values.ts";
import { LinkButton, Notice, Submit } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { keepHint, storedSecret } from "../../forms/execution-options.tsx";
import { Control, Controls, DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import {
  type Field,
  type Form,
  type FormState,
  nested,
  shownForm,
  submit,
  type Values,
} from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { changedRows, withoutBlankRows } from "../../forms/rows.ts";
import { endpointPath } from "../../paths.ts";
import {
  ENDPOINT_FIELDS,
  SCHEME_FIELDS,
  SchemeControls,
  shownScheme,
  typedScheme,
  typedSplit,
  typedToken,
} from "./endpoint-fields.tsx";
import { EndpointPage } from "./endpoint-layout.tsx";
import { showNewSecrets } from "./secret.tsx";
import { providerOf } from "./senders.ts";

type UpdateForm = Form<typeof updateEndpointBody>;

const REPLAY = "replayProtection";

const GENERAL: UpdateForm = {
  schema: updateEndpointBody,
  blank: null,
  fields: {
    name: ENDPOINT_FIELDS.name,
    path: {
      ...ENDPOINT_FIELDS.path,
      hint: "The end of the URL. Leave empty to use a random id. A change requires new settings at the sender.",
    },
    methods: ENDPOINT_FIELDS.methods,
    requestsPerMinute: { kind: "number", label: "Requests per minute", required: true },
    retentionDays: { kind: "number", label: "Log retention (days)", required: true },
    "split.path": ENDPOINT_FIELDS["split.path"],
    ...placeFields("eventId", "Event id", "as the sender defines, else found by name", [
      { value: "none", label: "do not track duplicates" },
    ]),
    onDuplicate: {
      kind: "select",
      label: "Duplicate events",
      options: [
        { value: "skip", label: "Skip" },
        { value: "run", label: "Run again, flagged" },
      ],
    },
    [`${REPLAY}.enabled`]: { kind: "check", label: "Reject requests outside the time window" },
    ...placeFields(
      `${REPLAY}.timestamp`,
      "Timestamp",
      "the sender’s signed time, else the body’s timestamp",
    ),
    [`${REPLAY}.toleranceSeconds`]: {
      kind: "number",
      label: "Time window (seconds)",
      required: true,
    },
  },
  assemble(values) {
    const places = ["eventId", `${REPLAY}.timestamp`];
    const others = Object.entries(values).filter(
      ([name]) => !["split", ...places].some((place) => name.startsWith(`${place}.`)),
    );
    const placed = places.map((place): [string, Json] => {
      const where = values[`${place}.in`] ?? null;
      if (where === "none") return [place, false];
      return [place, where && { in: where, path: values[`${place}.path`] ?? "" }];
    });
    return { ...nested(Object.fromEntries([...others, ...placed])), split: typedSplit(values) };
  },
};

/** The fields of a place in a request: nowhere in particular, in a header, or in the body. */
function placeFields(
  name: string,
  label: string,
  standard: string,
  others: { value: string; label: string }[] = [],
): Record<string, Field> {
  return {
    [`${name}.in`]: {
      kind: "select",
      label,
      options: [
        { value: "", label: standard },
        { value: "header", label: "in a header" },
        { value: "body", label: "in the body" },
        ...others,
      ],
    },
    [`${name}.path`]: { kind: "line", label: `${label}: header or path`, more: { maxlength: 500 } },
  };
}

/** The form of an endpoint's authentication. Blank secrets keep what is stored. */
function authForm({ auth: stored }: EndpointRecord): UpdateForm {
  return {
    schema: updateEndpointBody,
    blank: null,
    fields: {
      signature: {
        kind: "select",
        label: "Signature scheme",
        options: [
          { value: "", label: "none" },
          ...PRESETS.map((preset) => ({ value: preset, label: providerOf(preset).name })),
          { value: "custom", label: "custom, below" },
        ],
      },
      "auth.hmac.secret": {
        kind: "secret",
        label: "Signing secret",
        hint: secretHint(stored.hmac?.secret),
        more: { maxlength: 512 },
      },
      ...SCHEME_FIELDS,
      "auth.token": { kind: "check", label: "Require a token" },
      "auth.token.header": ENDPOINT_FIELDS["auth.token.header"],
      "auth.token.secret": {
        kind: "secret",
        label: "Token",
        hint: secretHint(stored.token?.secret),
        more: { maxlength: 512 },
      },
      "auth.ipAllowlist": ENDPOINT_FIELDS["auth.ipAllowlist"],
      "auth.headers": {
        kind: "rows",
        label: "Required headers",
        one: "header",
        fields: {
          name: { kind: "line", label: "Name", more: { maxlength: 100 } },
          value: { kind: "secret", label: "Value", more: { maxlength: 1_000 } },
          any: { kind: "check", label: "Any value" },
        },
      },
    },
    assemble: (values) => ({
      auth: {
        token: values["auth.token"] === true ? tokenOf(values, stored.token) : null,
        hmac: hmacOf(values, stored.hmac),
        signature: keptSignature(stored.signature),
        ipAllowlist: values["auth.ipAllowlist"] ?? null,
        headers: [values["auth.headers"] ?? []].flat().filter(isObject).map(headerOf),
      },
    }),
  };
}

function hmacOf(values: Values, stored: EndpointRecord["auth"]["hmac"]): unknown {
  const { signature = null, "auth.hmac.secret": typedSecret } = values;
  const secret = typedSecret !== undefined && { secret: typedSecret };
  if (signature === null) return null;
  if (signature !== "custom") return { preset: signature, ...secret };
  const scheme = typedScheme(values);
  const shown = shownScheme(stored);
  // A blank control stands for a default; an unchanged scheme is sent as it is stored.
  const isUnchanged = Object.keys(shown).every((name) => (scheme[name] ?? "") === shown[name]);
  if (stored === undefined || stored.preset !== undefined) return { ...scheme, ...secret };
  const { secret: _, ...kept } = stored;
  if (isUnchanged) return { ...kept, ...secret };
  // What no control shows stays as it is.
  const unshown = Object.entries(kept).filter(([name]) => !Object.hasOwn(shown, name));
  return { ...Object.fromEntries(unshown), ...scheme, ...secret };
}

/** Returns the token that was typed; one that is not in a header stays where it is. */
function tokenOf(values: Values, stored: EndpointRecord["auth"]["token"]): JsonObject {
  const { header: _, ...typed } = typedToken(values);
  if (stored?.preset !== undefined) return { preset: stored.preset, ...typed };
  if (stored?.in === undefined) return typedToken(values);
  return { in: stored.in, ...(stored.name !== undefined && { name: stored.name }), ...typed };
}

/** Returns a signature with a private key as it is stored; it is changed through the API. */
function keptSignature(stored: EndpointRecord["auth"]["signature"]): unknown {
  if (stored === undefined) return null;
  const { secret: _, ...kept } = stored;
  return kept;
}

function headerOf({ name = "", any, value }: JsonObject): JsonObject {
  if (any === true) return { name, value: null };
  return { name, ...(value !== undefined && { value }) };
}

function secretHint(secret: { last4: string } | undefined): string {
  return secret === undefined
    ? "Leave empty to generate one, which is shown once."
    : `A secret is ${storedSecret(secret.last4)}. Another one replaces it at once; rotate it to keep both valid for a while.`;
}

function generalState(endpoint: EndpointRecord): FormState {
  const { eventId } = endpoint;
  return shownForm(GENERAL, { ...endpoint, eventId: eventId === false ? { in: "none" } : eventId });
}

function authState(endpoint: EndpointRecord): FormState {
  const { hmac, token, ipAllowlist, headers = [] } = endpoint.auth;
  const { typed, ...state } = shownForm(authForm(endpoint), {
    signature: hmac === undefined ? "" : (hmac.preset ?? "custom"),
    auth: {
      hmac: shownScheme(hmac),
      token: { header: token?.header ?? DEFAULT_TOKEN_HEADER },
      ipAllowlist,
      headers: headers.map(({ name, value }) => ({ name, any: value === undefined })),
    },
  });
  return { ...state, typed: token === undefined ? typed : typed.with([["auth.token", "on"]]) };
}

/** An endpoint's settings: general ones, authentication, deletion. */
export function serveSettings(app: Dashboard): void {
  app.get("/webhooks/:endpointId/settings", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const notice = http.req.query("saved") === "1" ? "Settings saved." : null;
    return show(http, <SettingsPage endpoint={endpoint} notice={notice} />);
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
  const saved = await submit(GENERAL, await postedForm(http), (body) =>
    webhooks.update(endpointId, body),
  );
  if (saved.ok) return http.redirect(endpointPath(endpointId, "/settings?saved=1"), 303);
  const page = <SettingsPage endpoint={await webhooks.get(endpointId)} general={saved.state} />;
  return show(http, page, saved.state.refusal.status);
}

async function saveAuth(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const endpoint = await webhooks.get(endpointId);
  const form = authForm(endpoint);
  const typed = await postedForm(http);
  const changed = changedRows(form, typed);
  if (changed !== null) return show(http, <SettingsPage endpoint={endpoint} auth={changed} />);
  const saved = await submit(form, withoutBlankRows(form, typed), (body) =>
    webhooks.update(endpointId, body),
  );
  if (!saved.ok) {
    const page = <SettingsPage endpoint={endpoint} auth={saved.state} />;
    return show(http, page, saved.state.refusal.status);
  }
  return showNewSecrets(http, saved.value, "saved", "/settings?saved=1");
}

function SettingsPage({
  endpoint,
  general = generalState(endpoint),
  auth = authState(endpoint),
  notice = null,
}: {
  endpoint: EndpointRecord;
  general?: FormState;
  auth?: FormState;
  notice?: string | null;
}) {
  const { endpointId } = endpoint;
  const hasSecret = endpoint.auth.hmac !== undefined || endpoint.auth.token !== undefined;
  return (
    <EndpointPage endpoint={endpoint} tab="settings">
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <GeneralForm endpointId={endpointId} state={general} />
      <AuthForm endpoint={endpoint} state={auth} />
      {hasSecret && (
        <section class="card" aria-labelledby="rotate">
          <h2 id="rotate">Secret rotation</h2>
          <p>
            The old and the new secret can both be valid for a while, so no request is rejected.
          </p>
          <LinkButton href={endpointPath(endpointId, "/secret")}>Rotate secret</LinkButton>
        </section>
      )}
      <Delete endpoint={endpoint} />
    </EndpointPage>
  );
}

function GeneralForm({ endpointId, state }: { endpointId: string; state: FormState }) {
  const names = Object.keys(GENERAL.fields);
  const repeats = names.indexOf("eventId.in");
  const replay = names.indexOf(`${REPLAY}.enabled`);
  return (
    <form
      method="post"
      action={endpointPath(endpointId, "/settings")}
      class="card form"
      aria-labelledby="general"
    >
      <h2 id="general">General</h2>
      <FormErrors of={state} />
      <Controls of={state} names={names.slice(0, repeats)} />
      <h3>Duplicates</h3>
      <Controls of={state} names={names.slice(repeats, replay)} />
      <h3>Replay protection</h3>
      <Control of={state} name={`${REPLAY}.enabled`} />
      <Controls of={state} names={names.slice(replay + 1)} />
      <Submit>Save general settings</Submit>
    </form>
  );
}

function AuthForm({ endpoint, state }: { endpoint: EndpointRecord; state: FormState }) {
  const { endpointId, auth } = endpoint;
  const action = endpointPath(endpointId, "/settings/auth");
  return (
    <form method="post" action={action} class="card form" aria-labelledby="auth">
      <DefaultSubmit />
      <h2 id="auth">Authentication</h2>
      <FormErrors of={state} />
      <p class="hint">A request must pass every check that is set. Empty secrets stay unchanged.</p>
      <h3>Signature</h3>
      <Controls of={state} names={["signature", "auth.hmac.secret"]} />
      <details class="sub" open={state.typed.line("signature") === "custom"}>
        <summary>Custom scheme</summary>
        <SchemeControls of={state} />
      </details>
      <h3>Token</h3>
      <Control of={state} name="auth.token" />
      <Controls of={state} names={["auth.token.header", "auth.token.secret"]} />
      <h3>IP addresses and headers</h3>
      <Control of={state} name="auth.ipAllowlist" />
      <Control
        of={{ ...state, hints: headerHints(state, auth.headers ?? []) }}
        name="auth.headers"
      />
      <Submit>Save authentication</Submit>
    </form>
  );
}

/** Hints that the values of stored headers stay where their controls are left empty. */
function headerHints(
  { typed }: FormState,
  stored: NonNullable<EndpointRecord["auth"]["headers"]>,
): Record<string, string> {
  const hints = typed.rows("auth.headers").flatMap((at) => {
    const path = `auth.headers[${at}]`;
    const name = typed.line(`${path}.name`).toLowerCase();
    const value = stored.find((header) => header.name.toLowerCase() === name)?.value;
    return value === undefined ? [] : [[`${path}.value`, keepHint(value.last4)]];
  });
  return Object.fromEntries(hints);
}

function Delete({ endpoint: { endpointId, name, url } }: { endpoint: EndpointRecord }) {
  return (
    <details class="card danger-zone">
      <summary>Delete endpoint</summary>
      <p>
        <code>{url}</code> returns 410 from then on, and its request log is no longer readable.
        Running executions continue.
      </p>
      <form method="post" action={endpointPath(endpointId, "/delete")}>
        <button type="submit" class="danger">
          {`Delete ${name}`}
        </button>
      </form>
    </details>
  );
}
