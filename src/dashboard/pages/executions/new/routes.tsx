import { PROBLEMS } from "../../../../contract/problem.ts";
import type { TriggerBody } from "../../../../contract/trigger.ts";
import type { Dashboard, Page } from "../../../context.ts";
import { attempt } from "../../../forms/attempt.ts";
import type { Refusal } from "../../../forms/faults.ts";
import { postedForm } from "../../../forms/posted.ts";
import { runPath } from "../paths.ts";
import { bodyOf } from "./body.ts";
import { draftOfPosted, draftOfPrompt, draftOfTask, type RunDraft } from "./draft.ts";
import { NewRunPage } from "./page.tsx";

/** The form that starts a run: empty, with a prompt, or like a run that there was. */
export function serveNewRun(app: Dashboard): void {
  app.get("/executions/new", async (http) => {
    const from = http.req.query("from");
    const draft =
      from === undefined
        ? draftOfPrompt(http.req.query("prompt") ?? "")
        : draftOfTask(await http.get("api").executions.task(from));
    return http.html(<NewRunPage draft={draft} refusal={null} />);
  });

  app.post("/executions/new", async (http) => {
    const posted = await postedForm(http);
    const draft = draftOfPosted(posted);
    const started = await attempt(bodyOf(draft), (body) => start(http, body, posted.line("once")));
    if (started.ok) return http.redirect(runPath(started.value.executionId), 303);
    const refusal = told(started.refusal, draft);
    return http.html(<NewRunPage draft={draft} refusal={refusal} />, refusal.status);
  });
}

/** Starts the run once, however often the form is sent. */
function start(http: Page, body: TriggerBody, key: string) {
  return http.get("api").executions.trigger(body, key === "" ? {} : { idempotencyKey: key });
}

/** The refusal as the form tells it. */
function told(refusal: Refusal, { callbackSecret }: RunDraft): Refusal {
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
