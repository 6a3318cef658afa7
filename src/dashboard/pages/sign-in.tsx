import type { Hono } from "hono";
import * as z from "zod";
import { errorOf, PrompthookError } from "../../client/error.ts";
import { Prompthook } from "../../client/prompthook.ts";
import type { Fetch } from "../../client/transport.ts";
import { apiKeyCreated } from "../../contract/keys.ts";
import { accountCreated, FIRST_ACCOUNT } from "../../contract/operators.ts";
import { FAILURE_RETRY_SECONDS, hasFailedTooOften } from "../../http/authentication.ts";
import { canSendLinks, endMemberSession } from "../../http/sign-in.ts";
import { Notice, Submit } from "../components/elements.tsx";
import { Alone, show } from "../components/layout.tsx";
import type { DashboardEnv, Page } from "../context.ts";
import { NO_FAULTS } from "../forms/errors.tsx";
import { SingleControl } from "../forms/fields.tsx";
import { postedForm } from "../forms/posted.ts";
import { endSession, readSession, startSession } from "../session.ts";
import { showOnce } from "./keys.tsx";

const OPERATORS_TOKEN =
  "This is the operators' token, and there are accounts already. Sign in with an API key.";

/** Serves signing in with an API key, or with the operators' token while there is no account, and signing out. */
export function serveSignIn(app: Hono<DashboardEnv>, fetchFor: (http: Page) => Fetch): void {
  app.get("/sign-in", (http) =>
    show(http, <SignIn http={http} ended={http.req.query("ended") === "1"} />),
  );

  app.post("/sign-in", async (http) => {
    const given = (await postedForm(http)).line("apiKey");
    const first = await firstAccount(http, given, fetchFor);
    if (first?.kind === "opened") {
      const { apiKey, scopes } = first.created;
      await startSession(http, { apiKey, reader: { account: FIRST_ACCOUNT.name, scopes } });
      return showOnce(http, first.created);
    }
    const error = first === null ? await signIn(http, given, fetchFor) : OPERATORS_TOKEN;
    if (error === null) return http.redirect("/dashboard", 303);
    const refused = await limited(http);
    return refused ?? show(http, <SignIn http={http} error={error} />, 401);
  });

  app.post("/sign-out", async (http) => {
    const session = await readSession(http);
    if (session?.reader?.email !== undefined) {
      await endMemberSession(http.env, session.apiKey);
    }
    endSession(http);
    // Cloudflare Access would sign in again at once.
    return http.redirect("/dashboard/sign-in?out=1", 303);
  });
}

/** Counts a failed sign-in by its address; returns a 429 after too many in a minute, else null. */
export async function limited(http: Page): Promise<Response | null> {
  if (!(await hasFailedTooOften(http))) return null;
  http.header("Retry-After", String(FAILURE_RETRY_SECONDS));
  const error = "Too many failed sign-ins from your address. Try again in a minute.";
  return show(http, <SignIn http={http} error={error} />, 429);
}

/** Only visible ASCII can stand in a header. */
const IN_A_HEADER = /^[\x21-\x7e]+$/;

/** Opens the first account for the operators' token; returns null for any other text. */
async function firstAccount(http: Page, given: string, fetchFor: (http: Page) => Fetch) {
  if (!IN_A_HEADER.test(given) || given.startsWith("ph_live_")) return null;
  return openFirstAccount(fetchFor(http), new URL(http.req.url).origin, given);
}

/** Starts a session; returns an error message where the key is not valid. Throws if that cannot be told. */
async function signIn(
  http: Page,
  apiKey: string,
  fetchFor: (http: Page) => Fetch,
): Promise<string | null> {
  if (!IN_A_HEADER.test(apiKey)) return "This is not an API key.";
  const { origin } = new URL(http.req.url);
  try {
    const settings = { baseUrl: origin, apiKey, fetch: fetchFor(http), maxRetries: 0 };
    const { name: account, key } = await new Prompthook(settings).account();
    await startSession(http, { apiKey, reader: { account, scopes: key.scopes } });
    return null;
  } catch (error) {
    if (!(error instanceof PrompthookError) || error.status !== 401) throw error;
    return error.message;
  }
}

const EMAIL = {
  kind: "line",
  label: "E-mail address",
  hint: "Members get a link with which they sign in.",
  required: true,
  more: { type: "email" },
} as const;
const API_KEY = {
  kind: "secret",
  label: "API key",
  hint: "Starts with ph_live_. Your operator creates the first one; npm start prints it. In a new service, enter ADMIN_TOKEN to create the first account.",
  required: true,
} as const;

/** The page where one signs in, by the ways that are set up. */
export function SignIn({
  http,
  error,
  notice,
  ended = false,
}: {
  http: Page;
  error?: string;
  /** What an earlier step came to. */
  notice?: string;
  ended?: boolean;
}) {
  const hasMail = canSendLinks(http.env);
  return (
    <Alone title="Sign in">
      <p>Start agents from a prompt or a webhook, see every step, and approve what matters.</p>
      {ended && <Notice tone="bad">Your session has ended. Sign in again.</Notice>}
      {notice !== undefined && <Notice tone="bad">{notice}</Notice>}
      {hasMail && (
        <form method="post" action="/dashboard/sign-in/email" class="card">
          <SingleControl
            name="email"
            field={EMAIL}
            more={{ autocomplete: "email", autofocus: error === undefined }}
          />
          <Submit>Send link</Submit>
        </form>
      )}
      <form method="post" action="/dashboard/sign-in" class="card">
        <SingleControl
          name="apiKey"
          field={API_KEY}
          faults={error === undefined ? NO_FAULTS : new Map([["apiKey", error]])}
          more={{
            autocomplete: "current-password",
            autofocus: !hasMail || error !== undefined,
          }}
        />
        <Submit>Sign in</Submit>
      </form>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </Alone>
  );
}

const accountPage = z.object({ accounts: z.array(z.unknown()) });

/** What the operators' token opened: the key of the first account, or nothing where there are accounts. */
type FirstAccount =
  | { kind: "opened"; created: z.output<typeof apiKeyCreated> }
  | { kind: "exists" };

/**
 * Opens the first account of a service for its operator, who has deployed it without a terminal. Returns null
 * if the token is not the operators'.
 */
async function openFirstAccount(
  fetch: Fetch,
  origin: string,
  token: string,
): Promise<FirstAccount | null> {
  const accounts = new URL("/api/v1/admin/accounts", origin);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const listed = await fetch(new Request(`${accounts}?limit=1`, { headers }));
  if (listed.status === 401) return null;
  if (!listed.ok) throw await errorOf(listed, Date.now());
  if (accountPage.parse(await listed.json()).accounts.length > 0) return { kind: "exists" };
  const body = JSON.stringify(FIRST_ACCOUNT);
  const opened = await fetch(new Request(accounts, { method: "POST", headers, body }));
  if (!opened.ok) throw await errorOf(opened, Date.now());
  const { apiKey, keyId } = accountCreated.parse(await opened.json());
  const api = new Prompthook({ baseUrl: origin, apiKey, fetch, maxRetries: 0 });
  const record = (await api.keys.list()).keys.find((key) => key.keyId === keyId);
  return { kind: "opened", created: apiKeyCreated.parse({ ...record, apiKey }) };
}
