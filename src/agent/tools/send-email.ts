import type { ToolAnswer } from "../../contract/tools/answer.ts";
import {
  type EmailContent,
  type EmailOutput,
  type EmailRoute,
  type SendEmailInput,
  sendEmailInput,
} from "../../contract/tools/send-email.ts";
import { preview } from "../../lib/preview.ts";
import type { Dispatch, Mail } from "../ports/email.ts";
import { failed } from "./failure.ts";
import { attachmentsOf } from "./send-email/attachments.ts";
import { messageIdOf } from "./send-email/message-id.ts";
import { refusedRecipients } from "./send-email/recipients.ts";
import type { NewOutput, Tool, ToolContext, ToolResult } from "./tool.ts";

/** The tool that sends e-mail. */
export const sendEmail: Tool<SendEmailInput> = {
  name: "send_email",
  description:
    "Sends one plain-text e-mail, with the files of earlier calls attached where they are named. " +
    "Only recipients that the operator allows are written to; if one is not, nobody is. " +
    "A call that is answered with uncertain must not be repeated.",
  input: sendEmailInput,
  effect: ({ to, cc, subject }) => ({
    target: preview(`e-mail to ${[...to, ...cc].join(", ")}: ${subject}`),
  }),
  describe: ({ to }) => `Sending an e-mail to ${preview(to.join(", "))}`,
  run,
};

async function run(input: SendEmailInput, context: ToolContext): Promise<ToolResult> {
  const { mailer } = context.ports;
  const to = unique(input.to);
  const cc = unique([...to, ...input.cc]).slice(to.length);
  const refused = refusedRecipients([...to, ...cc], mailer);
  if (refused.length > 0) return { answer: notAllowed(refused, mailer.allowedRecipients) };
  const unknown = input.sources.find((callId) => context.earlier(callId) === null);
  if (unknown) return { answer: failed("unknown_call", `There is no earlier call ${unknown}.`) };
  const files = attachmentsOf(input.attachments, context);
  if (!files.ok) return { answer: failed("invalid_attachment", files.message) };
  const mail: Mail = {
    messageId: await messageIdOf(context.idempotencyKey, mailer.from),
    from: mailer.from,
    to,
    cc,
    replyTo: input.replyTo ?? null,
    subject: input.subject,
    text: input.text,
    attachments: files.value,
  };
  const dispatch = await mailer.send(mail, context.signal);
  if (dispatch.kind !== "sent") return { answer: notSent(dispatch) };
  return {
    answer: { ok: true, content: contentOf(mail, dispatch.messageId, mailer.route) },
    basedOn: [...new Set([...input.sources, ...input.attachments])],
    outputs: [outputOf(mail, dispatch.messageId, mailer.route)],
  };
}

/** Each address once, whatever its case. */
function unique(addresses: string[]): string[] {
  const seen = new Map(addresses.toReversed().map((address) => [address.toLowerCase(), address]));
  return [...seen.values()].toReversed();
}

function notAllowed(refused: string[], allowed: readonly string[]): ToolAnswer {
  const message =
    allowed.length === 0
      ? "Nobody may be written to yet: the operator has to set EMAIL_ALLOWED_RECIPIENTS to addresses, to @domain, or to * for everybody. Nothing was sent."
      : `The operator does not allow e-mail to ${refused.join(", ")} (EMAIL_ALLOWED_RECIPIENTS). Nothing was sent, to nobody.`;
  return failed("recipient_not_allowed", message);
}

function notSent(dispatch: Exclude<Dispatch, { kind: "sent" }>): ToolAnswer {
  const { reason } = dispatch;
  if (dispatch.kind === "refused") return failed("not_sent", `The e-mail was not sent: ${reason}`);
  return failed("uncertain", `${reason} It is not known whether the e-mail was sent.`);
}

const IN_OUTBOX =
  "This deployment delivers no e-mail: the mail was kept in the outbox, to be looked at in the result.";

function contentOf(mail: Mail, messageId: string, route: EmailRoute): EmailContent {
  const { to, cc, subject } = mail;
  const notes = route === "outbox" ? [IN_OUTBOX] : [];
  return { messageId, route, to, cc, subject, attachments: listed(mail), notes };
}

/** The mail as the result shows it. Of a mail that leaves by no other route this is the outbox. */
function outputOf(mail: Mail, messageId: string, route: EmailRoute): NewOutput {
  const { from, to, cc, replyTo, subject, text } = mail;
  const value: EmailOutput = {
    messageId,
    route,
    from,
    to,
    cc,
    ...(replyTo === null ? {} : { replyTo }),
    subject,
    text,
    attachments: listed(mail),
  };
  return {
    nodeType: "EMAIL",
    type: "json",
    mediaType: "application/json",
    label: preview(`E-mail to ${to.join(", ")}`),
    value,
  };
}

function listed({ attachments }: Mail): EmailContent["attachments"] {
  return attachments.map(({ filename, bytes }) => ({ filename, sizeBytes: bytes.length }));
}
