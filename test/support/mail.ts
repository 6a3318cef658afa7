import type { Email } from "../../src/agent/tools/send-email.ts";

/** A mail of which only what matters is said. */
export function mailOf(changes: Partial<Email> = {}): Email {
  return {
    messageId: "0123456789abcdef@prompthook.example",
    from: "agent@prompthook.example",
    to: ["ann@example.com"],
    cc: [],
    replyTo: null,
    subject: "Hello",
    text: "Hi Ann.",
    attachments: [],
    ...changes,
  };
}

/** What some reader of a header takes for its end. */
export const BREAKS: [name: string, text: string][] = [
  ["CR LF", "\r\n"],
  ["a bare CR", "\r"],
  ["a bare LF", "\n"],
  ["a folded line", "\r\n "],
  ["NUL", "\0"],
  ["a vertical tab", "\v"],
  ["a form feed", "\f"],
  ["NEL", "\u0085"],
  ["LINE SEPARATOR", "\u2028"],
  ["PARAGRAPH SEPARATOR", "\u2029"],
];
