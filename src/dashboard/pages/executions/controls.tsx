import type { Child } from "hono/jsx";
import type { ExecutionState } from "../../../contract/execution.ts";
import { forkBody, messageBody, stopBody } from "../../../contract/trigger.ts";
import { LinkButton } from "../../components/elements.tsx";
import { IfMay } from "../../components/layout.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { Control, FormErrors, FormKey, idempotencyOf } from "../../forms/fields.tsx";
import { type Form, type FormState, field, shownForm } from "../../forms/form.ts";
import { FormPage, serveForm } from "../../forms/form-page.tsx";
import { comparePath, EXECUTIONS, executionPath, workflowPath } from "../../paths.ts";
import { isOpen } from "./load.ts";

const MESSAGE: Form<typeof messageBody> = {
  schema: messageBody,
  fields: {
    message: field.text("Message to the agent", { required: true, more: { rows: 2 } }),
    mode: field.line(""),
  },
};
const STOP: Form<typeof stopBody> = {
  schema: stopBody,
  fields: { reason: field.line("Reason (optional)") },
};

/** A form of the page that was refused, with what was typed into it. */
export interface Sent {
  form: "message" | "stop";
  state: FormState;
}

/** Serves the forms of an execution's page, which shows them again where they are refused. */
export function serveControls(
  app: Dashboard,
  page: (http: Page, sent: Sent) => Promise<Child>,
): void {
  const actionOf = (form: Sent["form"]) => ({
    path: `${EXECUTIONS}/:executionId/${form}`,
    load: async (http: Page) => http.req.param("executionId") ?? "",
    page: (state: FormState, _: string, http: Page) => page(http, { form, state }),
  });
  serveForm(app, {
    ...actionOf("message"),
    form: () => MESSAGE,
    save: (api, body, { loaded, typed }) =>
      api.executions.message(loaded, body, idempotencyOf(typed)),
    done: (http, _, { loaded }) => http.redirect(executionPath(loaded, "#say"), 303),
  });
  serveForm(app, {
    ...actionOf("stop"),
    form: () => STOP,
    save: (api, body, { loaded }) => api.executions.stop(loaded, body),
    done: (http, _, { loaded }) => http.redirect(executionPath(loaded, "#status"), 303),
  });
  app.post("/executions/:executionId/redeliver", async (http) => {
    const executionId = http.req.param("executionId");
    await http.get("api").executions.redeliver(executionId);
    return http.redirect(executionPath(executionId, "?tab=callbacks"), 303);
  });
}

/** The box for messages. Once the execution has ended, it only keeps what could not be sent. */
export function MessageForm({ state, sent }: { state: ExecutionState; sent: Sent | null }) {
  const canSend = isOpen(state);
  if (!canSend && sent?.form !== "message") return null;
  const of = sent?.form === "message" ? sent.state : shownForm(MESSAGE);
  return (
    <section class="card" id="say" aria-label="Message">
      <form method="post" action={executionPath(state.executionId, "/message")}>
        <FormErrors of={of} />
        <FormKey />
        <Control of={of} name="message" />
        {canSend ? (
          <div class="actions">
            <button type="submit">Send message</button>
            <button type="submit" name="mode" value="interrupt">
              Interrupt the step with it
            </button>
          </div>
        ) : (
          <p class="muted">The execution has ended and no longer receives messages.</p>
        )}
      </form>
    </section>
  );
}

/** The actions on the execution as a whole. */
export function ExecutionActions({
  state,
  workflowId,
}: {
  state: ExecutionState;
  workflowId: string | null;
}) {
  const { executionId } = state;
  const from = `?from=${encodeURIComponent(executionId)}`;
  return (
    <IfMay scope="executions:write">
      {isOpen(state) ? (
        <StopForm path={executionPath(executionId)} />
      ) : (
        <>
          <LinkButton href={executionPath(executionId, "/fork")}>
            {state.status === "failed" ? "Retry from the failed step" : "Continue execution"}
          </LinkButton>
          <LinkButton
            href={workflowId === null ? `${EXECUTIONS}/new${from}` : workflowPath(workflowId, from)}
          >
            Run again with changes
          </LinkButton>
          <LinkButton href={comparePath(executionId)}>Compare…</LinkButton>
          <LinkButton href={executionPath(executionId, "/share")}>Share</LinkButton>
        </>
      )}
    </IfMay>
  );
}

/** Asks for confirmation in a popover that needs no script. */
function StopForm({ path }: { path: string }) {
  return (
    <>
      <button type="button" class="danger" popovertarget="stop">
        Stop execution…
      </button>
      <section id="stop" popover="auto" aria-labelledby="stop-title" class="popover">
        <h2 id="stop-title">Stop this execution?</h2>
        <p>
          It ends at once and cannot be resumed. Its outputs stay. An external effect in progress
          may or may not happen.
        </p>
        <form method="post" action={`${path}/stop`}>
          <Control of={shownForm(STOP)} name="reason" />
          <div class="actions">
            <button type="submit" class="danger">
              Stop execution
            </button>
            <button type="button" popovertarget="stop" popovertargetaction="hide">
              Cancel
            </button>
          </div>
        </form>
      </section>
    </>
  );
}

const FORM: Form<typeof forkBody> = {
  schema: forkBody,
  fields: {
    afterStep: field.number("After step", {
      hint: "Leave empty for the step that failed, or the end. 0 begins again from the prompt.",
    }),
    message: field.text("Message to the agent", { more: { rows: 4 } }),
    model: field.line("Model", { hint: "Leave empty to keep it." }),
    maxCredits: field.number("Credit limit", { hint: "Leave empty to keep it." }),
    acknowledgeUncertain: field.check("I checked the effects that may or may not have happened"),
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
        back={executionPath(executionId)}
        action={executionPath(executionId, "/fork")}
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
