import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../../contract/trigger.ts";
import {
  type CreateWorkflowBody,
  createWorkflowBody,
  INPUT_TYPES,
  type UpdateWorkflowBody,
  updateWorkflowBody,
  type WorkflowRecord,
} from "../../../contract/workflow.ts";
import { Layout } from "../../components/layout.tsx";
import {
  type Faults,
  faultsByIssues,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import {
  Area,
  Check,
  DefaultSubmit,
  focusAttributes,
  Input,
  RemoveRow,
  type RowFocus,
  SecretInput,
  Select,
  SendOrCancel,
} from "../../forms/fields.tsx";
import { jsonText, keepHint, type Posted, typedJson } from "../../forms/posted.ts";
import {
  choiceOf,
  NO_TOOLS,
  postedChoice,
  referencesOf,
  type ToolChoice,
  ToolTable,
} from "../../forms/tool-table.tsx";

/** An input as its row in the form has it. */
export interface InputRow {
  name: string;
  type: string;
  required: boolean;
  /** As typed: plain text for texts and times, JSON for all else; empty for none. */
  default: string;
  description: string;
}

/** A workflow as its form has it: what was typed, right or wrong. */
export interface WorkflowDraft {
  name: string;
  prompt: string;
  inputs: InputRow[];
  model: string;
  tools: ToolChoice;
  approvals: ToolChoice;
  maxCredits: string;
  maxSteps: string;
  timeoutSeconds: string;
  callbackUrl: string;
  callbackSecret: string;
  /** Whether the secret that is kept is to be forgotten. */
  dropSecret: boolean;
  outputSchema: string;
}

export const BLANK_INPUT: InputRow = {
  name: "",
  type: "string",
  required: false,
  default: "",
  description: "",
};

export const BLANK: WorkflowDraft = {
  name: "",
  prompt: "",
  inputs: [],
  model: "",
  tools: NO_TOOLS,
  approvals: NO_TOOLS,
  maxCredits: "",
  maxSteps: "",
  timeoutSeconds: "",
  callbackUrl: "",
  callbackSecret: "",
  dropSecret: false,
  outputSchema: "",
};

/** A workflow that is about to be changed. */
export function draftOfRecord(record: WorkflowRecord): WorkflowDraft {
  return {
    name: record.name,
    prompt: record.prompt,
    inputs: record.inputs.map((input) => ({ ...input, default: defaultText(input) })),
    model: record.model ?? "",
    tools: choiceOf(record.tools),
    approvals: choiceOf(record.approvals),
    maxCredits: textOf(record.maxCredits),
    maxSteps: textOf(record.maxSteps),
    timeoutSeconds: textOf(record.timeoutSeconds),
    callbackUrl: record.callbackUrl ?? "",
    callbackSecret: "",
    dropSecret: false,
    outputSchema: record.outputSchema === undefined ? "" : jsonText(record.outputSchema),
  };
}

/** What was typed into the form. Rows in which nothing was typed do not count. */
export function draftOfPosted(posted: Posted): WorkflowDraft {
  return {
    name: posted.line("name"),
    prompt: posted.text("prompt"),
    inputs: inputRows(posted),
    model: posted.line("model"),
    tools: postedChoice(posted, "tools"),
    approvals: postedChoice(posted, "approvals"),
    maxCredits: posted.line("maxCredits"),
    maxSteps: posted.line("maxSteps"),
    timeoutSeconds: posted.line("timeoutSeconds"),
    callbackUrl: posted.line("callbackUrl"),
    callbackSecret: posted.text("callbackSecret"),
    dropSecret: posted.isOn("dropSecret"),
    outputSchema: posted.text("outputSchema"),
  };
}

/** The rows with one more or less, where that is what a button asked for; else null. */
export function changedRows(rows: readonly InputRow[], button: string): InputRow[] | null {
  if (button === "add-input") return [...rows, BLANK_INPUT];
  const place = /^remove-input-(\d{1,4})$/.exec(button)?.[1];
  return place === undefined ? null : rows.filter((_, at) => at !== Number(place));
}

/** The draft without rows in which nothing was typed. */
export function withoutBlankRows(draft: WorkflowDraft): WorkflowDraft {
  const isTyped = (row: InputRow) => `${row.name}${row.default}${row.description}` !== "";
  return { ...draft, inputs: draft.inputs.filter(isTyped) };
}

function inputRows(posted: Posted): InputRow[] {
  return posted.rows("inputs").map((at) => ({
    name: posted.line(`inputs[${at}].name`),
    type: posted.line(`inputs[${at}].type`),
    required: posted.isOn(`inputs[${at}].required`),
    default: posted.text(`inputs[${at}].default`),
    description: posted.line(`inputs[${at}].description`),
  }));
}

/** Types whose values are typed as they are, and not as JSON. */
export const PLAIN_TYPES: readonly string[] = ["string", "timestamp"];

function defaultText({ type, default: value }: WorkflowRecord["inputs"][number]): string {
  if (value === null) return "";
  return typeof value === "string" && PLAIN_TYPES.includes(type) ? value : JSON.stringify(value);
}

const textOf = (number: number | undefined): string => (number === undefined ? "" : String(number));

/** The body that makes a workflow of the draft. */
export function newBody(draft: WorkflowDraft): Made<CreateWorkflowBody> {
  const { fields, faults } = fieldsOf(draft);
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const parsed = createWorkflowBody.safeParse(Object.fromEntries(given));
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  return { ok: false, faults: joined(parsed.success ? [] : parsed.error.issues, faults) };
}

/** The body that makes a workflow what the draft says; an empty control clears its field. */
export function changedBody(draft: WorkflowDraft): Made<UpdateWorkflowBody> {
  const { fields, faults } = fieldsOf(draft);
  const parsed = updateWorkflowBody.safeParse(fields);
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  return { ok: false, faults: joined(parsed.success ? [] : parsed.error.issues, faults) };
}

function joined(issues: Parameters<typeof faultsByIssues>[0], own: Faults): Faults {
  return new Map([...faultsByIssues(issues), ...own]);
}

/** The draft as the API's fields, null for none; what cannot be read is a fault. */
function fieldsOf(draft: WorkflowDraft): { fields: Record<string, unknown>; faults: Faults } {
  const faults = new Map<string, string>();
  const read = (name: string, text: string): unknown => {
    if (text.trim() === "") return null;
    const typed = typedJson(text);
    if (typed.ok) return typed.value;
    faults.set(name, typed.message);
    return null;
  };
  const number = (name: "maxCredits" | "maxSteps" | "timeoutSeconds"): number | null => {
    const text = draft[name];
    if (text === "") return null;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    faults.set(name, "Must be a whole number.");
    return null;
  };
  const inputs = draft.inputs.map((row, at) =>
    inputOf(row, (text) => read(`inputs[${at}].default`, text)),
  );
  const fields = {
    name: draft.name,
    prompt: draft.prompt,
    inputs,
    model: draft.model === "" ? null : draft.model,
    tools: referencesOf(draft.tools),
    approvals: referencesOf(draft.approvals),
    maxCredits: number("maxCredits"),
    maxSteps: number("maxSteps"),
    timeoutSeconds: number("timeoutSeconds"),
    callbackUrl: draft.callbackUrl === "" ? null : draft.callbackUrl,
    ...secretOf(draft),
    outputSchema: read("outputSchema", draft.outputSchema),
  };
  return { fields, faults };
}

function inputOf(row: InputRow, read: (text: string) => unknown) {
  const { default: text, ...rest } = row;
  const isPlain = PLAIN_TYPES.includes(row.type);
  if (text === "") return { ...rest, default: null };
  return { ...rest, default: isPlain ? text : read(text) };
}

/** A secret that is left empty stays what it is. */
function secretOf({ callbackSecret, dropSecret }: WorkflowDraft): {
  callbackSecret?: string | null;
} {
  if (callbackSecret !== "") return { callbackSecret };
  return dropSecret ? { callbackSecret: null } : {};
}

const TYPES = INPUT_TYPES.map((type) => ({ value: type, label: type }));

/** The list of inputs and its buttons, by which rows come and go without leaving the page. */
export function InputRows({
  rows,
  action,
  faults,
  focus,
}: {
  rows: readonly InputRow[];
  /** Where the form goes. */
  action: string;
  faults: Faults;
  focus: RowFocus | null;
}) {
  const error = faults.get("inputs");
  const swap = {
    "hx-post": action,
    "hx-target": "#inputs",
    "hx-select": "#inputs",
    "hx-swap": "outerHTML",
  };
  return (
    <fieldset id="inputs" class="rows">
      <legend>Inputs</legend>
      <p class="hint">
        What the prompt refers to as <code>{"{{name}}"}</code>. The values go to the agent as data
        beside the prompt, so a webhook's payload cannot give it orders.
      </p>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {rows.map((row, at) => (
        <Row row={row} at={at} faults={faults} swap={swap} focus={focusAttributes(focus, at)} />
      ))}
      <button
        type="submit"
        name="do"
        value="add-input"
        formnovalidate
        {...focusAttributes(focus, "add")}
        {...swap}
      >
        Add an input
      </button>
    </fieldset>
  );
}

function Row({
  row,
  at,
  faults,
  swap,
  focus,
}: {
  row: InputRow;
  at: number;
  faults: Faults;
  swap: Record<string, string>;
  focus: ReturnType<typeof focusAttributes>;
}) {
  const path = `inputs[${at}]`;
  const shown = row.name === "" ? `input ${at + 1}` : row.name;
  return (
    <fieldset class="row" aria-label={`Input ${at + 1}`}>
      <Input
        name={`${path}.name`}
        label="Name"
        value={row.name}
        faults={faults}
        more={{ maxlength: 64, ...focus }}
      />
      <Select name={`${path}.type`} label="Type" value={row.type} options={TYPES} faults={faults} />
      <Input
        name={`${path}.default`}
        label="Default"
        value={row.default}
        faults={faults}
        more={{ placeholder: "none" }}
      />
      <Input
        name={`${path}.description`}
        label="Description"
        value={row.description}
        faults={faults}
        more={{ maxlength: 1_000 }}
      />
      <div class="row-end">
        <Check name={`${path}.required`} label="Required" checked={row.required} />
        <RemoveRow action={`remove-input-${at}`} shown={shown} swap={swap} />
      </div>
    </fieldset>
  );
}

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
