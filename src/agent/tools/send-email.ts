import { failedAnswer, type OutputFile, type ToolAnswer } from "../../contract/tools/call.ts";
import {
  type EmailContent,
  type EmailOutput,
  type EmailRoute,
  emailAddress,
  type SendEmailInput,
  sendEmailInput,
} from "../../contract/tools/write.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { cutNote, preview, withNote } from "../../lib/text.ts";
import { basisOf } from "./cuts.ts";
import { requireCalls } from "./source-content.ts";
import {
  answering,
  fail,
  type NewOutput,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";

/** An e-mail. */
export interface Email {
  /** The message id without angle brackets. A repeated call has the same. */
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string;
  text: string;
  attachments: OutputFile[];
}

/** The result of sending an e-mail. A reason is a sentence for the user, without secrets. */
export type SendResult =
  | { kind: "sent"; messageId: string }
  /** It certainly reached nobody. */
  | { kind: "refused"; reason: string }
  /** It was sent without a response. */
  | { kind: "uncertain"; reason: string };

/** Sends the e-mail of this deployment. */
export interface Mailer {
  readonly route: EmailRoute;
  /** The sender of every e-mail; null while the operator has not set one. */
  readonly from: string | null;
  /** The recipients that the operator allows the account, or all accounts. */
  readonly allowedRecipients: readonly string[];
  /** Returns within two minutes; throws only the signal's reason and internal errors. */
  send(mail: Email, signal: AbortSignal): Promise<SendResult>;
}

/** Sends e-mail. */
export const sendEmail = (mailer: Mailer): Tool<SendEmailInput> => ({
  name: "send_email",
  description:
    "Sends one plain-text e-mail, with the files of the named earlier calls attached. " +
    "All recipients must be allowed by the operator, or nothing is sent. " +
    "Do not repeat a call whose answer is uncertain.",
  input: sendEmailInput,
  kind: "local",
  effect: ({ to, cc, subject }) => ({
    target: preview(`e-mail to ${[...to, ...cc].join(", ")}: ${subject}`),
  }),
  describe: ({ to }) => `Sending an e-mail to ${preview(to.join(", "))}`,
  run: answering("invalid_attachment", (input, context) => send(input, mailer, context)),
});

async function send(
  input: SendEmailInput,
  mailer: Mailer,
  context: ToolContext,
): Promise<ToolResult> {
  const { from } = mailer;
  if (from === null) return fail(NO_SENDER, "not_configured");
  const to = unique(input.to);
  const cc = unique([...to, ...input.cc]).slice(to.length);
  const { replyTo = null } = input;
  // Replies go to it, so it is a recipient like the others.
  const reached = [...to, ...cc, ...(replyTo === null ? [] : [replyTo])];
  const refused = unique(refusedRecipients(reached, mailer));
  if (refused.length > 0) {
    fail(notAllowed(refused, mailer.allowedRecipients), "recipient_not_allowed");
  }
  requireCalls([...input.sources, ...input.attachments], context);
  const basedOn = [...new Set([...basisOf(input.sources, context), ...input.attachments])];
  const note = cutNote(context.cutsOf(basedOn));
  const mail: Email = {
    messageId: await messageIdOf(context.idempotencyKey, from),
    from,
    to,
    cc,
    replyTo,
    subject: input.subject,
    text: withNote(input.text, "text/plain", note),
    attachments: attachmentsOf(input.attachments, context),
  };
  const dispatch = await mailer.send(mail, context.signal);
  if (dispatch.kind !== "sent") return { answer: notSent(dispatch) };
  const sent = sentMail(mail, dispatch.messageId, mailer.route);
  return {
    answer: { ok: true, content: contentOf(sent, note) },
    basedOn,
    outputs: [outputOf(sent)],
  };
}

const NO_SENDER =
  "E-mail is not set up: the operator must set EMAIL_FROM to the sender's address. Nothing was sent.";

/** Returns each address once, ignoring case. */
function unique(addresses: string[]): string[] {
  const seen = new Map(addresses.toReversed().map((address) => [address.toLowerCase(), address]));
  return [...seen.values()].toReversed();
}

function notAllowed(refused: string[], allowed: readonly string[]): string {
  return allowed.length === 0
    ? "No recipients are allowed yet. The operator must allow addresses, @domain, or * for everybody: for the account (`emailRecipients`) or for all (EMAIL_ALLOWED_RECIPIENTS). Nothing was sent."
    : `The operator does not allow e-mail to or replies from ${refused.join(", ")}: neither the account's \`emailRecipients\` nor EMAIL_ALLOWED_RECIPIENTS covers it. Nothing was sent.`;
}

function notSent(dispatch: Exclude<SendResult, { kind: "sent" }>): ToolAnswer {
  const { reason } = dispatch;
  if (dispatch.kind === "refused")
    return failedAnswer("not_sent", `The e-mail was not sent: ${reason}`);
  return failedAnswer("uncertain", `${reason} It is not known whether the e-mail was sent.`);
}

const IN_OUTBOX = "This deployment delivers no e-mail. The e-mail is stored in the result.";

/** Returns an e-mail as it was sent. */
function sentMail(mail: Email, messageId: string, route: EmailRoute): EmailOutput {
  const { from, to, cc, replyTo, subject, text } = mail;
  const attachments = mail.attachments.map(({ filename, bytes }) => {
    return { filename, sizeBytes: bytes.length };
  });
  const answered = replyTo === null ? {} : { replyTo };
  return { messageId, route, from, to, cc, ...answered, subject, text, attachments };
}

/** Returns the answer to the model, which wrote the text and knows it. */
function contentOf(sent: EmailOutput, note: string | null): EmailContent {
  const { from: _, replyTo: __, text: ___, ...shown } = sent;
  const notes = [
    ...(sent.route === "outbox" ? [IN_OUTBOX] : []),
    ...(note === null ? [] : [`Below the text is: "${note}"`]),
  ];
  return { ...shown, notes };
}

/** Returns the e-mail as an output, which is also the outbox of a deployment without delivery. */
function outputOf(value: EmailOutput): NewOutput {
  const label = preview(`E-mail to ${value.to.join(", ")}`);
  return { nodeType: "EMAIL", type: "json", mediaType: "application/json", label, value };
}

/** Returns the addresses that the operator's list does not cover. */
export function refusedRecipients(
  addresses: readonly string[],
  { route, allowedRecipients }: { route: EmailRoute; allowedRecipients: readonly string[] },
): string[] {
  // The outbox delivers nothing, so without a list every recipient is allowed.
  if (route === "outbox" && allowedRecipients.length === 0) {
    return addresses.filter((address) => partsOf(address) === null);
  }
  return addresses.filter((address) => !isAllowed(address, allowedRecipients));
}

/**
 * Whether a list of addresses, `@domain` and `*` covers an address, ignoring case. `@example.com` does
 * not cover subdomains, nor `ann@example.com` `ann+news@example.com`: only the receiving server knows
 * what those mean.
 */
export function isAllowed(address: string, list: readonly string[]): boolean {
  const parts = partsOf(address);
  if (parts === null) return false;
  const { local, domain } = parts;
  return list.some((entry) => {
    if (entry === "*") return true;
    const at = entry.lastIndexOf("@");
    if (at === -1 || asciiDomain(entry.slice(at + 1)) !== domain) return false;
    return at === 0 || entry.slice(0, at).toLowerCase() === local;
  });
}

/** Splits a plain ASCII address; any other is null and on no list. */
function partsOf(address: string): { local: string; domain: string } | null {
  if (!emailAddress.safeParse(address).success) return null;
  const [local, domain] = address.toLowerCase().split("@");
  return local === undefined || domain === undefined ? null : { local, domain };
}

/** Returns the ASCII form (RFC 5891) of a domain, which operators may write in Unicode. */
function asciiDomain(domain: string): string | null {
  // A character that ends the host of a URL would change the domain.
  if (/[\s/\\?#:@[\]%]/.test(domain)) return null;
  return URL.parse(`http://${domain}/`)?.hostname ?? null;
}

/**
 * The most bytes of all attachments of one e-mail. Encoded, and with the longest text, they stay under
 * the platform's 5 MiB; the other routes have the same limit, so that all accept the same e-mails.
 */
const MAX_BYTES = 3_500_000;

/** Returns the files of the calls, or the reason why they cannot be attached. */
function attachmentsOf(
  callIds: readonly string[],
  { files }: Pick<ToolContext, "files">,
): OutputFile[] {
  const attachments: OutputFile[] = [];
  let bytes = 0;
  for (const callId of new Set(callIds)) {
    const ofCall = files(callId);
    if (ofCall.length === 0) {
      fail(
        `The call ${callId} has no file outputs. Create a file with emit_output or write_spreadsheet and attach that call.`,
      );
    }
    attachments.push(...ofCall);
    bytes += ofCall.reduce((sum, file) => sum + file.bytes.length, 0);
    // Stops here: to load the other files as well could exhaust the memory.
    if (bytes > MAX_BYTES) {
      fail(`The attachments are larger than ${MAX_BYTES} bytes in total. Attach less.`);
    }
  }
  return attachments;
}

/**
 * Returns the message id of a call's e-mail at the sender's domain. A repeated call has the same id, so
 * that receivers recognise a copy; the hash reveals nothing about the execution.
 */
async function messageIdOf(idempotencyKey: string, from: string): Promise<string> {
  const hash = await sha256Hex(`e-mail:${idempotencyKey}`);
  return `${hash.slice(0, 32)}@${from.slice(from.lastIndexOf("@") + 1).toLowerCase()}`;
}
