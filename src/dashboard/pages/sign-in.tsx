import type { Hono } from "hono";
import * as z from "zod";
import { PrompthookError } from "../../client/error.ts";
import type { Fetch } from "../../client/transport.ts";
import { apiKeyCreated, memberEmail } from "../../contract/keys.ts";
import { accountCreated, FIRST_ACCOUNT } from "../../contract/operators.ts";
import { settingsOf } from "../../env.ts";
import { FAILURE_RETRY_SECONDS, hasFailedTooOften } from "../../http/authentication.ts";
import {
  accessIdentity,
  beginSession,
  canSendLinks,
  emailOfLink,
  endMemberSession,
  membershipsOf,
  sendSignInLink,
} from "../../http/sign-in.ts";
import { isLoopbackHost } from "../../lib/http.ts";
import { logError } from "../../lib/log.ts";
import { localOutbox } from "../../outbound/email/local-outbox.ts";
import { LinkButton, Notice, Submit } from "../components/elements.tsx";
import { Alone, show } from "../components/layout.tsx";
import { apiWith, type DashboardEnv, type Page } from "../context.ts";
import { enterDashboard, pageNotFound } from "../error-page.tsx";
import { NO_FAULTS } from "../forms/errors.ts";
import { SingleControl } from "../forms/fields.tsx";
import { field } from "../forms/form.ts";
import { postedForm } from "../forms/posted.ts";
import { unless } from "../lookups.ts";
import {
  endSession,
  type Identity,
  readIdentity,
  readSession,
  setIdentity,
  startSession,
} from "../session.ts";
import { showOnce } from "./keys.tsx";

const ENDED = "Your session has ended. Sign in again.";
const OPERATORS_TOKEN =
  "This is the operators' token, and there are accounts already. Sign in with an API key.";

