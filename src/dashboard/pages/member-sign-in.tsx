import type { Hono } from "hono";
import { memberEmail } from "../../contract/members.ts";
import { settingsOf } from "../../env.ts";
import {
  accessIdentity,
  beginSession,
  emailOfLink,
  type Membership,
  membershipsOf,
  redeemLink,
  sendSignInLink,
} from "../../http/sign-in.ts";
import { isLoopbackHost } from "../../lib/http.ts";
import { logError } from "../../lib/log.ts";
import { localOutbox } from "../../outbound/email/local-outbox.ts";
import { LinkButton, Submit } from "../components/elements.tsx";
import { Alone, show } from "../components/layout.tsx";
import type { DashboardEnv, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { postedForm } from "../forms/posted.ts";
import { readIdentity, setIdentity, startSession } from "../session.ts";
import { limited, SignIn } from "./sign-in.tsx";

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
    const response = await enter(http, email, "access");
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
    const email = await emailOfLink(http.env, http.req.param("token"));
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
    const email = await redeemLink(http.env, http.req.param("token"));
    if (email === null) return refusedLink(http);
    return (await enter(http, email, "link")) ?? refusedLink(http);
  });

  app.get("/accounts", async (http) => {
    const identity = await readIdentity(http);
    if (identity === null) return http.redirect("/dashboard/sign-in", 303);
    return show(http, <Accounts accounts={await membershipsOf(http.env, identity.email)} />);
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
    if (name === undefined) return show(http, <Outbox names={await outbox.list()} />);
    const mail = await outbox.read(name);
    return mail === null
      ? pageNotFound(http)
      : show(http, <Mail name={name} mail={readable(mail)} />);
  });
}

/** Enters the only account of a proven address, or asks for one of several; null without any. */
async function enter(http: Page, email: string, method: "link" | "access") {
  const [first, ...others] = await membershipsOf(http.env, email);
  if (first === undefined) return null;
  await setIdentity(http, { email, method });
  if (others.length > 0) return http.redirect(ACCOUNTS, 303);
  return begin(http, { email, method }, first.accountId);
}

async function begin(
  http: Page,
  { email, method }: { email: string; method: "link" | "access" },
  accountId: string,
): Promise<Response> {
  const requestId = http.get("requestId");
  const session = await beginSession(http.env, { email, method, accountId, requestId });
  if (session === null) return http.redirect("/dashboard/sign-in?ended=1", 303);
  const { token: apiKey, account, scopes } = session;
  await startSession(http, { apiKey, reader: { account, scopes, email } });
  return http.redirect("/dashboard", 303);
}

async function refusedLink(http: Page): Promise<Response> {
  return (await limited(http)) ?? show(http, <SignIn http={http} notice={USED} />, 410);
}

function Accounts({ accounts }: { accounts: readonly Membership[] }) {
  return (
    <Alone title="Choose an account">
      <h2>Choose an account</h2>
      {accounts.map(({ accountId, name }) => (
        <form method="post" action={ACCOUNTS} class="card">
          <input type="hidden" name="accountId" value={accountId} />
          <Submit>{name}</Submit>
        </form>
      ))}
      {accounts.length === 0 && <p>You are no longer a member of an account.</p>}
    </Alone>
  );
}

function Outbox({ names }: { names: readonly string[] }) {
  return (
    <Alone title="Outbox">
      <h2>Outbox</h2>
      <p>Mails of the service that a local start does not deliver, newest first.</p>
      {names.length === 0 && <p class="muted">No mails yet.</p>}
      <ul>
        {names.map((name) => (
          <li>
            <a href={`/dashboard/outbox/${encodeURIComponent(name)}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Alone>
  );
}

/** Returns a mail of the service as text: long lines are broken in it, as quoted-printable has them (RFC 2045). */
const readable = (mail: string): string => mail.replaceAll(/=\r?\n/g, "").replaceAll(/=3D/gi, "=");

function Mail({ name, mail }: { name: string; mail: string }) {
  const [link] = /https?:\/\/\S+\/(?:dashboard|decide)\/\S+/.exec(mail) ?? [];
  return (
    <Alone title={name}>
      <pre tabindex={0}>{mail}</pre>
      {link !== undefined && <LinkButton href={link}>Open the link</LinkButton>}
      <p>
        <a href="/dashboard/outbox">Outbox</a>
      </p>
    </Alone>
  );
}
