import { Hono } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  type DecisionLink,
  isNonceOf,
  nonceOf,
  readLink,
  recipientsOf,
} from "../../../accounts/decision-links.ts";
import {
  type DecisionRecipient,
  type DecisionRecord,
  outcomeLine,
  shownDecision,
} from "../../../contract/decisions.ts";
import { accountStub } from "../../../durable/stubs.ts";
import { settingsOf } from "../../../env.ts";
import { callWithRetry } from "../../../http/call-with-retry.ts";
import type { AppEnv } from "../../../http/context.ts";
import { answered } from "../../../http/decisions.ts";
import { hasFailedTooOften } from "../../../http/failed-authentication.ts";
import { Notice } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import { asClientError, type DashboardEnv, type Page } from "../../context.ts";
import { errorPage } from "../../error-page.tsx";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { Input } from "../../forms/fields.tsx";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { ownForms, PAGE_HEADERS } from "../../page-protection.ts";
import { readIdentity } from "../../session.ts";
import { Alone } from "../sign-in.tsx";
import { decideBy } from "./answer.ts";
import { DecisionCard, type SentDecision } from "./card.tsx";

/** A link that can be used now: its decision and its recipient. */
interface Opened {
  link: DecisionLink;
  recipient: DecisionRecipient;
  decision: DecisionRecord;
}

/**
 * Serves the links that recipients of decisions get. Programs that check mails open every link, so GET and
 * HEAD only show: the form decides, sent from the page itself. The reader has no session.
 */
export function mountDecisionLinks(app: Hono<AppEnv>): void {
  const links = new Hono<DashboardEnv>();
  links.use(PAGE_HEADERS, ownForms, async (http, next) => {
    await next();
    http.header("Cache-Control", "no-store");
    http.header("Referrer-Policy", "no-referrer");
    http.header("X-Robots-Tag", "noindex");
  });

  links.get("/:token", async (http) => {
    const opened = await open(http);
    return opened instanceof Response ? opened : form(http, opened, null);
  });

  links.post("/:token", async (http) => {
    const opened = await open(http);
    if (opened instanceof Response) return opened;
    const posted = await postedForm(http);
    const { ID_KEY } = settingsOf(http.env);
    const token = http.req.param("token");
    if (!(await isNonceOf(token, posted.line("nonce"), Date.now(), ID_KEY))) {
      const message = "This page was open for too long. Check the call and answer again.";
      const refusal = { status: 400, message, faults: NO_FAULTS } as const;
      return form(http, opened, { posted, refusal, isReviewed: false });
    }
    return decide(http, opened, posted);
  });
  links.onError(errorPage);
  app.route("/decide", links);
}

async function decide(http: Page, opened: Opened, posted: Posted): Promise<Response> {
  const { link, recipient, decision } = opened;
  const { email, requireCode = false, destinationId = "" } = recipient;
  const isAnswer = posted.line("decision") !== "review";
  if (isAnswer && requireCode && email !== undefined) {
    const asked = await codePage(http, opened, { posted, email });
    if (asked !== null) return asked;
  }
  const name = email ?? (await destinationName(http, link.accountId, destinationId));
  const by = { kind: "link" as const, id: email ?? destinationId, name };
  const answerer = { by, via: "link" as const, requestId: http.get("requestId") };
  const caller = { accountId: link.accountId, pending: null };
  const id = link.decisionId;
  const reply = await decideBy(decision, posted, (body) =>
    answered(http.env, caller, { id, body, answerer }).catch((error: unknown) => {
      throw asClientError(error, http.get("requestId"));
    }),
  );
  if (reply.kind === "done") return outcome(http, reply.decision);
  // Somebody else was quicker.
  if (reply.sent.refusal?.status === 409)
    return plain(http, "Decision", reply.sent.refusal.message);
  return form(http, opened, reply.sent);
}

