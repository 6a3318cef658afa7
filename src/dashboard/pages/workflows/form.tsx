import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../../contract/trigger.ts";
import { Area, Check, DefaultSubmit, Input, SecretInput } from "../../components/fields.tsx";
import { SendOrCancel } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { Refused } from "../../components/refused.tsx";
import { ToolTable } from "../../components/tool-table.tsx";
import { type Faults, NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import type { RowFocus } from "../../forms/row-focus.ts";
import { keepHint } from "../../forms/secret-words.ts";
import type { WorkflowDraft } from "./draft.ts";
import { InputRows } from "./input-rows.tsx";

interface FormProps {
  draft: WorkflowDraft;
  /** Where the form goes. */
  action: string;
  refusal?: Refusal | null;
  focus?: RowFocus | null;
  /** The end of the callback secret that is kept. */
  keptSecret?: string | null;
}

/** The page to make a workflow by. */
export function NewWorkflowPage(props: FormProps) {
  return (
    <Layout title="New workflow" section="workflows">
      <WorkflowForm {...props} submit="Make workflow" back="/dashboard/workflows" />
    </Layout>
  );
}

/** The page to change one by. */
export function EditWorkflowPage({
  name,
  back,
  ...props
}: FormProps & { name: string; back: string }) {
  return (
    <Layout title={`Edit ${name}`} section="workflows">
      <WorkflowForm {...props} submit="Save" back={back} />
    </Layout>
  );
}

function WorkflowForm({
  draft,
  action,
  refusal = null,
  focus = null,
  keptSecret = null,
  submit,
  back,
}: FormProps & { submit: string; back: string }) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <form method="post" action={action} class="form">
      <DefaultSubmit />
      <Refused refusal={refusal} shown={hasControl} />
      <section class="card">
        <Input
          name="name"
          label="Name"
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 200 }}
        />
        <Area
          name="prompt"
          label="Prompt"
          hint="What the agent is to do, in your own words. {{name}} stands for an input."
          value={draft.prompt}
          faults={faults}
          more={{ required: true, maxlength: 32_000, rows: 6 }}
        />
        <InputRows rows={draft.inputs} action={action} faults={faults} focus={focus} />
      </section>
      <Options draft={draft} faults={faults} keptSecret={keptSecret} />
      <SendOrCancel send={submit} back={back} />
    </form>
  );
}

const LIMITS = [
  { name: "maxCredits", label: "Credits at most", standard: DEFAULT_MAX_CREDITS, max: 1_000_000 },
  { name: "maxSteps", label: "Steps at most", standard: DEFAULT_MAX_STEPS, max: 1_000 },
  {
    name: "timeoutSeconds",
    label: "Seconds at most",
    standard: DEFAULT_TIMEOUT_SECONDS,
    max: 86_400,
  },
] as const;

const OPTIONS =
  /^(?:model|tools|approvals|maxCredits|maxSteps|timeoutSeconds|callback|outputSchema)/;

function Options({
  draft,
  faults,
  keptSecret,
}: {
  draft: WorkflowDraft;
  faults: Faults;
  keptSecret: string | null;
}) {
  const isOpen =
    isSet(draft) || keptSecret !== null || [...faults.keys()].some((name) => OPTIONS.test(name));
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>Options</h2>
        <span class="muted">limits, model, tools, callback, shape of the result</span>
      </summary>
      <div class="fields">
        {LIMITS.map(({ name, label, standard, max }) => (
          <Input
            name={name}
            label={label}
            type="number"
            value={draft[name]}
            faults={faults}
            more={{ min: 1, max, step: 1, placeholder: `${standard}` }}
          />
        ))}
        <Input
          name="model"
          label="Model"
          hint="provider/name, such as builtin/planner; empty for the service's own."
          value={draft.model}
          faults={faults}
        />
      </div>
      <h3>Tools</h3>
      <ToolTable tools={draft.tools} approvals={draft.approvals} faults={faults} />
      <h3>Callback</h3>
      <div class="fields">
        <Input
          name="callbackUrl"
          label="Callback URL"
          hint="Gets the result by POST when an execution has ended."
          type="url"
          value={draft.callbackUrl}
          faults={faults}
        />
        <div>
          <SecretInput
            name="callbackSecret"
            label="Callback secret"
            hint={
              keptSecret === null
                ? "Signs the callbacks by Standard Webhooks: whsec_ and base64, or any text of 8 to 256 characters."
                : keepHint(keptSecret)
            }
            faults={faults}
          />
          {keptSecret !== null && (
            <Check name="dropSecret" label="Forget the secret" checked={draft.dropSecret} />
          )}
        </div>
      </div>
      <Area
        name="outputSchema"
        label="Schema of the result"
        hint="JSON Schema 2020-12. The result's data matches it, or the execution fails and says what does not."
        value={draft.outputSchema}
        faults={faults}
        code
      />
    </details>
  );
}

function isSet({
  model,
  tools,
  approvals,
  outputSchema,
  callbackUrl,
  ...draft
}: WorkflowDraft): boolean {
  const texts = [model, tools.others, approvals.others, outputSchema, callbackUrl];
  const ticked = tools.ticked.size + approvals.ticked.size;
  return ticked > 0 || [...texts, ...LIMITS.map(({ name }) => draft[name])].join("") !== "";
}

const CONTROL =
  /^(?:name|prompt|inputs(?:\[\d+\]\.(?:name|type|default|description))?|model|tools|approvals|maxCredits|maxSteps|timeoutSeconds|callbackUrl|callbackSecret|outputSchema)$/;

/** Whether a fault has a control with its name on the page. */
const hasControl = (name: string): boolean => CONTROL.test(name);
