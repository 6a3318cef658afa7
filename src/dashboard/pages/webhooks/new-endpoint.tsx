import type { JsonObject } from "../../../contract/json.ts";
import { createEndpointBody, DEFAULT_TOKEN_HEADER } from "../../../contract/webhooks/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { needsKey } from "../../../intake/signatures/presets/preset.ts";
import type { NamedPreset } from "../../../intake/signatures/presets.ts";
import { SenderMark } from "../../components/elements.tsx";
import { Layout, show } from "../../components/layout.tsx";
import type { Dashboard } from "../../context.ts";
import { type Field, type Form, field, type Values } from "../../forms/form.ts";
import { FormPage, serveForm } from "../../forms/form-page.tsx";
import { allWorkflows, namesOf } from "../../lookups.ts";
import { WEBHOOKS } from "../../paths.ts";
import { showOnce } from "./endpoint-layout.tsx";
import { POPULAR, SENDERS, type Sender } from "./senders.ts";
import { DEFAULT_SCHEME, ENDPOINT_FIELDS, typedSignature, typedToken } from "./settings.tsx";

/** Creating an endpoint: first the choice of its sender, then the sender's form. */
export function serveNewEndpoint(app: Dashboard): void {
  app.get("/webhooks/new", async (http) => {
    const { workflowId, q = "" } = http.req.query();
    return show(http, chooseSenderPage(workflowId, q));
  });

  serveForm(app, {
    path: `${WEBHOOKS}/new/:sender`,
    load: async (http) => {
      const sender = SENDERS.find(({ id }) => id === http.req.param("sender"));
      return sender && { sender, workflows: await allWorkflows(http.get("api")) };
    },
    form: formFor,
    initial: ({ sender }, http) => ({
      name: sender.auth.kind === "preset" ? sender.name : "",
      workflowId: http.req.query("workflowId"),
      auth: { token: { header: DEFAULT_TOKEN_HEADER }, hmac: DEFAULT_SCHEME },
    }),
    page: (state, { sender }) => (
      <FormPage
        title={`New endpoint: ${sender.name}`}
        section="webhooks"
        back={`${WEBHOOKS}/new`}
        action={`${WEBHOOKS}/new/${sender.id}`}
        state={state}
        submit="Create endpoint"
      />
    ),
    save: (api, body) => api.webhooks.create(body),
    done: (http, endpoint, { loaded: { sender }, typed }) => {
      const isGiven = typed.line(secretName(sender)) !== "";
      const { secret } = sender;
      // A secret that the sender makes replaces the generated one.
      const isUnfinished = !isGiven && secret?.by === "them" && endpoint.auth.hmac !== undefined;
      const isShown = !isGiven && !(isUnfinished && !secret.orOurs);
      const { endpointId, secrets } = endpoint;
      const shown = { endpointId, secrets: isShown ? secrets : undefined };
      return showOnce(http, shown, "created", `?done=${isUnfinished ? "unfinished" : "created"}`);
    },
  });
}

function secretName({ auth }: Sender): string {
  const method = auth.kind === "preset" ? auth.preset.method : auth.kind;
  return method === "token" ? "auth.token.secret" : "auth.hmac.secret";
}

/** Returns the fields of a sender that signs with a private key. */
function keyFields({ auth }: Sender): Record<string, Field> {
  if (auth.kind !== "preset" || auth.preset.method !== "signature") return {};
  const { audience } = auth.preset.sender;
  return {
    ...(needsKey(auth.preset.sender) && {
      "auth.signature.publicKey": field.line("Public key", { more: { required: true } }),
    }),
    ...(audience !== undefined && {
      "auth.signature.audience": field.line(`The ${audience.name}`, { more: { required: true } }),
    }),
  };
}

