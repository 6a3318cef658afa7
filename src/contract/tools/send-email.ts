import * as z from "zod";
import { listOf, open, textUpTo } from "../fields.ts";
import { callId } from "./call.ts";

/** One line without control characters: a CR or LF would begin another header (RFC 5322, section 2.2). */
export const headerLine = z
  .string()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line without control characters");

/** An address by itself, without a display name. An international domain is written as xn--. */
export const emailAddress = headerLine
  .min(3)
  .max(254)
  .pipe(z.email("must be one plain e-mail address, such as ann@example.com, without a name"));

export const sendEmailInput = open({
  to: listOf(emailAddress, 20, 1).describe("The addresses of the recipients."),
  cc: listOf(emailAddress, 20).default([]).describe("The addresses of copies."),
  replyTo: emailAddress.optional().describe("The address for replies."),
  subject: headerLine.min(1).max(300).describe("The subject, one line."),
  text: textUpTo(100_000).describe("The body as plain text."),
  attachments: listOf(callId, 10)
    .default([])
    .describe("Earlier calls whose file outputs are attached."),
  sources: listOf(callId, 50).default([]).describe("The calls that the text came from."),
});
export type SendEmailInput = z.infer<typeof sendEmailInput>;

const EMAIL_ROUTES = ["binding", "smtp", "outbox"] as const;
/** The route of e-mail: the platform's binding, SMTP, or the outbox, which delivers nothing. */
export type EmailRoute = (typeof EMAIL_ROUTES)[number];

/** The answer of `send_email`. */
export const emailContent = open({
  messageId: z.string(),
  route: z.enum(EMAIL_ROUTES),
  to: listOf(z.string()),
  cc: listOf(z.string()),
  subject: z.string(),
  attachments: listOf(open({ filename: z.string(), sizeBytes: z.int() })),
  notes: listOf(z.string()),
});
export type EmailContent = z.infer<typeof emailContent>;

/** The e-mail in the output of a call. */
export const emailOutput = emailContent.omit({ notes: true }).extend({
  from: z.string(),
  replyTo: z.string().exactOptional(),
  text: z.string(),
});
export type EmailOutput = z.infer<typeof emailOutput>;
