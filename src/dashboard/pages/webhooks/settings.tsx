import type { JsonObject } from "../../../contract/json.ts";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  method,
  rotateSecretBody,
  updateEndpointBody,
} from "../../../contract/webhooks/endpoint.ts";
import { customScheme, PRESETS } from "../../../contract/webhooks/signature.ts";
import { isObject } from "../../../lib/json-values.ts";
import { Submit } from "../../components/elements.tsx";
import { Chips } from "../../components/layout.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { storedSecret } from "../../forms/execution-options.tsx";
import { Control, Controls, DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import {
  type Fields,
  type Form,
  field,
  nested,
  optionsOf,
  shownForm,
  type Values,
} from "../../forms/form.ts";
import { Section, serveForm } from "../../forms/form-page.tsx";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { DeleteLink, serveDeletion } from "../resource.tsx";
import { EndpointPage, showOnce } from "./endpoint-layout.tsx";
import { providerOf } from "./senders.ts";

/** The form of an endpoint's settings. Blank secrets keep what is stored. */
function settingsForm({ auth: stored }: EndpointRecord): Form<typeof updateEndpointBody> {
  return {
    schema: updateEndpointBody,
    blank: null,
    fields: {
      name: ENDPOINT_FIELDS.name,
      path: field.line("Custom path", {
        hint: "The end of the URL. Leave empty to use a random id. A change requires new settings at the sender.",
      }),
      methods: field.boxes("Methods", {
        ...optionsOf(method.options),
        GET: "GET (the query is the payload)",
      }),
      requestsPerMinute: field.number("Requests per minute", { required: true }),
      retentionDays: field.number("Log retention (days)", { required: true }),
      withoutWorkflow: field.select("Without a workflow", {
        hold: "Hold requests",
        log: "Log requests",
      }),
      "split.path": field.line("Split batches", {
        hint: "The list of which each item becomes a request of its own, such as events; $ is the payload itself. Leave empty for one request.",
      }),
      onDuplicate: field.select("Duplicate events", { skip: "Skip", run: "Run again, flagged" }),
      eventId: field.json("Event id", {
        hint: 'Its place, such as {"in": "header", "path": "X-Event-Id"}; false tracks no duplicates. Leave empty to find it as the sender defines, else by name.',
        more: { rows: 2 },
      }),
      replayProtection: field.json("Replay protection", {
        hint: "Rejects requests whose timestamp is outside the time window. Without a place the sender’s signed time counts, else the body’s timestamp.",
        more: { rows: 5 },
      }),
      signature: field.select("Signature scheme", {
        "": "none",
        ...Object.fromEntries(PRESETS.map((preset) => [preset, providerOf(preset).name])),
        custom: "custom, by its scheme",
      }),
      "auth.hmac.secret": field.secret("Signing secret", { hint: secretHint(stored.hmac?.secret) }),
      "auth.hmac": ENDPOINT_FIELDS["auth.hmac"],
      token: field.check("Require a token"),
      "auth.token.header": ENDPOINT_FIELDS["auth.token.header"],
      "auth.token.secret": field.secret("Token", { hint: secretHint(stored.token?.secret) }),
      "auth.ipAllowlist": ENDPOINT_FIELDS["auth.ipAllowlist"],
      "auth.headers": {
        kind: "rows",
        label: "Required headers",
        one: "header",
        fields: {
          name: field.line("Name"),
          value: field.secret("Value", { hint: "Leave empty to keep the stored one." }),
          any: field.check("Any value"),
        },
      },
    },
    assemble(values) {
      const { signature: _, token: __, ...body } = nested(values);
      return {
        ...body,
        split: values["split.path"] ? { path: values["split.path"] } : null,
        auth: {
          token: values.token === true ? tokenOf(values, stored.token) : null,
          hmac: hmacOf(values),
          signature: stored.signature ?? null,
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
  const { hmac, token, ipAllowlist, headers = [] } = endpoint.auth;
  return {
    ...endpoint,
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
    target: field.select("Secret to rotate", { hmac: "Signing secret", token: "Token" }),
    secret: field.secret("New secret", {
      hint: "Leave empty to generate one, which is shown once.",
    }),
    overlapSeconds: field.number("Old secret stays valid (seconds)", {
      hint: "Time to update the sender, such as 86400 for a day.",
      required: true,
    }),
  },
};

/** The controls of the settings, by the titles of their sections. */
const SECTIONS = {
  General: [
    "name",
    "path",
    "methods",
    "requestsPerMinute",
    "retentionDays",
    "withoutWorkflow",
    "split.path",
  ],
  "Duplicates and replay protection": ["onDuplicate", "eventId", "replayProtection"],
  Signature: ["signature", "auth.hmac.secret", "auth.hmac"],
  Token: ["token", "auth.token.header", "auth.token.secret"],
  "IP addresses and headers": ["auth.ipAllowlist", "auth.headers"],
} as const;

const idOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

/** An endpoint's settings, the rotation of its secrets, its deletion. */
export function serveSettings(app: Dashboard): void {
  const load = (http: Page) => http.get("api").webhooks.get(endpointIdOf(http));
  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/settings`,
    load,
    form: settingsForm,
    initial: shownSettings,
    revisionOf: ({ revision }) => revision,
    page: (state, endpoint, http) =>
      settingsPage(endpoint, state, undefined, http.req.query("saved") === "1"),
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.update(endpointId, body),
    done: (http, saved) => showOnce(http, saved, "saved", "/settings?saved=1"),
  });

  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/secret`,
    load,
    form: () => ROTATION,
    page: (rotation, endpoint) => settingsPage(endpoint, undefined, rotation),
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.rotateSecret(endpointId, body),
    done: (http, rotated) => showOnce(http, rotated, "rotated"),
  });

  serveDeletion(app, {
    section: "webhooks",
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

function settingsPage(
  endpoint: EndpointRecord,
  state = shownForm(settingsForm(endpoint), shownSettings(endpoint)),
  rotation = shownForm(ROTATION, { overlapSeconds: 86_400 }),
  isSaved = false,
) {
  const { endpointId, name, auth } = endpoint;
  const { hmac, token } = auth;
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="settings"
      notice={isSaved ? "Settings saved." : null}
      actions={<DeleteLink href={endpointPath(endpointId, "/delete")} name={name} verb="Delete" />}
    >
      <form
        method="post"
        action={endpointPath(endpointId, `/settings?revision=${endpoint.revision}`)}
        class="form"
      >
        <DefaultSubmit />
        <FormErrors of={state} />
        <Chips
          label="Sections of the settings"
          links={Object.keys(SECTIONS).map((label) => ({ label, href: `#${idOf(label)}` }))}
        />
        {Object.entries(SECTIONS).map(([title, names]) => (
          <div id={idOf(title)}>
            <Section of={state} title={title} names={names} />
          </div>
        ))}
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

/** The fields that a new endpoint and its settings have in common. */
export const ENDPOINT_FIELDS = {
  name: field.line("Name", { required: true }),
  "auth.ipAllowlist": field.lines("IP allowlist", {
    hint: "IP addresses and CIDR ranges such as 203.0.113.0/24, one per line. Leave empty to allow any.",
    more: { rows: 3 },
  }),
  "auth.token.header": field.line("Token header", { hint: "Authorization: Bearer also works." }),
  "auth.hmac": field.json("Custom scheme", {
    hint: "As auth.hmac of the API, without the secret. The template of the signed text must include {body}.",
    more: { rows: 10 },
  }),
} as const satisfies Fields;

/** The scheme of a custom signature that is shown first. */
export const DEFAULT_SCHEME = customScheme.parse({});

/** Returns the signature of this preset or, without one, of the scheme that was typed. */
export function typedSignature(values: Values, preset?: string): JsonObject {
  const { "auth.hmac": scheme, "auth.hmac.secret": secret } = values;
  const custom = isObject(scheme) ? scheme : {};
  return {
    ...(preset === undefined ? custom : { preset }),
    ...(secret !== undefined && { secret }),
  };
}

/** Returns the token's settings that were typed. */
export function typedToken(values: Values): JsonObject {
  const header = values["auth.token.header"] ?? null;
  const secret = values["auth.token.secret"];
  return {
    ...(header !== null && header !== DEFAULT_TOKEN_HEADER && { header }),
    ...(secret !== undefined && { secret }),
  };
}
