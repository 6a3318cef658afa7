import { PROBLEMS } from "../../../contract/problem.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
  type TriggerBody,
  triggerBody,
} from "../../../contract/trigger.ts";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import {
  attempt,
  type Faults,
  faultsByIssues,
  gatheredAt,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { Area, Check, Input, SecretInput } from "../../forms/fields.tsx";
import { jsonText, type Posted, postedForm, typedJson } from "../../forms/posted.ts";
import {
  choiceOf,
  NO_TOOLS,
  postedChoice,
  referencesOf,
  type ToolChoice,
  ToolTable,
} from "../../forms/tool-table.tsx";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { FIRST_PROMPT } from "../overview/first-run-state.ts";
import { Once } from "./controls.tsx";
import { headingOf } from "./labels.ts";

/** A run as the form has it: what was typed, right or wrong. */
export interface ExecutionDraft {
  prompt: string;
  inputs: string;
  model: string;
  maxCredits: string;
  maxSteps: string;
  timeoutSeconds: string;
  interactive: boolean;
  tools: ToolChoice;
  approvals: ToolChoice;
  callbackUrl: string;
  callbackSecret: string;
  outputSchema: string;
  /** A pair on each line: `name = value`. */
  metadata: string;
}

const BLANK: ExecutionDraft = {
  prompt: "",
  inputs: "",
  model: "",
  maxCredits: "",
  maxSteps: "",
  timeoutSeconds: "",
  interactive: false,
  tools: NO_TOOLS,
  approvals: NO_TOOLS,
  callbackUrl: "",
  callbackSecret: "",
  outputSchema: "",
  metadata: "",
};

/** A run of which nothing but the prompt is known. */
export function draftOfPrompt(prompt: string): ExecutionDraft {
  return { ...BLANK, prompt };
}

/** A run like one there was; the secret of its callbacks is not known. */
export function draftOfTask(task: ExecutionTask): ExecutionDraft {
  return {
    prompt: task.prompt,
    inputs: task.inputs === null ? "" : jsonText(task.inputs),
    model: task.model,
    maxCredits: String(task.maxCredits),
    maxSteps: String(task.maxSteps),
    timeoutSeconds: String(task.timeoutSeconds),
    interactive: task.interactive,
    tools: choiceOf(task.tools),
    approvals: choiceOf(task.approvals),
    callbackUrl: task.callbackUrl ?? "",
    callbackSecret: "",
    outputSchema: task.outputSchema === null ? "" : jsonText(task.outputSchema),
    metadata: Object.entries(task.metadata)
      .map(([name, value]) => `${name} = ${value}`)
      .join("\n"),
  };
}

/** What was typed into the form. */
export function draftOfPosted(posted: Posted): ExecutionDraft {
  return {
    prompt: posted.text("prompt"),
    inputs: posted.text("inputs"),
    model: posted.line("model"),
    maxCredits: posted.line("maxCredits"),
    maxSteps: posted.line("maxSteps"),
    timeoutSeconds: posted.line("timeoutSeconds"),
    interactive: posted.isOn("interactive"),
    tools: postedChoice(posted, "tools"),
    approvals: postedChoice(posted, "approvals"),
    callbackUrl: posted.line("callbackUrl"),
    callbackSecret: posted.text("callbackSecret"),
    outputSchema: posted.text("outputSchema"),
    metadata: posted.text("metadata"),
  };
}

/** What the API is asked for. Everything that is wrong is told at once: JSON, numbers, and the rest. */
export function bodyOf(draft: ExecutionDraft): Made<TriggerBody> {
  const faults = new Map<string, string>();
  const read = <Value,>(name: keyof ExecutionDraft, text: string, reader: Reader<Value>) => {
    if (text.trim() === "") return undefined;
    const value = reader(text);
    if (value.ok) return value.value;
    faults.set(name, value.message);
    return undefined;
  };
  const fields = {
    prompt: draft.prompt,
    inputs: read("inputs", draft.inputs, typedJson),
    model: draft.model || undefined,
    maxCredits: read("maxCredits", draft.maxCredits, wholeNumber),
    maxSteps: read("maxSteps", draft.maxSteps, wholeNumber),
    timeoutSeconds: read("timeoutSeconds", draft.timeoutSeconds, wholeNumber),
    interactive: draft.interactive,
    tools: referencesOf(draft.tools) ?? undefined,
    approvals: referencesOf(draft.approvals) ?? undefined,
    callbackUrl: draft.callbackUrl || undefined,
    callbackSecret: draft.callbackSecret || undefined,
    outputSchema: read("outputSchema", draft.outputSchema, typedJson),
    metadata: read("metadata", draft.metadata, pairs),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parsed = triggerBody.safeParse(Object.fromEntries(given));
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  const others = parsed.success ? [] : faultsByIssues(parsed.error.issues);
  return { ok: false, faults: new Map([...others, ...faults]) };
}

type Reader<Value> = (text: string) => { ok: true; value: Value } | { ok: false; message: string };

const wholeNumber: Reader<number> = (text) =>
  /^\d{1,9}$/.test(text)
    ? { ok: true, value: Number(text) }
    : { ok: false, message: "This must be a whole number." };

const pairs: Reader<Record<string, string>> = (text) => {
  const found = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const key = name.trim();
    if (key === "") return { ok: false, message: `“${line.trim()}” is no “name = value”.` };
    if (found.has(key)) return { ok: false, message: `“${key}” comes twice.` };
    found.set(key, value.trim());
  }
  return { ok: true, value: Object.fromEntries(found) };
};

/** Prompts to begin with; each is done by every model, the rule-based one too, the first without a network. */
export const EXAMPLES = [
  FIRST_PROMPT,
  "Open https://example.com and list its links as a table.",
] as const;

/** The form that starts a run: empty, with a prompt, or like a run that there was. */
export function serveNewExecution(app: Dashboard): void {
  app.get("/executions/new", async (http) => {
    const from = http.req.query("from");
    const draft =
      from === undefined
        ? draftOfPrompt(http.req.query("prompt") ?? "")
        : draftOfTask(await http.get("api").executions.task(from));
    return http.html(<NewExecutionPage draft={draft} refusal={null} />);
  });

  app.post("/executions/new", async (http) => {
    const posted = await postedForm(http);
    const draft = draftOfPosted(posted);
    const started = await attempt(bodyOf(draft), (body) => start(http, body, posted.line("once")));
    if (started.ok) return http.redirect(executionPath(started.value.executionId), 303);
    const refusal = told(started.refusal, draft);
    return http.html(<NewExecutionPage draft={draft} refusal={refusal} />, refusal.status);
  });
}

/** Starts the run once, however often the form is sent. */
function start(http: Page, body: TriggerBody, key: string) {
  return http.get("api").executions.trigger(body, key === "" ? {} : { idempotencyKey: key });
}

/** The refusal as the form tells it. */
function told(refusal: Refusal, { callbackSecret }: ExecutionDraft): Refusal {
  // The form was sent before with other values: the one that is shown now has a new key.
  const wasUsed = refusal.status === PROBLEMS.idempotency_key_reused.status;
  const message = wasUsed
    ? "This form has started an execution before. Start again for another one."
    : refusal.message;
  if (callbackSecret === "" || refusal.faults.has("callbackSecret")) return { ...refusal, message };
  // That it is gone must not be overlooked: callbacks would not be signed.
  const again = "Type it again: a secret is never written into a page.";
  return { ...refusal, message, faults: new Map([...refusal.faults, ["callbackSecret", again]]) };
}

/** The form that starts a run. */
export function NewExecutionPage({
  draft,
  refusal,
}: {
  draft: ExecutionDraft;
  refusal: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <Layout title="New execution" section="executions">
      {/* What is wrong is told by the service, also of fields that are folded away. */}
      <form method="post" action={`${EXECUTIONS}/new`} novalidate>
        <Refused refusal={refusal} shown={hasControl} labels={LABELS} />
        <Once />
        <section class="card">
          <Area
            name="prompt"
            label={LABELS.prompt}
            hint="In your own words. The agent plans by itself and says what it cannot do."
            value={draft.prompt}
            faults={faults}
            more={{ required: true, rows: 6, autofocus: draft.prompt === "" }}
          />
          {draft.prompt === "" && <Examples />}
        </section>
        <Options draft={draft} faults={faults} />
        <button type="submit" class="primary">
          Start
        </button>
      </form>
    </Layout>
  );
}

function Examples() {
  return (
    <p class="hint examples">
      For example:{" "}
      {EXAMPLES.map((prompt) => (
        <a href={`${EXECUTIONS}/new?${new URLSearchParams({ prompt })}`}>{headingOf(prompt, 90)}</a>
      ))}
    </p>
  );
}

/** What the controls of this form alone are called. */
const LABELS = {
  prompt: "What is to be done?",
  inputs: "Data for the agent",
  outputSchema: "Schema of its data",
} as const;

const LIMITS = [
  { name: "maxCredits", label: "Credits at most", standard: DEFAULT_MAX_CREDITS },
  { name: "maxSteps", label: "Steps at most", standard: DEFAULT_MAX_STEPS },
  { name: "timeoutSeconds", label: "Seconds at most", standard: DEFAULT_TIMEOUT_SECONDS },
] as const;

function Options({ draft, faults }: { draft: ExecutionDraft; faults: Faults }) {
  const isOpen = isSet(draft) || [...faults.keys()].some((name) => name !== "prompt");
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>Options</h2>{" "}
        <span class="muted">data, limits, model, tools, callback, shape of the result</span>
      </summary>
      <Area
        name="inputs"
        label={LABELS.inputs}
        hint="A JSON object. It reaches the agent as data beside the prompt, never as a part of it."
        value={draft.inputs}
        faults={gatheredAt(faults, "inputs")}
        code
      />
      <div class="grid">
        {LIMITS.map(({ name, label, standard }) => (
          <Input
            name={name}
            label={label}
            value={draft[name]}
            faults={faults}
            more={{ inputmode: "numeric", placeholder: `${standard}` }}
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
      <Check
        name="interactive"
        label="It may ask me questions"
        hint="Then it waits for your answer; the time that it waits does not count."
        checked={draft.interactive}
      />
      <h3>Tools</h3>
      <ToolTable tools={draft.tools} approvals={draft.approvals} faults={faults} />
      <Delivery draft={draft} faults={faults} />
    </details>
  );
}

function Delivery({ draft, faults }: { draft: ExecutionDraft; faults: Faults }) {
  return (
    <>
      <h3>Result</h3>
      <Area
        name="outputSchema"
        label={LABELS.outputSchema}
        hint="JSON Schema 2020-12. The result's data matches it, or the execution fails and says what does not."
        value={draft.outputSchema}
        faults={gatheredAt(faults, "outputSchema")}
        code
      />
      <div class="grid">
        <Input
          name="callbackUrl"
          label="Callback URL"
          hint="Gets the result by POST when the execution has ended."
          value={draft.callbackUrl}
          faults={faults}
          more={{ inputmode: "url" }}
        />
        <SecretInput
          name="callbackSecret"
          label="Callback secret"
          hint="Signs the callbacks by Standard Webhooks: whsec_ and base64, or any text of 8 to 256 characters."
          faults={faults}
        />
      </div>
      <Area
        name="metadata"
        label="Notes of your own"
        hint="Up to 16, each on a line: name = value. They are listed with the execution."
        value={draft.metadata}
        faults={gatheredAt(faults, "metadata")}
        more={{ rows: 3 }}
      />
    </>
  );
}

function isSet({ prompt: _, interactive, tools, approvals, ...texts }: ExecutionDraft): boolean {
  const ticked = tools.ticked.size + approvals.ticked.size;
  const typed = [...Object.values(texts), tools.others, approvals.others].join("");
  return interactive || ticked > 0 || typed !== "";
}

const CONTROL =
  /^(?:prompt|inputs|model|tools|approvals|maxCredits|maxSteps|timeoutSeconds|callbackUrl|callbackSecret|outputSchema|metadata)$/;

/** Whether a fault has a control with its name on the page. */
const hasControl = (name: string): boolean => CONTROL.test(name);
