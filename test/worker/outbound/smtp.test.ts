import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import type { Email } from "../../../src/agent/tools/send-email.ts";
import { type SmtpServer, sendBySmtp } from "../../../src/outbound/email/smtp.ts";
import { mailOf } from "../../support/mail.ts";
import { LOGIN } from "../../support/smtp/login.ts";
import type { Fault, Stage } from "../../support/smtp/proxy.ts";
import { mailServer } from "../../support/worker/mail.ts";

interface Sending {
  server: Partial<SmtpServer> & { port: number };
  mail?: Email;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const PATIENT_MS = 8_000;

function send({ server, mail = mailOf(), timeoutMs = PATIENT_MS, signal }: Sending) {
  return sendBySmtp(
    mail,
    {
      server: { host: "127.0.0.1", tls: "none", login: null, ...server },
      now: () => new Date("2026-11-21T09:08:07.000Z"),
      timeoutMs,
    },
    signal ?? new AbortController().signal,
  );
}

describe("an e-mail by SMTP", () => {
  it("arrives as written", async () => {
    const server = await mailServer();
    const text = `Grüße 🍵\n.\n..two dots\n.Bcc: evil@evil.com\n\n${"long ".repeat(1_000)}\r\nend`;
    const mail = mailOf({
      to: ["ann@example.com", "carl@example.com"],
      cc: ["bob@example.com"],
      replyTo: "desk@example.com",
      subject: `Preise für „Tee“ ${"und mehr ".repeat(20)}`,
      text,
      attachments: [
        { filename: "Prices ü.csv", mediaType: "text/csv", bytes: new Uint8Array(300_000).fill(7) },
      ],
    });
    expect(await send({ server: { ...server, login: LOGIN }, mail })).toEqual({
      kind: "sent",
      messageId: mail.messageId,
    });
    const { mails } = await server.seen();
    const [taken] = mails;
    if (taken === undefined || mails.length > 1) throw new Error("not one mail");
    expect(taken).toMatchObject({
      from: mail.from,
      to: ["ann@example.com", "carl@example.com", "bob@example.com"],
      user: LOGIN.user,
    });
    const read = await PostalMime.parse(taken.raw);
    expect(read).toMatchObject({
      from: { address: mail.from, name: "" },
      messageId: `<${mail.messageId}>`,
      date: "2026-11-21T09:08:07.000Z",
      subject: mail.subject,
    });
    expect(read.text?.trimEnd()).toBe(text.replaceAll("\r\n", "\n"));
    expect(read.attachments).toMatchObject([{ filename: "Prices ü.csv", mimeType: "text/csv" }]);
  });

  it("reaches nobody if the server rejects one recipient", async () => {
    const server = await mailServer();
    const mail = mailOf({ cc: ["nobody@example.com"] });
    expect(await send({ server, mail })).toEqual({
      kind: "refused",
      reason: expect.stringMatching(
        /recipient nobody@example\.com with 550 .*No such user here\.$/,
      ),
    });
    expect((await server.seen()).mails).toEqual([]);
  });

  // By STARTTLS the runtime refuses it as well, but leaves a promise of its own unobserved.
  it("is not sent under an untrusted certificate", async () => {
    const server = await mailServer({ implicitTls: true });
    const outcome = await send({ server: { ...server, tls: "implicit", login: LOGIN } });
    expect(outcome).toMatchObject({ kind: "refused" });
    const { mails, written } = await server.left();
    expect(mails).toEqual([]);
    expect(written).not.toMatch(/AUTH|MAIL/);
  });

  it("fails if the server is unreachable", async () => {
    expect(await send({ server: { port: 1 } })).toEqual({
      kind: "refused",
      reason: "The mail server could not be reached, or closed the connection.",
    });
  });
});

const IMPATIENT_MS = 300;

async function faulty(at: Stage, what: Fault["what"]) {
  const server = await mailServer({ fault: { at, what } });
  const timeoutMs = what === "hang" ? IMPATIENT_MS : PATIENT_MS;
  const outcome = await send({ server: { ...server, login: LOGIN }, timeoutMs });
  return { outcome, seen: await server.left() };
}

describe("a failure before the end of the message is a refusal, as nothing was sent:", () => {
  it.each([
    ["CONNECT", { answer: "554-5.7.1 No\r\n554 5.7.1 thanks" }, "554"],
    ["CONNECT", { answer: "What?" }, "not SMTP"],
    ["CONNECT", "hang", "within 0.3 seconds"],
    ["AUTH", { answer: "What?" }, "not SMTP"],
    ["MAIL", { answer: "451 4.3.0 Try later" }, "451"],
    ["RCPT", "end", "closed the connection"],
    ["DATA", { answer: "554-5.7.1 No\r\n554 5.7.1 thanks" }, "554"],
    ["DATA", "hang", "within 0.3 seconds"],
    ["DATA", "reset", "closed the connection"],
  ] as const)("at %s, by %j", async (at, what, reason) => {
    const { outcome, seen } = await faulty(at, what);
    expect(outcome).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
    expect(seen.mails).toEqual([]);
  });
});

describe("after the end of the message", () => {
  it.each([
    [{ answer: "554 5.7.1 Looks like spam" }, "refused", "554 5.7.1 Looks like spam."],
    [{ answer: "What?" }, "uncertain", "not SMTP"],
    [{ answer: "354 Go on" }, "uncertain", "354 Go on."],
    ["hang", "uncertain", "within 0.3 seconds"],
    ["end", "uncertain", "closed the connection"],
  ] as const)("%j leaves it %s: only a refusal is certain", async (what, kind, reason) => {
    const { outcome } = await faulty("END", what);
    expect(outcome).toEqual({ kind, reason: expect.stringContaining(reason) });
  });

  it("an e-mail whose response was lost is uncertain, for it has arrived", async () => {
    const { outcome, seen } = await faulty("END", "lose");
    expect(outcome).toMatchObject({ kind: "uncertain" });
    expect(seen.mails).toHaveLength(1);
  });
});

describe("an aborted e-mail", () => {
  it("ends its connection at once, and is not sent", async () => {
    const server = await mailServer({ fault: { at: "RCPT", what: "hang" } });
    const abort = new AbortController();
    const sending = send({ server, signal: abort.signal });
    setTimeout(() => abort.abort(new Error("stopped")), 100);
    await expect(sending).rejects.toThrow("stopped");
    expect((await server.left()).mails).toEqual([]);
  });

  it("opens no connection if it is aborted before it starts", async () => {
    const server = await mailServer();
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(send({ server, signal })).rejects.toThrow("stopped");
    expect((await server.seen()).written).toBe("");
  });
});
