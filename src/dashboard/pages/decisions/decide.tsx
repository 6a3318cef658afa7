import { Hono } from "hono";
import { type DecisionRecord, outcomeLine } from "../../../contract/decisions.ts";
import { hasFailedTooOften } from "../../../http/authentication.ts";
import type { AppEnv } from "../../../http/context.ts";
import {
  answerByLink,
  formNonce,
  isCode,
  isFormNonce,
  type KnownLink,
  openLink,
  sendCode,
} from "../../../http/decisions.ts";
import { Submit } from "../../components/elements.tsx";
import { Alone, show } from "../../components/layout.tsx";
import { asClientError, type DashboardEnv, type Page } from "../../context.ts";
import { errorPage, invalidLink, plain } from "../../error-page.tsx";
import { NO_FAULTS } from "../../forms/errors.ts";
import { SingleControl } from "../../forms/fields.tsx";
import { type FormState, field } from "../../forms/form.ts";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { ownForms, pageHeaders, SECRET_ADDRESS } from "../../page-protection.ts";
import { readIdentity } from "../../session.ts";
import { asksForReview, decideBy, decisionState } from "./answer.ts";
import { DecisionCard } from "./card.tsx";

/**
 * Serves the links that recipients of decisions get. Programs that check mails open every link, so GET and
 * HEAD only show: the form decides, sent from the page itself. The reader has no session.
 */
export function mountDecisionLinks(app: Hono<AppEnv>): void {
  const links = new Hono<DashboardEnv>();
  links.use(pageHeaders("'self'"), SECRET_ADDRESS, ownForms);

  links.get("/:token", async (http) => {
    const opened = await open(http);
    return opened instanceof Response ? opened : form(http, opened);
  });

  links.post("/:token", async (http) => {
    const opened = await open(http);
    if (opened instanceof Response) return opened;
    const posted = await postedForm(http);
    if (!(await isFormNonce(http.env, http.req.param("token"), posted.line("nonce")))) {
      const message = "This page was open for too long. Check the call and answer again.";
      const refusal = { status: 400, message, faults: NO_FAULTS } as const;
      return form(http, opened, { ...decisionState(opened.decision, posted), refusal });
    }
    return decide(http, opened, posted);
  });
  links.onError(errorPage);
  app.route("/decide", links);
}

async function decide(http: Page, opened: KnownLink, posted: Posted): Promise<Response> {
  const isReview = asksForReview(opened.decision, posted);
  const needsCode = opened.recipient.requireCode === true && !isReview;
  const asked = needsCode ? await codePage(http, opened, posted) : null;
  if (asked !== null) return asked;
  const requestId = http.get("requestId");
  const reply = await decideBy(opened.decision, posted, (body) =>
    answerByLink(http.env, opened, { body, requestId }).catch((error: unknown) => {
      throw asClientError(error, requestId);
    }),
  );
  if (reply.kind === "done") return outcome(http, reply.decision);
  const { refusal } = reply.state;
  // Somebody else was quicker.
  return refusal?.status === 409
    ? plain(http, "Decision", refusal.message)
    : form(http, opened, reply.state);
}

/** Reads a link, or answers why it cannot be used. */
async function open(http: Page): Promise<KnownLink | Response> {
  const opened = await openLink(http.env, http.req.param("token") ?? "");
  switch (opened.kind) {
    case "unsigned":
      return invalidLink(http, CHANGED);
    case "gone":
      return plain(http, "Decision not found", GONE, 410);
    case "foreign":
      return plain(http, "Link of somebody else", FOREIGN, 403);
    case "known": {
      const { link, recipient, decision } = opened;
      const reader = await readIdentity(http);
      if (reader !== null && recipient.email !== undefined && reader.email !== recipient.email) {
        const who = `${FOREIGN} You are signed in as ${reader.email}.`;
        return plain(http, "Link of somebody else", who, 403);
      }
      if (decision.state !== "open") return outcome(http, decision);
      if (link.expiresAt <= Date.now()) return plain(http, "Link expired", EXPIRED, 410);
      return opened;
    }
  }
}

const CHANGED =
  "This link is not valid: it is not whole, was changed, or belongs to another service. Open it from the message again.";
const GONE = "This decision no longer exists: its execution was deleted.";
const FOREIGN = "This link was sent to somebody else, so it decides nothing here.";
const EXPIRED = "This link has expired: nobody answered in time.";

async function form(http: Page, { decision }: KnownLink, sent?: FormState) {
  const token = http.req.param("token") ?? "";
  const nonce = await formNonce(http.env, token);
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

/** Asks for the code that the recipient was sent; null once the right one was typed. */
async function codePage(http: Page, opened: KnownLink, posted: Posted): Promise<Response | null> {
  const code = posted.line("code");
  if (code !== "") {
    if (await isCode(http.env, opened, code)) return null;
    if (await hasFailedTooOften(http)) {
      return plain(http, "Too many codes", "Too many wrong codes. Try again in a minute.", 429);
    }
  } else if (!(await sendCode(http.env, opened, new URL(http.req.url).origin))) {
    return plain(http, "Too many codes", "Too many codes were sent for this link.", 429);
  }
  const wrong = new Map([["code", "Wrong or expired code. Open the link again for another."]]);
  const again = posted.texts.filter(([name]) => name !== "code");
  return show(
    http,
    <Alone title="Enter the code">
      <form method="post" class="card">
        <p>{`A code was sent to ${opened.recipient.email}. It works for 10 minutes.`}</p>
        {again.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <SingleControl
          name="code"
          field={field.line("Code", { required: true })}
          faults={code === "" ? NO_FAULTS : wrong}
          more={{ inputmode: "numeric", autocomplete: "one-time-code" }}
        />
        <Submit>Confirm answer</Submit>
        <p class="muted">{opened.decision.title}</p>
      </form>
    </Alone>,
    code === "" ? 200 : 422,
  );
}
