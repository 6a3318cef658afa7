import { forkBody } from "../../../contract/trigger.ts";
import type { Dashboard } from "../../context.ts";
import type { Form } from "../../forms/form.ts";
import { FormPage, serveForm } from "../../forms/form-page.tsx";
import { EXECUTIONS, executionPath } from "../../paths.ts";

const FORM: Form<typeof forkBody> = {
  schema: forkBody,
  fields: {
    afterStep: {
      kind: "number",
      label: "After step",
      hint: "Leave empty for the step that failed, or the end. 0 begins again from the prompt.",
    },
    message: { kind: "text", label: "Message to the agent", more: { rows: 4 } },
    model: { kind: "line", label: "Model", hint: "Leave empty to keep it." },
    maxCredits: { kind: "number", label: "Credit limit", hint: "Leave empty to keep it." },
    acknowledgeUncertain: {
      kind: "check",
      label: "I checked the effects that may or may not have happened",
    },
  },
};

/** Serves the form that continues an execution. */
export function serveFork(app: Dashboard): void {
  serveForm(app, {
    path: `${EXECUTIONS}/:executionId/fork`,
    load: async (http) => http.get("api").executions.status(http.req.param("executionId") ?? ""),
    form: () => FORM,
    initial: (_, http) => {
      const after = http.req.query("after") ?? "";
      return /^\d{1,5}$/.test(after) ? { afterStep: Number(after) } : {};
    },
    page: (state, { executionId }) => (
      <FormPage
        title="Continue execution"
        section="executions"
        path={executionPath(executionId)}
        action={`${executionPath(executionId)}/fork`}
        state={state}
        submit="Continue execution"
        about={
          <p class="narrow">
            A new execution takes over the conversation and the results up to the step. Nothing is
            done or charged again; this execution is unchanged.
          </p>
        }
      />
    ),
    save: (api, body, { loaded }) => api.executions.fork(loaded.executionId, body),
    done: (http, { executionId }) => http.redirect(executionPath(executionId), 303),
  });
}
