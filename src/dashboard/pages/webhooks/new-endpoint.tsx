import * as z from "zod";
import type { JsonObject } from "../../../contract/json.ts";
import {
  createEndpointBody,
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
} from "../../../contract/webhooks/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { needsKey } from "../../../intake/signatures/presets/preset.ts";
import type { NamedPreset } from "../../../intake/signatures/presets.ts";
import { Copyable, LinkButton, Notice, Submit } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { Control, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import {
  type Field,
  type Form,
  type FormState,
  isSet,
  shownForm,
  submit,
  type Values,
} from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows, inputsOf } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { redirectToShowOnce, takeShownOnce } from "../../session.ts";
import {
  ENDPOINT_FIELDS,
  SCHEME_FIELDS,
  SchemeControls,
  shownScheme,
  typedScheme,
  typedSplit,
  typedToken,
  workflowField,
} from "./endpoint-fields.tsx";
import { EndpointPage } from "./endpoint-layout.tsx";
import { LatestRequests, SenderSteps } from "./endpoint-page.tsx";
import { curlLine, freshEvent } from "./sample-event.ts";
import { knownSecrets, NewSecrets, PasteSecret } from "./secret.tsx";
import { SENDERS, type Sender, senderOf } from "./senders.ts";

/** Creating an endpoint: first the choice of its sender, then the sender's form. */
export function serveNewEndpoint(app: Dashboard): void {
  app.get("/webhooks/new", (http) =>
    show(http, <ChooseSenderPage workflowId={http.req.query("workflowId") ?? null} />),
  );

  app.get("/webhooks/new/:sender", async (http) => {
    const sender = senderNamed(http.req.param("sender"));
    if (sender === null) return http.notFound();
    const state = shownForm(formFor(sender, await allWorkflows(http.get("api"))), {
      name: sender.auth.kind === "preset" ? sender.name : "",
      workflowId: http.req.query("workflowId"),
      methods: ["POST"],
      split: sender.split === null ? null : { path: sender.split },
      auth: { token: { header: DEFAULT_TOKEN_HEADER }, hmac: shownScheme() },
    });
    return show(http, <NewEndpointPage sender={sender} state={state} />);
  });

  app.post("/webhooks/new/:sender", async (http) => {
    const sender = senderNamed(http.req.param("sender"));
    return sender === null ? http.notFound() : create(http, sender);
  });

  app.get("/webhooks/:endpointId/created", (http) =>
    createdPage(http, http.req.param("endpointId")),
  );
}

function senderNamed(id: string): Sender | null {
  return SENDERS.find((sender) => sender.id === id) ?? null;
}

async function create(http: Page, sender: Sender) {
  const api = http.get("api");
  const typed = await postedForm(http);
  const workflows = await allWorkflows(api);
  const saved = await submit(formFor(sender, workflows), typed, (body) =>
    api.webhooks.create(body),
  );
  if (!saved.ok) {
    const { refusal } = saved.state;
    const { secret } = sender;
    const again = `${secret?.hint} Enter the secret again: pages never include secrets.`;
    const state = { ...saved.state, hints: { [secretName(sender)]: again } };
    return show(http, <NewEndpointPage sender={sender} state={state} />, refusal.status);
  }
  const { endpointId, secrets = {} } = saved.value;
  const secret = typed.line(secretName(sender));
  const isGiven = secret !== "";
  const use = secretName(sender).split(".")[1] === "token" ? "token" : "hmac";
  const once: Created = { isGiven, secrets: isGiven ? { [use]: secret } : secrets };
  return redirectToShowOnce(http, endpointPath(endpointId, "/created"), once);
}

/** A new endpoint's secrets; `isGiven` if the reader gave them, and the service did not generate them. */
const created = z.object({ isGiven: z.boolean(), secrets: knownSecrets });
type Created = z.output<typeof created>;