/** Serves signing in with an API key, or with the operators' token while there is no account, and signing out. */
export function serveSignIn(app: Hono<DashboardEnv>, fetchFor: (http: Page) => Fetch): void {
  app.get("/sign-in", (http) =>
    show(http, <SignIn http={http} notice={http.req.query("ended") === "1" ? ENDED : undefined} />),
  );

  app.post("/sign-in", async (http) => {
    const given = (await postedForm(http)).line("apiKey");
    const first = await openFirstAccount(http, fetchFor(http), given);
    if (first !== null && first !== "exists") {
      const { apiKey, scopes } = first;
      await startSession(http, { apiKey, reader: { account: FIRST_ACCOUNT.name, scopes } });
      return showOnce(http, first);
    }
    const error = first === null ? await signIn(http, given, fetchFor) : OPERATORS_TOKEN;
    if (error === null) return enterDashboard(http);
    return (await limited(http)) ?? show(http, <SignIn http={http} error={error} />, 401);
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
async function limited(http: Page): Promise<Response | null> {
  if (!(await hasFailedTooOften(http))) return null;
  http.header("Retry-After", String(FAILURE_RETRY_SECONDS));
  const error = "Too many failed sign-ins from your address. Try again in a minute.";
  return show(http, <SignIn http={http} error={error} />, 429);
}

/** Only visible ASCII can stand in a header. */
const IN_A_HEADER = /^[\x21-\x7e]+$/;

/** Starts a session; returns an error message where the key is not valid. Throws if that cannot be told. */
async function signIn(
  http: Page,
  apiKey: string,
  fetchFor: (http: Page) => Fetch,
): Promise<string | null> {
  if (!IN_A_HEADER.test(apiKey)) return "This is not an API key.";
  try {
    const { name: account, key } = await apiWith(apiKey, http, fetchFor(http)).account();
    await startSession(http, { apiKey, reader: { account, scopes: key.scopes } });
    return null;
  } catch (error) {
    if (!(error instanceof PrompthookError) || error.status !== 401) throw error;
    return error.message;
  }
}

const EMAIL = field.line("E-mail address", {
  hint: "Members get a link with which they sign in.",
  required: true,
  more: { type: "email" },
});
const API_KEY = field.secret("API key", {
  hint: "Starts with ph_live_. Your operator creates the first one; npm start prints it. In a new service, enter ADMIN_TOKEN to create the first account.",
  required: true,
});

/** The page where one signs in, by the ways that are set up. */
function SignIn({
  http,
  error,
  notice,
}: {
  http: Page;
  error?: string;
  /** What an earlier step came to. */
  notice?: string | undefined;
}) {
  const hasMail = canSendLinks(http.env);
  return (
    <Alone title="Sign in">
      <p>Start agents from a prompt or a webhook, see every step, and approve what matters.</p>
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

/**
 * Opens the first account of a service for its operator, who has deployed it without a terminal. Returns its
 * key; "exists" where there are accounts, and null if the token is not the operators'.
 */
async function openFirstAccount(http: Page, fetch: Fetch, token: string) {
  if (!IN_A_HEADER.test(token) || token.startsWith("ph_live_")) return null;
  const operators = apiWith(token, http, fetch);
  const path = "/admin/accounts";
  const listing = operators.request({ method: "GET", path: `${path}?limit=1` });
  const listed = await unless(listing, ({ status }) => status === 401);
  if (listed === null) return null;
  if (accountPage.parse(await listed.json()).accounts.length > 0) return "exists";
  const opened = await operators.request({ method: "POST", path, body: FIRST_ACCOUNT });
  const { apiKey, keyId } = accountCreated.parse(await opened.json());
  const { keys } = await apiWith(apiKey, http, fetch).keys.list();
  return apiKeyCreated.parse({ ...keys.find((key) => key.keyId === keyId), apiKey });
}

const ACCOUNTS = "/dashboard/accounts";
const USED = "This link was used before, has expired or is not whole. Ask for a new one.";

/**
 * Serves signing in as a member: by a link in an e-mail, or by Cloudflare Access, then the choice of an
 * account. Programs that check mails open every link, so that only the button of its page uses it up.
 */
export function serveMemberSignIn(app: Hono<DashboardEnv>): void {
  app.get("/sign-in", async (http, next) => {
    if (http.req.query("out") !== undefined) return next();
    const assertion = http.req.header("Cf-Access-Jwt-Assertion");
    const email = await accessIdentity(assertion, settingsOf(http.env));
    if (email === null) return next();
    const notice = `${email} is not a member of an account. Ask an admin to add you.`;
    const response = await enter(http, { email, method: "access" });
    return response ?? show(http, <SignIn http={http} notice={notice} />, 403);
  });

  app.post("/sign-in/email", async (http) => {
    // Each request counts: nobody can have links sent without end, or try addresses.
    const refused = await limited(http);
    if (refused !== null) return refused;
    const email = memberEmail.safeParse((await postedForm(http)).line("email")).data;
    const { origin } = new URL(http.req.url);
    if (email !== undefined) {
      // Afterwards, so that the time of the answer does not tell members from others.
      const sent = sendSignInLink(http.env, email, origin).catch((error: unknown) =>
        logError("sign-in link not sent", {}, error),
      );
      http.executionCtx.waitUntil(sent);
    }
    const isLocal = localOutbox(http.env) !== null;
    return show(
      http,
      <Alone title="Check your e-mail">
        <h2>Check your e-mail</h2>
        <p>If this address belongs to a member, a link is on its way. It works for 15 minutes.</p>
        {isLocal && <LinkButton href="/dashboard/outbox">Open the local outbox</LinkButton>}
      </Alone>,
    );
  });

  app.get("/sign-in/link/:token", async (http) => {
    const email = await emailOfLink(http.env, http.req.param("token"), { take: false });
    if (email === null) return refusedLink(http);
    return show(
      http,
      <Alone title="Sign in">
        <p>{`Sign in as ${email}?`}</p>
        <form method="post">
          <Submit>Sign in</Submit>
        </form>
      </Alone>,
    );
  });

  app.post("/sign-in/link/:token", async (http) => {
    const email = await emailOfLink(http.env, http.req.param("token"), { take: true });
    if (email === null) return refusedLink(http);
    return (await enter(http, { email, method: "link" })) ?? refusedLink(http);
  });

  app.get("/accounts", async (http) => {
    const identity = await readIdentity(http);
    if (identity === null) return http.redirect("/dashboard/sign-in", 303);
    const accounts = await membershipsOf(http.env, identity.email);
    return show(
      http,
      <Alone title="Choose an account">
        <h2>Choose an account</h2>
        {accounts.map(({ accountId, name }) => (
          <form method="post" action={ACCOUNTS} class="card">
            <input type="hidden" name="accountId" value={accountId} />
            <Submit>{name}</Submit>
          </form>
        ))}
        {accounts.length === 0 && <p>You are no longer a member of an account.</p>}
      </Alone>,
    );
  });

  app.post("/accounts", async (http) => {
    const identity = await readIdentity(http);
    const accountId = (await postedForm(http)).line("accountId");
    const accounts = identity === null ? [] : await membershipsOf(http.env, identity.email);
    const isMember = accounts.some((account) => account.accountId === accountId);
    if (identity === null || !isMember) return http.redirect("/dashboard/sign-in?ended=1", 303);
    return begin(http, identity, accountId);
  });

  app.get("/outbox/:name?", async (http) => {
    const outbox = localOutbox(http.env);
    // The mails have links with which anyone signs in: they are for this machine alone.
    if (outbox === null || !isLoopbackHost(new URL(http.req.url).hostname)) {
      return pageNotFound(http);
    }
    const name = http.req.param("name");
    if (name !== undefined) {
      const found = await outbox.read(name);
      if (found === null) return pageNotFound(http);
      const mail = readable(found);
      const [link] = /https?:\/\/\S+\/(?:dashboard|decide)\/\S+/.exec(mail) ?? [];
      return show(
        http,
        <Alone title={name}>
          <pre tabindex={0}>{mail}</pre>
          <p class="actions">
            {link !== undefined && <LinkButton href={link}>Open the link</LinkButton>}
            <a href="/dashboard/outbox">Outbox</a>
          </p>
        </Alone>,
      );
    }
    const names = await outbox.list();
    return show(
      http,
      <Alone title="Outbox">
        <h2>Outbox</h2>
        <p>Mails of the service that a local start does not deliver, newest first.</p>
        {names.length === 0 && <p class="muted">No mails yet.</p>}
        <ul>
          {names.map((one) => (
            <li>
              <a href={`/dashboard/outbox/${encodeURIComponent(one)}`}>{one}</a>
            </li>
          ))}
        </ul>
      </Alone>,
    );
  });
}

/** Enters the only account of a proven address, or asks for one of several; null without any. */
async function enter(http: Page, identity: Identity) {
  const [first, ...others] = await membershipsOf(http.env, identity.email);
  if (first === undefined) return null;
  await setIdentity(http, identity);
  if (others.length > 0) return http.redirect(ACCOUNTS, 303);
  return begin(http, identity, first.accountId);
}

/** Begins the session of a member of an account. */
async function begin(http: Page, identity: Identity, accountId: string): Promise<Response> {
  const requestId = http.get("requestId");
  const session = await beginSession(http.env, { ...identity, accountId, requestId });
  if (session === null) return http.redirect("/dashboard/sign-in?ended=1", 303);
  const { token: apiKey, account, scopes } = session;
  await startSession(http, { apiKey, reader: { account, scopes, email: identity.email } });
  return enterDashboard(http);
}

async function refusedLink(http: Page): Promise<Response> {
  return (await limited(http)) ?? show(http, <SignIn http={http} notice={USED} />, 410);
}

/** Returns a mail of the service as text: long lines are broken in it, as quoted-printable has them (RFC 2045). */
const readable = (mail: string): string => mail.replaceAll(/=\r?\n/g, "").replaceAll(/=3D/gi, "=");