/** Returns the authentication that was typed for the preset of a sender. */
function typedPreset({ method, preset }: NamedPreset, values: Values): JsonObject {
  const fields = ["secret", "publicKey", "audience"].flatMap((field) => {
    const value = values[`auth.${method}.${field}`];
    return typeof value === "string" ? [[field, value] as const] : [];
  });
  return { [method]: { preset, ...Object.fromEntries(fields) } };
}

function formFor({
  sender,
  workflows,
}: {
  sender: Sender;
  workflows: readonly WorkflowRecord[];
}): Form<typeof createEndpointBody> {
  const { auth, secret } = sender;
  // A sender with a private key has no secret.
  const isKeyed = auth.kind === "preset" && auth.preset.method === "signature";
  const secretField: Field = field.secret(secret?.by === "them" ? secret.name : "Secret", {
    hint: secret?.hint,
    more: { required: secret?.by === "them" && secret.first },
  });
  return {
    schema: createEndpointBody,
    fields: {
      name: ENDPOINT_FIELDS.name,
      workflowId: field.select(
        "Workflow",
        { "": "Hold requests", ...Object.fromEntries(namesOf(workflows)) },
        { hint: "Held requests start in order of arrival once you attach a workflow." },
      ),
      ...keyFields(sender),
      ...(secret !== null && !isKeyed && { [secretName(sender)]: secretField }),
      ...(auth.kind === "token" && { "auth.token.header": ENDPOINT_FIELDS["auth.token.header"] }),
      ...(auth.kind === "custom" && { "auth.hmac": ENDPOINT_FIELDS["auth.hmac"] }),
      // Its only protection; other endpoints get it in their settings.
      ...(auth.kind === "open" && { "auth.ipAllowlist": ENDPOINT_FIELDS["auth.ipAllowlist"] }),
    },
    assemble(values) {
      const { name, workflowId = null } = values;
      const ipAllowlist = values["auth.ipAllowlist"];
      return {
        name,
        workflowId,
        split: sender.split === null ? null : { path: sender.split },
        auth: {
          ...(auth.kind === "preset" && typedPreset(auth.preset, values)),
          ...(auth.kind === "custom" && { hmac: typedSignature(values) }),
          ...(auth.kind === "token" && { token: typedToken(values) }),
          ...(ipAllowlist !== undefined && { ipAllowlist }),
        },
      };
    },
  };
}

const isPreset = ({ auth }: Sender): boolean => auth.kind === "preset";
const isPopular = ({ id }: Sender): boolean => POPULAR.some((one) => one === id);

/** The page that asks for the sender; `q` is a part of its name. */
function chooseSenderPage(workflowId: string | undefined, q: string) {
  const query = workflowId === undefined ? "" : `?${new URLSearchParams({ workflowId })}`;
  const found = SENDERS.filter(({ name, id }) =>
    `${name} ${id}`.toLowerCase().includes(q.toLowerCase()),
  );
  const cards = (title: string, senders: readonly Sender[]) => (
    <section class="part">
      <h2>{title}</h2>
      <ul class="cards">
        {senders.map(({ id, name, about }) => (
          <li>
            <a class="card" href={`${WEBHOOKS}/new/${id}${query}`}>
              <strong>
                <SenderMark id={id} name={name} /> {name}
              </strong>
              {about !== undefined && <span class="muted">{about}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <Layout title="New endpoint" section="webhooks">
      <p>Choose the sender. It determines how the endpoint authenticates requests.</p>
      <form method="get" class="filter">
        {workflowId !== undefined && <input type="hidden" name="workflowId" value={workflowId} />}
        <div class="filter-head">
          <input
            type="search"
            name="q"
            value={q}
            data-filters=".cards li"
            aria-label="Find a sender"
            placeholder="Find a sender"
            autofocus
          />
        </div>
      </form>
      {cards("Most used", found.filter(isPopular))}
      {cards(
        "Another sender",
        found.filter((sender) => !isPreset(sender)),
      )}
      {cards(
        "All senders",
        found.filter((sender) => isPreset(sender) && !isPopular(sender)),
      )}
    </Layout>
  );
}