async function createdPage(http: Page, endpointId: string) {
  const once = await takeShownOnce(http, created);
  if (once === null) return http.redirect(endpointPath(endpointId), 303);
  const api = http.get("api");
  const endpoint = await api.webhooks.get(endpointId);
  const sample = freshEvent(endpoint, await inputsOf(api, endpoint.workflowId));
  const curl = curlLine(endpoint, sample);
  return show(http, <CreatedPage {...once} endpoint={endpoint} curl={curl} />);
}

function secretName({ auth }: Sender): string {
  const method = auth.kind === "preset" ? auth.preset.method : auth.kind;
  if (method === "signature") return "auth.signature.secret";
  return method === "token" ? "auth.token.secret" : "auth.hmac.secret";
}

/** Returns the fields of a sender that signs with a private key. */
function keyFields({ auth }: Sender): Record<string, Field> {
  if (auth.kind !== "preset" || auth.preset.method !== "signature") return {};
  const { audience } = auth.preset.sender;
  return {
    ...(needsKey(auth.preset.sender) && {
      "auth.signature.publicKey": {
        kind: "line",
        label: "Public key",
        more: { required: true, maxlength: 10_000 },
      },
    }),
    ...(audience !== undefined && {
      "auth.signature.audience": {
        kind: "line",
        label: `The ${audience.name}`,
        more: { required: true, maxlength: 500 },
      },
    }),
  };
}

/** Whether a sender has a secret: one with a private key has none, but for its API. */
function hasSecret({ secret, auth }: Sender): boolean {
  if (auth.kind !== "preset" || auth.preset.method !== "signature") return secret !== null;
  return auth.preset.preset === "plaid";
}

/** Returns the authentication that was typed for the preset of a sender. */
function typedPreset({ method, preset }: NamedPreset, values: Values): JsonObject {
  const fields = ["secret", "publicKey", "audience"].flatMap((field) => {
    const value = values[`auth.${method}.${field}`];
    return typeof value === "string" ? [[field, value] as const] : [];
  });
  return { [method]: { preset, ...Object.fromEntries(fields) } };
}

/** Providers with a preset send by POST. */
function choosesMethods({ auth }: Sender): boolean {
  return auth.kind !== "preset";
}

function formFor(
  sender: Sender,
  workflows: readonly WorkflowRecord[],
): Form<typeof createEndpointBody> {
  const { auth, secret } = sender;
  const {
    name,
    path,
    methods,
    "auth.ipAllowlist": allowlist,
    "split.path": split,
  } = ENDPOINT_FIELDS;
  const secretField: Field = {
    kind: "secret",
    label: secret?.by === "them" ? secret.name : "Secret",
    hint: secret?.hint,
    more: { required: secret?.by === "them" && secret.first, maxlength: 512 },
  };
  return {
    schema: createEndpointBody,
    fields: {
      name,
      workflowId: workflowField(
        workflows,
        "Hold requests",
        "Held requests start in order of arrival once you attach a workflow.",
      ),
      ...keyFields(sender),
      ...(hasSecret(sender) && { [secretName(sender)]: secretField }),
      ...(auth.kind === "token" && { "auth.token.header": ENDPOINT_FIELDS["auth.token.header"] }),
      ...(auth.kind === "custom" && SCHEME_FIELDS),
      ...(choosesMethods(sender) && { methods }),
      ...(auth.kind !== "open" && { path }),
      "split.path": split,
      "auth.ipAllowlist": allowlist,
    },
    assemble(values) {
      const { name, workflowId = null, path = null, methods = ["POST"] } = values;
      const ipAllowlist = values["auth.ipAllowlist"];
      const hmacSecret = values["auth.hmac.secret"];
      const given = hmacSecret !== undefined && { secret: hmacSecret };
      return {
        name,
        workflowId,
        path,
        methods,
        split: typedSplit(values),
        auth: {
          ...(auth.kind === "preset" && typedPreset(auth.preset, values)),
          ...(auth.kind === "custom" && { hmac: { ...typedScheme(values), ...given } }),
          ...(auth.kind === "token" && { token: typedToken(values) }),
          ...(ipAllowlist !== undefined && { ipAllowlist }),
        },
      };
    },
  };
}

