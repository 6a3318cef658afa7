import { Field } from "../components/form.tsx";
import { Document } from "../components/layout.tsx";
import { Notice } from "../components/parts.tsx";

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