/** Reads a link, or answers why it cannot be used. Nothing is decided by it. */
async function open(http: Page): Promise<Opened | Response> {
  const link = await readLink(http.req.param("token") ?? "", settingsOf(http.env).ID_KEY);
  if (link === null) {
    const isTooMany = await hasFailedTooOften(http);
    const why = isTooMany
      ? "Too many links from your address were not valid. Try again in a minute."
      : CHANGED;
    return plain(http, "Link not valid", why, isTooMany ? 429 : 404);
  }
  const account = () => accountStub(http.env, link.accountId);
  const known = await callWithRetry(() => account().knownDecision(link.decisionId));
  if (known === null) return plain(http, "Decision not found", GONE, 410);
  const decision = shownDecision(known.decision);
  const { notify, escalateTo } = recipientsOf(known.rules);
  const recipient = [...notify, ...escalateTo].find(({ key }) => key === link.recipient);
  const identity = await readIdentity(http);
  const isForeign =
    identity !== null && recipient?.email !== undefined && identity.email !== recipient.email;
  if (recipient === undefined || isForeign) {
    return plain(
      http,
      "Link of somebody else",
      `${FOREIGN}${isForeign ? ` You are signed in as ${identity.email}.` : ""}`,
      403,
    );
  }
  if (decision.state !== "open") return outcome(http, decision);
  if (link.expiresAt <= Date.now()) return plain(http, "Link expired", EXPIRED, 410);
  return { link, recipient, decision };
}

const CHANGED =
  "This link is not valid: it is not whole, was changed, or belongs to another service. Open it from the message again.";
const GONE = "This decision no longer exists: its execution was deleted.";
const FOREIGN = "This link was sent to somebody else, so it decides nothing here.";
const EXPIRED = "This link has expired: nobody answered in time.";

async function form(http: Page, { decision }: Opened, sent: SentDecision | null) {
  const token = http.req.param("token") ?? "";
  const nonce = await nonceOf(token, Date.now(), settingsOf(http.env).ID_KEY);
  const hidden = <input type="hidden" name="nonce" value={nonce} />;
  const page = (
    <Alone title="Decision">
      <DecisionCard decision={decision} action={`/decide/${token}`} sent={sent} hidden={hidden} />
    </Alone>
  );
  return show(http, page, sent?.refusal?.status ?? 200);
}

const outcome = (http: Page, decision: DecisionRecord) =>
  show(
    http,
    <Alone title={outcomeLine(decision)}>
      <DecisionCard decision={decision} action="" />
    </Alone>,
  );

function plain(http: Page, title: string, text: Child, status: ContentfulStatusCode = 200) {
  return show(
    http,
    <Alone title={title}>
      <Notice tone="bad">{text}</Notice>
    </Alone>,
    status,
  );
}

/** Asks for the code that the recipient was sent; null once the right one was typed. */
async function codePage(
  http: Page,
  { link, decision }: Opened,
  asked: { posted: Posted; email: string },
) {
  const { posted, email } = asked;
  const { decisionId, recipient } = link;
  const account = () => accountStub(http.env, link.accountId);
  const code = posted.line("code");
  if (code !== "" && (await account().isDecisionCode(decisionId, recipient, code))) return null;
  const { origin } = new URL(http.req.url);
  const isSent =
    code !== "" || (await account().sendDecisionCode(decisionId, recipient, email, origin));
  if (code !== "" && (await hasFailedTooOften(http))) {
    return plain(http, "Too many codes", "Too many wrong codes. Try again in a minute.", 429);
  }
  if (!isSent) return plain(http, "Too many codes", "Too many codes were sent for this link.", 429);
  const faults =
    code === "" ? NO_FAULTS : new Map([["code", "This is not the code, or it has expired."]]);
  const again = posted.entries.filter(([name]) => name !== "code");
  return show(
    http,
    <Alone title="Enter the code">
      <form method="post" class="card">
        <p>{`A code of six digits was sent to ${email}. It works for 10 minutes.`}</p>
        {again.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Input
          name="code"
          label="Code"
          faults={faults}
          more={{ inputmode: "numeric", autocomplete: "one-time-code", required: true }}
        />
        <button type="submit" class={posted.line("decision") === "deny" ? "danger" : "primary"}>
          {LABELS[posted.line("decision")] ?? "Send answer"}
        </button>
        <p class="muted">{decision.title}</p>
      </form>
    </Alone>,
    code === "" ? 200 : 422,
  );
}

const LABELS: Record<string, string> = {
  approve: "Approve tool call",
  deny: "Deny tool call",
  change: "Approve changed call",
};

async function destinationName(http: Page, accountId: string, destinationId: string) {
  const all = await callWithRetry(() => accountStub(http.env, accountId).listDestinations());
  return all.find((each) => each.destinationId === destinationId)?.name ?? destinationId;
}
