import type { Child } from "hono/jsx";
import type { Json, JsonObject } from "../../../contract/json.ts";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  rotateSecretBody,
  updateEndpointBody,
} from "../../../contract/webhooks/endpoint.ts";
import { PRESETS } from "../../../contract/webhooks/signature.ts";
import { isObject } from "../../../lib/json-values.ts";
import { Submit } from "../../components/elements.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { storedSecret } from "../../forms/execution-options.tsx";
import { Control, Controls, DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import {
  type Field,
  type Fields,
  type Form,
  type FormState,
  nested,
  shownForm,
  type Values,
} from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { DeleteLink, serveDeletion } from "../resource.tsx";
import {
  DEFAULT_SCHEME,
  ENDPOINT_FIELDS,
  typedSignature,
  typedSplit,
  typedToken,
} from "./endpoint-fields.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { showOnce } from "./secret.tsx";
import { providerOf } from "./senders.ts";

const REPLAY = "replayProtection";
const PLACES = ["eventId", `${REPLAY}.timestamp`];

const GENERAL: Fields = {
  name: ENDPOINT_FIELDS.name,
  path: {
    ...ENDPOINT_FIELDS.path,
    hint: "The end of the URL. Leave empty to use a random id. A change requires new settings at the sender.",
  },
  methods: ENDPOINT_FIELDS.methods,
  requestsPerMinute: { kind: "number", label: "Requests per minute", required: true },
  retentionDays: { kind: "number", label: "Log retention (days)", required: true },
  withoutWorkflow: {
    kind: "select",
    label: "Without a workflow",
    options: [
      { value: "hold", label: "Hold requests" },
      { value: "log", label: "Log requests" },
    ],
  },
};

const DUPLICATES: Fields = {
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
};

const FRESHNESS: Fields = {
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

/** The form of an endpoint's settings. Blank secrets keep what is stored. */
function settingsForm({ auth: stored }: EndpointRecord): Form<typeof updateEndpointBody> {
  return {
    schema: updateEndpointBody,
    blank: null,
    fields: {
      ...GENERAL,
      "split.path": ENDPOINT_FIELDS["split.path"],
      ...DUPLICATES,
      ...FRESHNESS,
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
      "auth.hmac": ENDPOINT_FIELDS["auth.hmac"],
      token: { kind: "check", label: "Require a token" },
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
          value: {
            kind: "secret",
            label: "Value",
            hint: "Leave empty to keep the stored one.",
            more: { maxlength: 1_000 },
          },
          any: { kind: "check", label: "Any value" },
        },
      },
    },
    assemble(values) {
      const own = Object.keys({ ...GENERAL, ...DUPLICATES, ...FRESHNESS })
        .filter((name) => !PLACES.some((place) => name.startsWith(`${place}.`)))
        .map((name): [string, Json] => [name, values[name] ?? null]);
      const placed = PLACES.map((place): [string, Json] => {
        const where = values[`${place}.in`] ?? null;
        if (where === "none") return [place, false];
        return [place, where && { in: where, path: values[`${place}.path`] ?? "" }];
      });
      return {
        ...nested(Object.fromEntries([...own, ...placed])),
        split: typedSplit(values),
        auth: {
          token: values.token === true ? tokenOf(values, stored.token) : null,
          hmac: hmacOf(values),
          signature: keptSignature(stored.signature),
          ipAllowlist: values["auth.ipAllowlist"] ?? null,
          headers: [values["auth.headers"] ?? []].flat().filter(isObject).map(headerOf),
        },
      };
    },
  };
}

function hmacOf(values: Values): JsonObject | null {
  const { signature } = values;
  if (typeof signature !== "string") return null;
  return typedSignature(values, signature === "custom" ? undefined : signature);
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

/** Returns the custom scheme that is stored, else the one to begin with. */
function schemeOf(hmac: EndpointRecord["auth"]["hmac"]): object {
  if (hmac === undefined || hmac.preset !== undefined) return DEFAULT_SCHEME;
  const { secret: _, ...scheme } = hmac;
  return scheme;
}

/** Returns the settings of an endpoint as their form shows them. */
function shownSettings(endpoint: EndpointRecord): object {
  const { eventId } = endpoint;
  const { hmac, token, ipAllowlist, headers = [] } = endpoint.auth;
  return {
    ...endpoint,
    eventId: eventId === false ? { in: "none" } : eventId,
    signature: hmac === undefined ? "" : (hmac.preset ?? "custom"),
    token: token !== undefined,
    auth: {
      hmac: schemeOf(hmac),
      token: { header: token?.header ?? DEFAULT_TOKEN_HEADER },
      ipAllowlist,
      headers: headers.map(({ name, value }) => ({ name, any: value === undefined })),
    },
  };
}

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
      kind: "number",
      label: "Old secret stays valid (seconds)",
      hint: "Time to update the sender, such as 86400 for a day.",
      required: true,
    },
  },
};

