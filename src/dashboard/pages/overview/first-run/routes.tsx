import type { Dashboard, Page } from "../../../context.ts";
import { attempt } from "../../../forms/attempt.ts";
import { postedForm } from "../../../forms/posted.ts";
import { FirstRunPage, Next } from "./page.tsx";
import { RunProgress, WebhookProgress } from "./progress.tsx";
import { type FirstRun, fingerprintOf, loadFirstRun, makeEndpoint } from "./state.ts";

const ROOT = "/dashboard/first-run";

/** The way from nothing to a first finished run and a first received webhook. */
export function serveFirstRun(app: Dashboard): void {
  app.get("/first-run", async (http) =>
    http.html(<FirstRunPage view={{ state: await loadFirstRun(http.get("api")) }} />),
  );

  app.post("/first-run/run", async (http) => {
    const api = http.get("api");
    const posted = await postedForm(http);
    const prompt = posted.text("prompt");
    const key = posted.line("once");
    const started = await attempt({ ok: true, body: { prompt } }, (body) =>
      api.executions.trigger(body, key === "" ? {} : { idempotencyKey: key }),
    );
    if (started.ok) return http.redirect(ROOT, 303);
    const { refusal } = started;
    const view = { state: await loadFirstRun(api), prompt, refusal };
    return http.html(<FirstRunPage view={view} />, refusal.status);
  });

  app.post("/first-run/endpoint", async (http) => {
    await makeEndpoint(http.get("api"));
    return http.redirect(`${ROOT}#webhook`, 303);
  });

  app.get("/first-run/run-progress", (http) =>
    news(http, (state) => (
      <>
        <RunProgress state={state} />
        <Next state={state} isUpdate />
      </>
    )),
  );
  app.get("/first-run/webhook-progress", (http) =>
    news(http, (state) => (
      <>
        <WebhookProgress state={state} />
        <Next state={state} isUpdate />
      </>
    )),
  );
}

/** A part of the page as it is now, or nothing when it is as it was. */
async function news(http: Page, part: (state: FirstRun) => ReturnType<typeof Next>) {
  const state = await loadFirstRun(http.get("api"));
  if (http.req.query("seen") === fingerprintOf(state)) return http.body(null, 204);
  return http.html(part(state));
}
