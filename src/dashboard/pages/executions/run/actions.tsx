import type { Prompthook } from "../../../../client/prompthook.ts";
import type { Dashboard, Page } from "../../../context.ts";
import { type Refusal, refusalOf } from "../../../forms/faults.ts";
import { type Posted, postedForm } from "../../../forms/posted.ts";
import { runPath } from "../paths.ts";
import type { RunForm } from "./forms.ts";
import { loadRun } from "./load.ts";
import { RunPage } from "./page.tsx";

/** What a form of the page does. */
interface Action {
  form: RunForm;
  /** The control that somebody types into. */
  typed: string;
  /** The part of the page to come back to. */
  anchor: string;
  act(api: Prompthook, executionId: string, posted: Posted): Promise<unknown>;
}

const ACTIONS: Record<string, Action> = {
  answer: {
    form: "answer",
    typed: "answer",
    anchor: "status",
    act: (api, id, posted) =>
      api.executions.message(id, { message: posted.text("answer") }, once(posted)),
  },
  decide: { form: "decide", typed: "note", anchor: "status", act: decide },
  message: { form: "say", typed: "message", anchor: "say", act: say },
  stop: {
    form: "stop",
    typed: "reason",
    anchor: "status",
    act: (api, id, posted) => api.executions.stop(id, given("reason", posted.line("reason"))),
  },
  redeliver: {
    form: "redeliver",
    typed: "callbackUrl",
    anchor: "callbacks",
    act: (api, id, posted) =>
      api.executions.redeliver(id, given("callbackUrl", posted.line("callbackUrl"))),
  },
};

/** The forms of a run's page: messages, answers, approvals, the end, another delivery. */
export function serveActions(app: Dashboard): void {
  for (const [name, action] of Object.entries(ACTIONS)) {
    app.post(`/executions/:executionId/${name}`, (http) =>
      acted(http, http.req.param("executionId"), action),
    );
  }
}

async function acted(http: Page, executionId: string, action: Action) {
  const { form, typed, anchor, act } = action;
  const api = http.get("api");
  const posted = await postedForm(http);
  try {
    await act(api, executionId, posted);
  } catch (error) {
    const refusal = renamed(refusalOf(error), typed);
    const { origin } = new URL(http.req.url);
    const run = await loadRun(api, executionId, { until: null, origin });
    const sent = { form, refusal, text: posted.text(typed) };
    return http.html(<RunPage run={run} sent={sent} />, refusal.status);
  }
  return http.redirect(`${runPath(executionId)}#${anchor}`, 303);
}

/** The API's `message` is told at the control that it was typed into. */
function renamed(refusal: Refusal, control: string): Refusal {
  const named = [...refusal.faults].map(
    ([path, fault]) => [path === "message" ? control : path, fault] as const,
  );
  return { ...refusal, faults: new Map(named) };
}

function say(api: Prompthook, executionId: string, posted: Posted) {
  const mode = posted.line("mode") === "interrupt" ? "interrupt" : "next_step";
  return api.executions.message(
    executionId,
    { message: posted.text("message"), mode },
    once(posted),
  );
}

function decide(api: Prompthook, executionId: string, posted: Posted) {
  const decision = posted.line("decision") === "approve" ? "approve" : "deny";
  const approval = { callId: posted.line("callId"), decision } as const;
  const body = { ...given("message", posted.text("note")), approval };
  return api.executions.message(executionId, body, once(posted));
}

/** The form's own key, so that sending it twice is sending it once. */
function once(posted: Posted) {
  const key = posted.line("once");
  return key === "" ? {} : { idempotencyKey: key };
}

/** An optional field, left out where nothing was typed. */
function given<Name extends string>(name: Name, text: string): { [Field in Name]?: string } {
  const fields: { [Field in Name]?: string } = {};
  if (text.trim() !== "") fields[name] = text;
  return fields;
}
