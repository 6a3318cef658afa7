import {
  DEFAULT_MAX_CREDITS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../../../../contract/trigger.ts";
import { Area, Check, Input, SecretInput } from "../../../components/fields.tsx";
import { Layout } from "../../../components/layout.tsx";
import { Refused } from "../../../components/refused.tsx";
import { ToolTable } from "../../../components/tool-table.tsx";
import { type Faults, gatheredAt, NO_FAULTS, type Refusal } from "../../../forms/faults.ts";
import { EXECUTIONS } from "../paths.ts";
import { Once } from "../run/once.tsx";
import { headingOf } from "../words.ts";
import type { RunDraft } from "./draft.ts";
import { EXAMPLES } from "./examples.ts";

/** The form that starts a run. */
export function NewRunPage({ draft, refusal }: { draft: RunDraft; refusal: Refusal | null }) {
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

function Options({ draft, faults }: { draft: RunDraft; faults: Faults }) {
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

function Delivery({ draft, faults }: { draft: RunDraft; faults: Faults }) {
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

function isSet({ prompt: _, interactive, tools, approvals, ...texts }: RunDraft): boolean {
  const ticked = tools.ticked.size + approvals.ticked.size;
  const typed = [...Object.values(texts), tools.others, approvals.others].join("");
  return interactive || ticked > 0 || typed !== "";
}

const CONTROL =
  /^(?:prompt|inputs|model|tools|approvals|maxCredits|maxSteps|timeoutSeconds|callbackUrl|callbackSecret|outputSchema|metadata)$/;

/** Whether a fault has a control with its name on the page. */
const hasControl = (name: string): boolean => CONTROL.test(name);