/** An endpoint's settings, the rotation of its secrets, its deletion. */
export function serveSettings(app: Dashboard): void {
  const load = (http: Page) => http.get("api").webhooks.get(endpointIdOf(http));
  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/settings`,
    load,
    form: settingsForm,
    initial: shownSettings,
    page: (state, endpoint, http) => (
      <SettingsPage
        endpoint={endpoint}
        state={state}
        notice={http.req.query("saved") === "1" ? "Settings saved." : null}
      />
    ),
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.update(endpointId, body),
    done: (http, saved) => showOnce(http, saved, { change: "saved" }, "/settings?saved=1"),
  });

  serveForm(app, {
    path: null,
    action: `${WEBHOOKS}/:endpointId/secret`,
    load,
    form: () => ROTATION,
    page: (rotation, endpoint) => <SettingsPage endpoint={endpoint} rotation={rotation} />,
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.rotateSecret(endpointId, body),
    done: (http, rotated) => showOnce(http, rotated, { change: "rotated" }, "?done=secret"),
  });

  serveDeletion(app, {
    title: "Webhooks",
    section: "webhooks",
    path: WEBHOOKS,
    act: "delete",
    find: (http, id) => http.get("api").webhooks.get(id),
    nameOf: ({ name }) => name,
    about: ({ url }) => (
      <p>
        <code>{url}</code> returns 410 from then on, and its request log is no longer readable.
        Running executions continue.
      </p>
    ),
    remove: (api, id) => api.webhooks.delete(id),
  });
}

function SettingsPage({
  endpoint,
  state = shownForm(settingsForm(endpoint), shownSettings(endpoint)),
  rotation = shownForm(ROTATION, { overlapSeconds: 86_400 }),
  notice = null,
}: {
  endpoint: EndpointRecord;
  state?: FormState;
  rotation?: FormState;
  notice?: string | null;
}) {
  const { endpointId, name, auth } = endpoint;
  const { hmac, token } = auth;
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="settings"
      notice={notice}
      actions={<DeleteLink href={endpointPath(endpointId, "/delete")} name={name} verb="Delete" />}
    >
      <form method="post" action={endpointPath(endpointId, "/settings")} class="form">
        <DefaultSubmit />
        <FormErrors of={state} />
        <Section title="General" of={state} names={[...Object.keys(GENERAL), "split.path"]} />
        <Section title="Duplicates" of={state} names={Object.keys(DUPLICATES)} />
        <Section title="Replay protection" of={state} names={Object.keys(FRESHNESS)} />
        <Section title="Signature" of={state} names={["signature", "auth.hmac.secret"]}>
          <p class="hint">
            A request must pass every check that is set. Empty secrets stay unchanged.
          </p>
          <details class="sub" open={state.typed.line("signature") === "custom"}>
            <summary>Custom scheme</summary>
            <Control of={state} name="auth.hmac" />
          </details>
        </Section>
        <Section
          title="Token"
          of={state}
          names={["token", "auth.token.header", "auth.token.secret"]}
        />
        <Section title="IP addresses and headers" of={state} names={["auth.ipAllowlist"]}>
          <Control of={state} name="auth.headers" />
        </Section>
        <Submit>Save settings</Submit>
      </form>
      {(hmac !== undefined || token !== undefined) && (
        <form method="post" action={endpointPath(endpointId, "/secret")} class="card">
          <h2>Secret rotation</h2>
          <p>
            The old and the new secret can both be valid for a while, so no request is rejected.
          </p>
          <FormErrors of={rotation} />
          {hmac !== undefined && token !== undefined && <Control of={rotation} name="target" />}
          <Controls of={rotation} names={["secret", "overlapSeconds"]} />
          <button type="submit">Rotate secret</button>
        </form>
      )}
    </EndpointPage>
  );
}

function Section({
  title,
  of,
  names,
  children,
}: {
  title: string;
  of: FormState;
  names: readonly string[];
  children?: Child;
}) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <Controls of={of} names={names} />
      {children}
    </section>
  );
}
