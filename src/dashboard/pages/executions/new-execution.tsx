import { PROBLEMS } from "../../../contract/problem.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { callbackEvent, triggerBody } from "../../../contract/trigger.ts";
import { Notice } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, headline } from "../../format.ts";
import type { Refusal } from "../../forms/errors.ts";
import {
  type Choices,
  ExecutionOptions,
  executionBody,
  executionOptions,
  loadChoices,
  shownOptions,
} from "../../forms/execution-options.tsx";
import {
  Control,
  FILES,
  FormErrors,
  FormKey,
  idempotencyOf,
  SubmitOrCancel,
} from "../../forms/fields.tsx";
import { type Form, type FormState, field, isSet, type RefusedState } from "../../forms/form.ts";
import { Section, serveForm } from "../../forms/form-page.tsx";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { FIRST_PROMPT } from "../overview/first-run.tsx";

const executionForm = (choices: Choices, isSigned = false): Form<typeof triggerBody> => ({
  schema: triggerBody,
  fields: {
    prompt: field.text("Prompt", {
      hint: "Describe the task in your own words. The agent plans its steps itself.",
      required: true,
      more: { rows: 6 },
    }),
    inputs: field.json("Inputs", {
      hint: "A JSON object. The agent gets it as data, never as part of the prompt.",
    }),
    files: FILES,
    ...executionOptions(choices),
    ...(isSigned && {
      callbackSecret: field.secret("Callback secret", {
        hint: "The callbacks were signed. Enter the secret again to sign these.",
      }),
    }),
    inputTimeoutSeconds: field.number("Timeout of an answer (seconds)"),
    maxCostUsd: field.number("Price limit (USD)", { more: { step: "any" } }),
    callbackEvents: field.boxes(
      "Callback events",
      Object.fromEntries(callbackEvent.options.map((value) => [value, value.replaceAll("_", " ")])),
    ),
    interactive: field.check("Can ask questions", {
      hint: "The execution waits for your answer. The wait does not count towards the timeout.",
    }),
    metadata: field.json("Metadata", {
      hint: 'Up to 16 texts by their names, such as {"order": "1007"}. Search finds executions by them.',
      more: { rows: 3 },
    }),
  },
  assemble: ({ callbackEvents = [], ...values }) => ({
    ...executionBody(choices, values),
    ...([callbackEvents].flat().length > 0 && { callbackEvents }),
  }),
});

/** Serves the form that starts an execution: blank, with a prompt, or like an earlier execution. */
export function serveNewExecution(app: Dashboard): void {
  serveForm(app, {
    path: `${EXECUTIONS}/new`,
    async load(http) {
      const { from, prompt = "" } = http.req.query();
      const record: Partial<ExecutionTask> =
        from === undefined ? { prompt } : await http.get("api").executions.task(from);
      return { record, choices: await loadChoices(http, record) };
    },
    form: ({ choices, record }) => executionForm(choices, record.isCallbackSigned),
    initial: ({ record, choices }) => shownOptions(record, choices),
    page: (state, { record }) => <NewExecutionPage state={state} earlier={record} />,
    save: (api, body, { typed }) => api.executions.trigger(body, idempotencyOf(typed)),
    done: (http, { executionId }) => http.redirect(executionPath(executionId), 303),
    refused: (state) => ({ ...state, refusal: explained(state) }),
  });
}

function explained({ refusal, ...state }: RefusedState): Refusal {
  const { message: told, faults } = refusal;
  // The form was sent before with other values: the one that is shown now has a new key.
  const wasUsed = refusal.status === PROBLEMS.idempotency_key_reused.status;
  const message = wasUsed ? "This form already started an execution. Start another one?" : told;
  const isLost = isSet({ ...state, refusal }, "callbackSecret") && !faults.has("callbackSecret");
  if (!isLost) return { ...refusal, message };
  // A lost secret must not be overlooked: callbacks would not be signed.
  const again = "Enter the secret again: pages never include secrets.";
  return { ...refusal, message, faults: new Map([...faults, ["callbackSecret", again]]) };
}

function NewExecutionPage({
  state,
  earlier: { executionId = "", files = [] },
}: {
  state: FormState;
  /** The execution that it is like; without fields for none. */
  earlier: Partial<ExecutionTask>;
}) {
  const isBlank = !isSet(state, "prompt");
  return (
    <Layout title="New execution" section="executions">
      {/* The service reports all faults, also those of folded fields, which browsers cannot show. */}
      <form method="post" enctype="multipart/form-data" action={`${EXECUTIONS}/new`} novalidate>
        <FormErrors of={state} />
        <FormKey />
        {files.length > 0 && (
          <Notice tone="neutral">
            {`This form does not take over ${formatCount(files.length, "file")}. `}
            <a href={executionPath(executionId, "/fork?after=0")}>Start again with its files</a>
          </Notice>
        )}
        <section class="card">
          <Control of={state} name="prompt" more={{ autofocus: isBlank }} />
          {isBlank && (
            <p class="hint">
              For example:{" "}
              <a href={`${EXECUTIONS}/new?${new URLSearchParams({ prompt: FIRST_PROMPT })}`}>
                {headline(FIRST_PROMPT, 90)}
              </a>
            </p>
          )}
          <Control of={state} name="files" />
          <Control of={state} name="model" />
        </section>
        <Section of={state} title="Inputs" names={["inputs"]} about="data for the agent, as JSON" />
        <ExecutionOptions of={state} />
        <SubmitOrCancel submit="Start execution" back={EXECUTIONS} />
      </form>
    </Layout>
  );
}
