import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import type { Email } from "../../../../src/agent/tools/send-email.ts";
import { composeMessage } from "../../../../src/outbound/email/compose.ts";
import { mailOf } from "../../../support/mail.ts";

const NOW = new Date("2026-11-21T09:08:07.000Z");

async function composed(changes: Partial<Email> = {}): Promise<string> {
  const made = await composeMessage(mailOf(changes), NOW);
  if (!made.ok) throw new Error(made.fault);
  return made.message;
}

const file = (filename: string, mediaType = "text/csv", bytes = new Uint8Array([1, 2, 255])) => ({
  filename,
  mediaType,
  bytes,
});

/** The names of the headers, as a reader that knows only lines and folding sees them. */
function headerNames(message: string): string[] {
  const head = message.slice(0, message.indexOf("\r\n\r\n"));
  return head
    .split("\r\n")
    .filter((line) => !/^[ \t]/.test(line))
    .map((line) => line.slice(0, line.indexOf(":")));
}

describe("a message", () => {
  it("has just the headers that are meant, in ASCII", async () => {
    const message = await composed({ cc: ["bob@example.com"], replyTo: "desk@example.com" });
    expect(message).toBe(
      [
        "Date: Sat, 21 Nov 2026 09:08:07 +0000",
        "From: agent@prompthook.example",
        "To: ann@example.com",
        "Cc: bob@example.com",
        "Reply-To: desk@example.com",
        "Subject: Hello",
        "Message-ID: <0123456789abcdef@prompthook.example>",
        "Auto-Submitted: auto-generated",
        "Content-Transfer-Encoding: 7bit",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "",
        "Hi Ann.",
        "",
      ].join("\r\n"),
    );
  });

  it("is not composed with a line break in its subject", async () => {
    const made = await composeMessage(mailOf({ subject: "x\r\nBcc: evil@evil.com" }), NOW);
    expect(made).toMatchObject({ ok: false });
  });

  it("shows text that looks like an encoded word unchanged", async () => {
    const subject = "=?utf-8?Q?=0D=0ABcc:_evil@evil.com?=";
    const message = await composed({ subject });
    expect(message).not.toContain("=0D=0A");
    expect((await PostalMime.parse(message)).subject).toBe(subject);
  });

  it("keeps any subject, text and file names, in lines of 78 characters at most", {
    timeout: 30_000,
  }, async () => {
    const visible = fc
      .string({ unit: "binary", minLength: 1, maxLength: 100 })
      .map((text) => text.replace(/[\p{Cc}\u2028\u2029\p{Cs}]/gu, "_"));
    const name = visible.map((text) =>
      `x${text.replace(/[/\\]/g, "_").slice(0, 40)}`.toWellFormed(),
    );
    await fc.assert(
      fc.asyncProperty(
        visible,
        fc.string({ unit: "binary", minLength: 1 }).map((text) => text.replace(/\r\n?/g, "\n")),
        fc.uniqueArray(name, { maxLength: 3 }),
        async (subject, text, names) => {
          const message = await composed({
            subject,
            text,
            attachments: names.map((filename) => file(filename)),
          });
          expect(message).toMatch(/^[\x20-\x7e\r\n\t]*$/);
          expect(message.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
          expect(Math.max(...message.split("\r\n").map(({ length }) => length))).toBeLessThan(79);
          const read = await PostalMime.parse(message);
          expect(read.subject).toBe(subject);
          expect(read.text?.trimEnd()).toBe(text.toWellFormed().trimEnd());
          expect(read.attachments.map(({ filename }) => filename)).toEqual(names);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("is read back with twenty long addresses in lines of their own", async () => {
    const to = Array.from(
      { length: 20 },
      (_, i) => `${"a".repeat(60)}${i}@${"b".repeat(60)}.example`,
    );
    const message = await composed({ to, cc: to });
    expect(Math.max(...message.split("\r\n").map(({ length }) => length))).toBeLessThan(998);
    const read = await PostalMime.parse(message);
    expect(read.to?.map(({ address }) => address)).toEqual(to);
    expect(read.cc?.map(({ address }) => address)).toEqual(to);
    expect(headerNames(message)).not.toContain("Bcc");
  });

  it("carries files byte for byte", async () => {
    const bytes = Uint8Array.from({ length: 7_000 }, (_, index) => index % 251);
    const read = await PostalMime.parse(
      await composed({ attachments: [file("a.bin", "image/png", bytes)] }),
    );
    const [attachment] = read.attachments;
    expect(attachment).toMatchObject({ filename: "a.bin", mimeType: "image/png" });
    expect(new Uint8Array(attachment?.content as ArrayBuffer)).toEqual(bytes);
    expect(read.text?.trim()).toBe("Hi Ann.");
  });

  it("cannot be ended by its text, nor split into parts of its own", async () => {
    const boundaryOf = (message: string) => /boundary="([^"]+)"/.exec(message)?.[1];
    const boundary = boundaryOf(await composed({ attachments: [file("a.csv")] }));
    const text = `--${boundary}--\n.\n--${boundary}\nContent-Type: text/html\n\n<b>x</b>`;
    const message = await composed({ text, attachments: [file("a.csv")] });
    expect(boundaryOf(message)).not.toBe(boundary);
    const read = await PostalMime.parse(message);
    expect(read.text?.trim()).toBe(text);
    expect(read.html).toBeUndefined();
    expect(read.attachments).toHaveLength(1);
  });

  it("has no header that the media type of a file smuggles in", async () => {
    const message = await composed({ attachments: [file("a.csv", "text/csv\r\nX-Evil: 1")] });
    expect(message).toMatch(/^Content-Type: application\/octet-stream; name=a\.csv\r$/m);
    expect(message).not.toContain("X-Evil");
  });
});