function ChooseSenderPage({ workflowId }: { workflowId: string | null }) {
  const query = workflowId === null ? "" : `?workflowId=${encodeURIComponent(workflowId)}`;
  return (
    <Layout title="New endpoint" section="webhooks">
      <p>Choose the sender. It determines how the endpoint authenticates requests.</p>
      <ul class="cards">
        {SENDERS.map(({ id, name, about }) => (
          <li>
            <a class="card" href={`${WEBHOOKS}/new/${id}${query}`}>
              <strong>{name}</strong>
              <span class="muted">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  );
}

const MORE = ["methods", "path", "split.path", "auth.ipAllowlist"];

function NewEndpointPage({ sender, state }: { sender: Sender; state: FormState }) {
  const isOpen =
    isAnyFaulty(state, MORE) ||
    state.typed.isOn("methods.GET") ||
    ["path", "split.path", "auth.ipAllowlist"].some((name) => isSet(state, name));
  return (
    <Layout title={`New endpoint: ${sender.name}`} section="webhooks">
      <form method="post" action={`${WEBHOOKS}/new/${sender.id}`} class="form">
        <FormErrors of={state} />
        <section class="card">
          <Control of={state} name="name" />
          <Control of={state} name="workflowId" />
          {Object.keys(keyFields(sender)).map((name) => (
            <Control of={state} name={name} />
          ))}
          <Control of={state} name={secretName(sender)} />
          <Control of={state} name="auth.token.header" />
          {sender.auth.kind === "custom" && <SchemeControls of={state} />}
        </section>
        <details class="card" open={isOpen}>
          <summary>
            <h2>More options</h2>{" "}
            <span class="muted">
              custom path, batches, IP allowlist{choosesMethods(sender) && ", methods"}
            </span>
          </summary>
          {MORE.map((name) => (
            <Control of={state} name={name} />
          ))}
        </details>
        <p class="actions">
          <Submit>Create endpoint</Submit>
          <LinkButton href={`${WEBHOOKS}/new`}>Choose another sender</LinkButton>
        </p>
      </form>
    </Layout>
  );
}

/** Shows what to do with a new endpoint, and its secret, which no other page does. */
function CreatedPage({
  endpoint,
  isGiven,
  secrets,
  curl,
}: Created & { endpoint: EndpointRecord; curl: string | null }) {
  const sender = senderOf(endpoint);
  const { endpointId, name, url } = endpoint;
  const isMissing = sender.secret?.by === "them" && !isGiven && endpoint.auth.hmac !== undefined;
  const missing = isMissing && sender.secret?.by === "them" ? sender.secret : null;
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="overview"
      live={endpointPath(endpointId, "/live")}
      livePart={{ page: endpointPath(endpointId), part: "arrivals" }}
    >
      <Notice tone="good">
        {missing === null
          ? `${name} is ready.`
          : `${name} is created. Add its ${missing.name.toLowerCase()} to finish.`}
      </Notice>
      <Copyable id="url" label="URL" text={url} />
      {!isGiven && (missing === null || missing.orOurs) && <NewSecrets secrets={secrets} />}
      <SenderSteps sender={sender} where={isGiven ? null : "below"} />
      {missing !== null && (
        <section class="card" aria-labelledby="theirs">
          <h2 id="theirs">{missing.name}</h2>
          <p>{`Requests from ${sender.name} are rejected until you add it.`}</p>
          <PasteSecret endpointId={endpointId} label={missing.name} />
        </section>
      )}
      <section class="part" aria-labelledby="first">
        <h2 id="first">Send a first request</h2>
        {curl !== null && <Copyable id="curl" label="From a terminal" text={curl} />}
        <p class="actions">
          <LinkButton href={endpointPath(endpointId, "/try")}>Try a sample</LinkButton>
          <LinkButton href={endpointPath(endpointId)}>View endpoint</LinkButton>
        </p>
        <LatestRequests endpointId={endpointId} entries={[]} />
      </section>
    </EndpointPage>
  );
}
