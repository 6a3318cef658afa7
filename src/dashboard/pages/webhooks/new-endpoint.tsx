import {
  type CreateEndpointBody,
  createEndpointBody,
  DEFAULT_TOKEN_HEADER,
} from "../../../contract/inbound/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Layout } from "../../components/layout.tsx";
import {
  type Faults,
  faultsByIssues,
  gatheredAt,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { Area, Check, Input, SecretInput, Select } from "../../forms/fields.tsx";
import type { Posted } from "../../forms/posted.ts";
import { WEBHOOKS } from "../../paths.ts";
import {
  type CustomHmac,
  customBody,
  HmacFields,
  postedHmac,
  STANDARD_HMAC,
} from "./hmac-fields.tsx";
import { SENDERS, type SecretOrigin, type Sender } from "./senders.ts";

/** A new endpoint as its form has it. */
export interface EndpointDraft {
  name: string;
  workflowId: string;
  path: string;
  /** Addresses and ranges, one in a line. */
  ipAllowlist: string;
  post: boolean;
  get: boolean;
  tokenHeader: string;
  custom: CustomHmac;
}

/** An endpoint that is about to be made for a sender. */
export function blankDraft(sender: Sender, workflowId: string): EndpointDraft {
  return {
    name: sender.auth.kind === "preset" ? sender.name : "",
    workflowId,
    path: "",
    ipAllowlist: "",
    post: true,
    get: false,
    tokenHeader: DEFAULT_TOKEN_HEADER,
    custom: STANDARD_HMAC,
  };
}

export function postedDraft(posted: Posted): EndpointDraft {
  return {
    name: posted.line("name"),
    workflowId: posted.line("workflowId"),
    path: posted.line("path"),
    ipAllowlist: posted.text("auth.ipAllowlist"),
    post: posted.isOn("methods.POST"),
    get: posted.isOn("methods.GET"),
    tokenHeader: posted.line("auth.token.header"),
    custom: postedHmac(posted),
  };
}

/** Whether a sender of this kind may use GET as well; providers with a preset send by POST. */
export function choosesMethods({ auth }: Sender): boolean {
  return auth.kind !== "preset";
}

/** The body that makes the endpoint; `secret` is empty for one that the service makes. */
export function endpointBody(
  sender: Sender,
  draft: EndpointDraft,
  secret: string,
): Made<CreateEndpointBody> {
  const addresses = linesOf(draft.ipAllowlist);
  const parsed = createEndpointBody.safeParse({
    name: draft.name,
    workflowId: draft.workflowId === "" ? null : draft.workflowId,
    path: draft.path === "" ? null : draft.path,
    methods: choosesMethods(sender) ? methodsOf(draft) : ["POST"],
    auth: {
      ...authOf(sender, draft, secret === "" ? {} : { secret }),
      ...(addresses.length > 0 && { ipAllowlist: addresses }),
    },
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

function authOf({ auth }: Sender, draft: EndpointDraft, secret: { secret?: string }) {
  switch (auth.kind) {
    case "preset":
      return { hmac: { preset: auth.preset, ...secret } };
    case "custom":
      return { hmac: { ...customBody(draft.custom), ...secret } };
    case "token": {
      const { tokenHeader: header } = draft;
      return {
        token: { ...(header !== "" && header !== DEFAULT_TOKEN_HEADER && { header }), ...secret },
      };
    }
    case "open":
      return {};
  }
}

/** The methods whose boxes are ticked. */
export function methodsOf({ post, get }: Pick<EndpointDraft, "post" | "get">): string[] {
  return [...(post ? ["POST"] : []), ...(get ? ["GET"] : [])];
}

/** The lines of a text that hold anything; commas end lines too. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The first step to an endpoint: who is going to call it. */
export function ChooseSenderPage({ workflowId }: { workflowId: string | null }) {
  const query = workflowId === null ? "" : `?workflowId=${encodeURIComponent(workflowId)}`;
  return (
    <Layout title="New endpoint" section="webhooks">
      <p>Who will call it? That decides how Prompthook knows its sender from anybody else.</p>
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

/** The second step to an endpoint: what its sender needs. */
export function NewEndpointPage({
  sender,
  draft,
  workflows,
  refusal = null,
}: {
  sender: Sender;
  draft: EndpointDraft;
  workflows: readonly WorkflowRecord[];
  refusal?: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const kind = sender.auth.kind;
  return (
    <Layout title={`New endpoint: ${sender.name}`} section="webhooks">
      <form method="post" action={`${WEBHOOKS}/new/${sender.id}`} class="form">
        <Refused refusal={refusal} shown={hasControl} />
        <section class="card">
          <Input
            name="name"
            label="Name"
            value={draft.name}
            faults={faults}
            more={{ required: true, maxlength: 200 }}
          />
          <WorkflowSelect
            workflows={workflows}
            value={draft.workflowId}
            faults={faults}
            hint="Held requests start in the order of their arrival once a workflow is attached."
          />
          {sender.secret !== null && (
            <Secret
              name={kind === "token" ? "auth.token.secret" : "auth.hmac.secret"}
              origin={sender.secret}
              faults={faults}
              isRefused={refusal !== null}
            />
          )}
          {kind === "token" && (
            <Input
              name="auth.token.header"
              label="Header of the token"
              hint="Authorization: Bearer is always taken as well."
              value={draft.tokenHeader}
              faults={faults}
            />
          )}
          {kind === "custom" && <HmacFields custom={draft.custom} faults={faults} />}
        </section>
        <More sender={sender} draft={draft} faults={faults} />
        <p class="actions">
          <button type="submit" class="primary">
            Make endpoint
          </button>
          <a class="button" href={`${WEBHOOKS}/new`}>
            Another sender
          </a>
        </p>
      </form>
    </Layout>
  );
}

/** Which workflow an endpoint starts; none holds what comes in. */
export function WorkflowSelect({
  workflows,
  value,
  faults,
  hint,
  none = "Hold for now",
  isNeeded = false,
}: {
  workflows: readonly WorkflowRecord[];
  value: string;
  faults: Faults;
  hint?: string;
  /** What no workflow is called. */
  none?: string;
  isNeeded?: boolean;
}) {
  return (
    <Select
      name="workflowId"
      label="Workflow"
      hint={hint}
      value={value}
      more={{ required: isNeeded }}
      options={[
        { value: "", label: none },
        ...workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name })),
      ]}
      faults={faults}
    />
  );
}

function Secret({
  name,
  origin,
  faults,
  isRefused,
}: {
  name: string;
  origin: SecretOrigin;
  faults: Faults;
  isRefused: boolean;
}) {
  const again = isRefused ? " Secrets are not written back into pages: paste it again." : "";
  return (
    <SecretInput
      name={name}
      label={origin.by === "us" ? "Secret" : origin.name}
      hint={`${origin.hint}${again}`}
      faults={faults}
      more={{ required: origin.by === "them" && origin.first, maxlength: 512 }}
    />
  );
}

function More({ sender, draft, faults }: { sender: Sender; draft: EndpointDraft; faults: Faults }) {
  const isFaulty = [...faults.keys()].some((name) => MORE.test(name));
  const isOpen = isFaulty || draft.path !== "" || draft.ipAllowlist !== "" || draft.get;
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>More</h2>
        <span class="muted">
          a path of yours, an IP allowlist{choosesMethods(sender) && ", GET"}
        </span>
      </summary>
      {choosesMethods(sender) && <Methods post={draft.post} get={draft.get} faults={faults} />}
      {sender.auth.kind !== "open" && (
        <Input
          name="path"
          label="Custom path"
          hint="The URL ends in it, such as acme/orders. Without one it ends in a random id."
          value={draft.path}
          faults={faults}
          more={{ maxlength: 200 }}
        />
      )}
      <Area
        name="auth.ipAllowlist"
        label="IP allowlist"
        hint="Addresses and ranges, one in a line: 203.0.113.0/24. Empty: any address."
        value={draft.ipAllowlist}
        faults={gatheredAt(faults, "auth.ipAllowlist")}
        code
      />
    </details>
  );
}

/** The methods that an endpoint takes. */
export function Methods({ post, get, faults }: { post: boolean; get: boolean; faults: Faults }) {
  const error = faults.get("methods");
  return (
    <fieldset class="boxes" id="methods">
      <legend>Methods</legend>
      <Check name="methods.POST" label="POST" checked={post} />
      <Check name="methods.GET" label="GET, whose payload is its query" checked={get} />
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const MORE = /^(?:path|methods|auth\.ipAllowlist)/;
const CONTROL = /^(?:name|workflowId|path|methods|auth\.(?:ipAllowlist|token\.\w+|hmac\.\w+))$/;

/** Whether a fault has a control with its name on the page. */
const hasControl = (name: string): boolean => CONTROL.test(name);
