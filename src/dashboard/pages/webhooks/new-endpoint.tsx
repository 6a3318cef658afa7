import { createEndpointBody } from "../../../contract/webhooks/endpoint.ts";
import { customScheme } from "../../../contract/webhooks/signature.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { needsKey } from "../../../intake/signatures/presets/preset.ts";
import { Layout } from "../../components/layout.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { Control, isAnyFaulty } from "../../forms/fields.tsx";
import { type Field, type Form, type FormState, nested, type Values } from "../../forms/form.ts";
import { FormPage, Section, serveForm } from "../../forms/form-page.tsx";
import { allWorkflows } from "../../lookups.ts";
import { WEBHOOKS } from "../../paths.ts";
import { showOnce } from "./secret.tsx";
import { SENDERS, type Sender } from "./senders.ts";
import { ENDPOINT_FIELDS } from "./settings.tsx";

/** Creating an endpoint: first the choice of its sender, then the sender's form. */
export function serveNewEndpoint(app: Dashboard): void {
  app.get("/webhooks/new", (http) =>
    show(http, <ChooseSenderPage workflowId={http.req.query("workflowId") ?? null} />),
  );

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
      methods: ["POST"],
      split: sender.split === null ? null : { path: sender.split },
      auth: { hmac: customScheme.parse({}) },
    }),
    page: (state, { sender }) => <NewEndpointPage sender={sender} state={state} />,
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
  if (method === "signature") return "auth.signature.secret";
  return method === "token" ? "auth.token.secret" : "auth.hmac.secret";
}

/** Returns the fields of a sender that signs with a private key. */
function keyFields({ auth }: Sender): Record<string, Field> {
  if (auth.kind !== "preset" || auth.preset.method !== "signature") return {};
  const { audience } = auth.preset.sender;
  return {
    ...(needsKey(auth.preset.sender) && {
      "auth.signature.publicKey": { kind: "line", label: "Public key", more: { required: true } },
    }),
    ...(audience !== undefined && {
      "auth.signature.audience": {
        kind: "line",
        label: `The ${audience.name}`,
        more: { required: true },
      },
    }),
  };
}

/** Whether a sender has a secret: one with a private key has none, but for its API. */
function hasSecret({ secret, auth }: Sender): boolean {
  if (auth.kind !== "preset" || auth.preset.method !== "signature") return secret !== null;
  return auth.preset.preset === "plaid";
}

/** Returns the authentication with which the form of a sender begins. */
function authOf({ auth }: Sender): Values {
  switch (auth.kind) {
    case "preset":
      return { [`auth.${auth.preset.method}.preset`]: auth.preset.preset };
    case "custom":
      return { "auth.hmac": {} };
    case "token":
      return { "auth.token": {} };
    default:
      return {};
  }
}

function formFor({
  sender,
  workflows,
}: {
  sender: Sender;
  workflows: readonly WorkflowRecord[];
}): Form<typeof createEndpointBody> {
  const { auth, secret } = sender;
  const secretField: Field = {
    kind: "secret",
    label: secret?.by === "them" ? secret.name : "Secret",
    hint: secret?.hint,
    more: { required: secret?.by === "them" && secret.first },
  };
  return {
    schema: createEndpointBody,
    fields: {
      name: ENDPOINT_FIELDS.name,
      workflowId: {
        kind: "select",
        label: "Workflow",
        hint: "Held requests start in order of arrival once you attach a workflow.",
        options: [
          { value: "", label: "Hold requests" },
          ...workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name })),
        ],
      },
      ...keyFields(sender),
      ...(hasSecret(sender) && { [secretName(sender)]: secretField }),
      ...(auth.kind === "token" && {
        "auth.token.header": {
          kind: "line",
          label: "Token header",
          hint: "Leave empty for X-Webhook-Token or Authorization: Bearer.",
        },
      }),
      ...(auth.kind === "custom" && {
        "auth.hmac": {
          kind: "json",
          label: "Signature scheme",
          hint: "As auth.hmac of the API, without the secret. The template of the signed text must include {body}.",
          more: { rows: 10 },
        },
      }),
      methods: ENDPOINT_FIELDS.methods,
      path: ENDPOINT_FIELDS.path,
      "split.path": ENDPOINT_FIELDS["split.path"],
      "auth.ipAllowlist": {
        kind: "lines",
        label: "IP allowlist",
        hint: "IP addresses and CIDR ranges such as 203.0.113.0/24, one per line. Leave empty to allow any.",
        more: { rows: 3 },
      },
    },
    // What is typed takes the place of what the form begins with, and the secret becomes a part of it.
    assemble: (values) => nested({ ...authOf(sender), ...values }),
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

const MORE = ["methods", "path", "split.path", "auth.ipAllowlist"] as const;

function NewEndpointPage({ sender, state }: { sender: Sender; state: FormState }) {
  const { fields } = state.form;
  const first = Object.keys(fields).filter((name) => !MORE.some((more) => more === name));
  return (
    <FormPage
      title={`New endpoint: ${sender.name}`}
      section="webhooks"
      path={`${WEBHOOKS}/new`}
      action={`${WEBHOOKS}/new/${sender.id}`}
      state={state}
      submit="Create endpoint"
    >
      <Section of={state} names={first} />
      <Section
        of={state}
        title="More options"
        names={["path", "split.path", "auth.ipAllowlist"]}
        about="methods, custom path, batches, IP allowlist"
        isOpen={isAnyFaulty(state, MORE) || state.typed.isOn("methods.GET")}
      >
        {MORE.map((name) => (
          <Control of={state} name={name} />
        ))}
      </Section>
    </FormPage>
  );
}
