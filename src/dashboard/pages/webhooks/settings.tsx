import type { Json } from "../../../contract/json.ts";
import {
  type EndpointRecord,
  method,
  rotateSecretBody,
  updateEndpointBody,
} from "../../../contract/webhooks/endpoint.ts";
import { isObject } from "../../../lib/json-values.ts";
import { Submit } from "../../components/elements.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { Control, Controls, DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import { type Fields, type Form, type FormState, nested, shownForm } from "../../forms/form.ts";
import { Section, serveForm } from "../../forms/form-page.tsx";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { DeleteLink, serveDeletion } from "../resource.tsx";
import { EndpointPage } from "./endpoint-layout.tsx";
import { showOnce } from "./secret.tsx";

/** The fields that a new endpoint and its settings have in common. */
export const ENDPOINT_FIELDS = {
  name: { kind: "line", label: "Name", required: true },
  path: {
    kind: "line",
    label: "Custom path",
    hint: "The end of the URL, such as acme/orders. Leave empty to use a random id. A change requires new settings at the sender.",
  },
  methods: {
    kind: "boxes",
    label: "Methods",
    options: method.options.map((value) => ({
      value,
      label: value === "GET" ? "GET (the query is the payload)" : value,
    })),
  },
  "split.path": {
    kind: "line",
    label: "Split batches",
    hint: "The list of which each item becomes a request of its own, such as events; $ is the payload itself. Leave empty for one request.",
  },
} as const satisfies Fields;

/** The form of an endpoint's settings. */
const SETTINGS: Form<typeof updateEndpointBody> = {
  schema: updateEndpointBody,
  blank: null,
  fields: {
    ...ENDPOINT_FIELDS,
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
    onDuplicate: {
      kind: "select",
      label: "Duplicate events",
      options: [
        { value: "skip", label: "Skip" },
        { value: "run", label: "Run again, flagged" },
      ],
    },
    eventId: {
      kind: "json",
      label: "Event id",
      hint: 'Its place, such as {"in": "header", "path": "X-Event-Id"}; false tracks no duplicates. Leave empty to find it as the sender defines, else by name.',
      more: { rows: 2 },
    },
    replayProtection: {
      kind: "json",
      label: "Replay protection",
      hint: "Rejects requests whose timestamp is outside the time window. Without a place the sender’s signed time counts, else the body’s timestamp.",
      more: { rows: 5 },
    },
    auth: {
      kind: "json",
      label: "Authentication",
      hint: "As auth of the API: hmac, signature, token, ipAllowlist and headers, without secrets. Stored ones are kept, missing ones generated and shown once. A header passes with its stored value, with null with any.",
      more: { rows: 10 },
    },
  },
  assemble(values, fault) {
    const { split, ...body } = nested(values);
    if (hasSecret(values.auth ?? null)) {
      fault("auth", "Must not have secrets, which pages never show. Rotate the secret below.");
    }
    return { ...body, split: values["split.path"] === null ? null : split };
  },
};

/** Tells whether an authentication that was typed has a secret, or the value of a header. */
function hasSecret(auth: Json): boolean {
  if (!isObject(auth)) return false;
  const { headers, ...methods } = auth;
  const isGiven = (value: Json | undefined) => typeof value === "string";
  return (
    Object.values(methods).some((one) => isObject(one) && isGiven(one.secret)) ||
    [headers ?? []].flat().some((one) => isObject(one) && isGiven(one.value))
  );
}

/** Returns the settings of an endpoint as their form shows them: an authentication without its secrets. */
function shownSettings(endpoint: EndpointRecord): object {
  const { token, hmac, signature, ipAllowlist, headers } = endpoint.auth;
  const { preset } = token ?? {};
  // The record of a token of a preset also says where the preset has it.
  const shown = preset === undefined ? token : { preset, secret: undefined };
  const methods = Object.entries({ hmac, signature, token: shown }).flatMap(([name, method]) => {
    if (method === undefined) return [];
    const { secret: _, ...scheme } = method;
    return [[name, scheme] as const];
  });
  const named = headers?.map(({ name, value }) => ({ name, ...(!value && { value: null }) }));
  const auth = {
    ...Object.fromEntries(methods),
    ...(ipAllowlist && { ipAllowlist }),
    ...(named && { headers: named }),
  };
  return { ...endpoint, auth };
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
      hint: "Paste the sender’s, or leave empty to generate one, which is shown once.",
    },
    overlapSeconds: {
      kind: "number",
      label: "Old secret stays valid (seconds)",
      hint: "Time to update the sender, such as 86400 for a day.",
      required: true,
    },
  },
};

/** The controls of the settings, by the titles of their sections. */
const SECTIONS = {
  General: [
    ...["name", "path", "methods", "requestsPerMinute", "retentionDays"],
    ...["withoutWorkflow", "split.path"],
  ],
  "Duplicates and replay protection": ["onDuplicate", "eventId", "replayProtection"],
  Authentication: ["auth"],
};

/** An endpoint's settings, the rotation of its secrets, its deletion. */
export function serveSettings(app: Dashboard): void {
  const load = (http: Page) => http.get("api").webhooks.get(endpointIdOf(http));
  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/settings`,
    load,
    form: () => SETTINGS,
    initial: shownSettings,
    page: (state, endpoint, http) => (
      <SettingsPage
        endpoint={endpoint}
        state={state}
        notice={http.req.query("saved") === "1" ? "Settings saved." : null}
      />
    ),
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.update(endpointId, body),
    done: (http, saved) => showOnce(http, saved, "saved", "/settings?saved=1"),
  });

  serveForm(app, {
    path: null,
    action: `${WEBHOOKS}/:endpointId/secret`,
    load,
    form: () => ROTATION,
    page: (rotation, endpoint) => <SettingsPage endpoint={endpoint} rotation={rotation} />,
    save: (api, body, { loaded: { endpointId } }) => api.webhooks.rotateSecret(endpointId, body),
    done: (http, rotated) => showOnce(http, rotated, "rotated"),
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
  state = shownForm(SETTINGS, shownSettings(endpoint)),
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
        {Object.entries(SECTIONS).map(([title, names]) => (
          <Section of={state} title={title} names={names} />
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
