import type { Json } from "../../../../contract/json.ts";
import { type EmailContent, emailContent } from "../../../../contract/tools/send-email.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { type Letter, subjectOf, textOf } from "../answer/mail-text.ts";
import { listed } from "../answer/words.ts";
import type { Desk } from "../desk.ts";
import type { MailOrder } from "../plan/mail.ts";
import { RECIPIENTS_ARE_WRITTEN } from "../plan/refusals.ts";
import type { Verdict } from "./verdict.ts";

/** What became of the e-mails. */
export interface Mailed {
  waiting: boolean;
  said: string[];
  notes: string[];
  /** How many orders were carried out: sent, or left where their condition does not hold. */
  done: number;
}

const NOT_SENT = { waiting: false, said: [], done: 0 };
const NO_TOOL =
  "No e-mail was sent: that needs the tool send_email, which is not among the tools of this run.";
const NO_ADDRESS = "No e-mail was sent: the prompt names no address to send it to.";
const SEVERAL =
  "No e-mail was sent: the prompt asks for several with contents of their own. Ask for one e-mail in each prompt.";
const NO_BLIND_COPY = "No blind copy was sent: there are only open copies (cc) here.";
const UNMET = "No e-mail was sent, because the condition for it does not hold.";
const UNCLEAR = "No e-mail was sent, because I cannot tell whether the condition for it holds.";
const doubted = (words: string): string =>
  `No e-mail was sent, because I did not understand "${words}".`;
const MAX_TO = 20;

/** What may keep anything from being sent. */
export interface May {
  verdict: Verdict;
  /** Words about the mails that no rule read. */
  doubt: string | null;
}

/** Sends the e-mails that were asked for, each once. */
export function sendMails(
  orders: readonly MailOrder[],
  letter: Letter,
  may: May,
  desk: Desk,
): Mailed {
  if (orders.length === 0 && may.doubt !== null) {
    return { ...NOT_SENT, notes: [doubted(may.doubt)] };
  }
  if (may.doubt !== null && !orders.some((one) => wasSent(one, desk))) {
    return { ...NOT_SENT, notes: [doubted(may.doubt)] };
  }
  if (orders.length > 1 && orders.some(({ own }) => own)) {
    return { ...NOT_SENT, notes: [SEVERAL] };
  }
  const all = orders.map((order) => sendMail(order, letter, may, desk));
  return {
    waiting: all.some(({ waiting }) => waiting),
    said: all.flatMap(({ said }) => said),
    notes: [...new Set(all.flatMap(({ notes }) => notes))],
    done: all.reduce((sum, { done }) => sum + done, 0),
  };
}

/** Whether a mail was made already, before a later message spoke of it. */
function wasSent({ message, to }: MailOrder, desk: Desk): boolean {
  return desk.was("send_email", message, (made) => sameRecipients(made, to));
}

function sendMail(order: MailOrder, letter: Letter, { verdict }: May, desk: Desk): Mailed {
  if (order.recipients === "found") return { ...NOT_SENT, notes: [RECIPIENTS_ARE_WRITTEN] };
  if (order.recipients === "missing") return { ...NOT_SENT, notes: [NO_ADDRESS] };
  if (!desk.has("send_email")) return { ...NOT_SENT, notes: [NO_TOOL] };
  const { to, cc, replyTo } = order;
  if (to.length > MAX_TO || cc.length > MAX_TO) {
    return {
      ...NOT_SENT,
      notes: [`No e-mail was sent: it may have ${MAX_TO} recipients at most.`],
    };
  }
  if (order.conditional && verdict.kind === "fails") {
    return { ...NOT_SENT, done: 1, said: [UNMET], notes: [] };
  }
  if (order.conditional && verdict.kind !== "holds") return { ...NOT_SENT, notes: [UNCLEAR] };
  if (order.text === null && letter.parts.length === 0) {
    return { ...NOT_SENT, notes: ["No e-mail was sent, because nothing was found to tell."] };
  }
  if ((order.attach || order.about === "file") && letter.files.length === 0) {
    return { ...NOT_SENT, notes: ["No e-mail was sent, because there is no file to attach."] };
  }
  const attachments = attached(order, letter) ? letter.files.slice(0, 10) : [];
  const input: Json = {
    to,
    ...(cc.length === 0 ? {} : { cc }),
    ...(replyTo === null ? {} : { replyTo }),
    subject: subjectOf(order, letter),
    text: textOf(order, letter, attachments.length > 0),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(letter.sources.length === 0 || order.text !== null
      ? {}
      : { sources: letter.sources.slice(0, 50) }),
  };
  if (order.draft && !wasSent(order, desk)) {
    const draft = `No e-mail was sent to ${listed(to)}, as you said. It would read, under "${subjectOf(order, letter)}":\n\n${textOf(order, letter, attachments.length > 0)}`;
    return { ...NOT_SENT, done: 1, said: [draft], notes: [] };
  }
  const blind = order.blind ? [NO_BLIND_COPY] : [];
  const done = desk.once("send_email", input, order.message, (made) => sameRecipients(made, to));
  if (done === null) return { ...NOT_SENT, waiting: true, notes: blind };
  const whom = listed(to);
  if (!done.answer.ok) {
    return { ...NOT_SENT, notes: [...blind, notSent(whom, done.answer.error)] };
  }
  const content = emailContent.safeParse(done.answer.content);
  const said = content.success ? sayings(content.data, whom) : `Sent an e-mail to ${whom}.`;
  return { waiting: false, done: 1, said: [said], notes: blind };
}

/** A file goes along when it was asked for, or when the mail is about it rather than a summary of it. */
function attached({ attach, about }: MailOrder, { files }: Letter): boolean {
  return files.length > 0 && (attach || about !== "summary");
}

function sameRecipients(input: Json, to: readonly string[]): boolean {
  return isObject(input) && JSON.stringify(input.to) === JSON.stringify(to);
}

function sayings({ route, subject, attachments }: EmailContent, whom: string): string {
  const files = attachments.map(({ filename }) => filename);
  const along = files.length === 0 ? "" : `, with ${listed(files)} attached`;
  return route === "outbox"
    ? `Wrote an e-mail to ${whom} with the subject "${subject}"${along}. It is kept in the outbox: this deployment delivers none.`
    : `Sent an e-mail to ${whom} with the subject "${subject}"${along}.`;
}

/** Why there was no e-mail; nothing of this is tried again. */
function notSent(whom: string, { code, message }: { code: string; message: string }): string {
  if (code === "denied") return `The e-mail to ${whom} was not sent: you did not allow it.`;
  if (code === "uncertain" || code === "interrupted") {
    return `Whether the e-mail to ${whom} was sent is not known: ${message} It is not sent again.`;
  }
  return `The e-mail to ${whom} was not sent: ${message}`;
}
