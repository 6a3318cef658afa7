import type { Hono } from "hono";
import { PrompthookError } from "../../client/error.ts";
import { Prompthook } from "../../client/prompthook.ts";
import type { Fetch } from "../../client/transport.ts";
import { Notice } from "../components/elements.tsx";
import { Document } from "../components/layout.tsx";
import type { DashboardEnv, Page } from "../context.ts";
import { Field } from "../forms/fields.tsx";
import { postedForm } from "../forms/posted.ts";
import { endSession, startSession } from "../session.ts";

/** Asks for an API key. */
export function SignIn({ error, ended }: { error?: string; ended?: boolean }) {
  return (
    <Document title="Sign in">
      <main class="alone" id="main">
        <h1>Prompthook</h1>
        {ended === true && <Notice tone="bad">Your session has ended. Sign in again.</Notice>}
        <form method="post" action="/dashboard/sign-in" class="card">
          <Field
            id="apiKey"
            label="API key"
            hint="An account's key, ph_live_…; npm start prints one."
            error={error}
          >
            <input
              id="apiKey"
              name="apiKey"
              type="password"
              autocomplete="current-password"
              required
              aria-describedby="apiKey-hint"
            />
          </Field>
          <button type="submit" class="primary">
            Sign in
          </button>
        </form>
        <p>
          <a href="/docs">API reference</a>
        </p>
      </main>
    </Document>
  );
}

/** Signing in by an API key, and out again. */
export function serveSignIn(app: Hono<DashboardEnv>, fetchFor: (http: Page) => Fetch): void {
  app.get("/sign-in", (http) => http.html(<SignIn ended={http.req.query("ended") === "1"} />));

  app.post("/sign-in", async (http) => {
    const posted = await postedForm(http);
    const fault = await faultOf(http, posted.line("apiKey"), fetchFor);
    if (fault !== null) return http.html(<SignIn error={fault} />, 401);
    return http.redirect("/dashboard", 303);
  });

  app.post("/sign-out", (http) => {
    endSession(http);
    return http.redirect("/dashboard/sign-in", 303);
  });
}

/** Starts a session, or says why this is no key to start one with. */
async function faultOf(
  http: Page,
  apiKey: string,
  fetchFor: (http: Page) => Fetch,
): Promise<string | null> {
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return "This is not an API key.";
  const { origin } = new URL(http.req.url);
  try {
    const settings = { baseUrl: origin, apiKey, fetch: fetchFor(http), maxRetries: 0 };
    await new Prompthook(settings).executions.list({ limit: 1 });
  } catch (error) {
    if (!(error instanceof PrompthookError)) throw error;
    // A key that may not list executions is a key all the same; pages that need more will say so.
    if (error.code !== "insufficient_scope") return error.message;
  }
  await startSession(http, apiKey, Date.now());
  return null;
}
