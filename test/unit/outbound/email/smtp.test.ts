import { createServer } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { parseSmtpUrl, type SmtpServer, sendBySmtp } from "../../../../src/outbound/email/smtp.ts";
import { mailOf } from "../../../support/mail.ts";
import { LOGIN } from "../../../support/smtp/login.ts";
import { type SinkOptions, startSmtpSink } from "../../../support/smtp/sink.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function sink(options: SinkOptions = {}) {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
}

const TRUSTING = { rejectUnauthorized: false };

function send(server: Partial<SmtpServer> & { port: number }, tls: ConnectionOptions = TRUSTING) {
  return sendBySmtp(
    mailOf(),
    {
      server: { host: "127.0.0.1", tls: "none", login: null, ...server },
      now: () => new Date(),
      timeoutMs: 5_000,
      tls,
    },
    new AbortController().signal,
  );
}

describe("a remote server", () => {
  it.each(["starttls", "implicit"] as const)(
    "receives the login and e-mail encrypted by %s",
    async (tls) => {
      const { port, mails, written } = await sink({ implicitTls: tls === "implicit" });
      expect(await send({ port, tls, login: LOGIN })).toMatchObject({ kind: "sent" });
      expect(mails).toMatchObject([{ secure: true, user: LOGIN.user, to: ["ann@example.com"] }]);
      expect(written()).not.toMatch(/AUTH|MAIL|Hi Ann/);
    },
  );

  it("with an untrusted certificate receives neither login nor e-mail", async () => {
    const { port, mails, written } = await sink();
    expect(await send({ port, tls: "starttls", login: LOGIN }, {})).toMatchObject({
      kind: "refused",
    });
    expect(written()).not.toMatch(/AUTH|MAIL|Hi Ann/);
    expect(mails).toEqual([]);
  });

  it("without encryption receives neither login nor e-mail", async () => {
    const { port, mails, written } = await sink({ hideStartTls: true });
    expect(await send({ port, tls: "starttls", login: LOGIN })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("no encryption"),
    });
    expect(written()).toBe("EHLO prompthook.example\r\nSTARTTLS\r\n");
    expect(mails).toEqual([]);
  });

  it("that sends data before encryption is ignored", async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 hello\r\n");
      socket.on("data", (bytes) => {
        heard.push(String(bytes));
        if (heard.length === 1) socket.write("250-hello\r\n250 STARTTLS\r\n");
        else socket.write("220 go ahead\r\n250-injected\r\n250 AUTH PLAIN\r\n");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("there is no port");
    const outcome = await send({ port: address.port, tls: "starttls", login: LOGIN });
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(outcome).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("could not be reached"),
    });
    expect(heard.slice(0, 2)).toEqual(["EHLO prompthook.example\r\n", "STARTTLS\r\n"]);
    expect(heard.slice(2).join("")).not.toMatch(/AUTH|MAIL/);
  });
});

describe("a login", () => {
  it("uses LOGIN if PLAIN is not offered", async () => {
    const { port, mails } = await sink({ loginOnly: true });
    expect(await send({ port, login: LOGIN })).toMatchObject({ kind: "sent" });
    expect(mails).toMatchObject([{ user: LOGIN.user }]);
  });

  it("without a password is not tried", async () => {
    const { port, mails } = await sink();
    expect(await send({ port, login: { user: "agent", pass: "" } })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("without a password"),
    });
    expect(mails).toEqual([]);
  });

  it("that fails is reported without its content, even if the server repeats it", async () => {
    const { port, written } = await sink();
    const login = { user: "mallory", pass: "swordfish" };
    const wrong = await send({ port, login });
    expect(wrong).toMatchObject({ kind: "refused", reason: expect.stringContaining("535") });
    const command = /AUTH PLAIN (\S+)/.exec(written())?.[1] ?? "";
    const echo = await sink({
      fault: { at: "AUTH", what: { answer: `500 ${command} swordfish` } },
    });
    const echoed = await send({ port: echo.port, login });
    expect(echoed).toMatchObject({ kind: "refused", reason: expect.stringContaining("500") });
    for (const outcome of [wrong, echoed]) {
      expect(JSON.stringify(outcome)).not.toMatch(/mallory|swordfish/);
      expect(JSON.stringify(outcome)).not.toContain(command);
    }
  });
});

describe("the address of a mail server", () => {
  it.each([
    [
      "smtps://agent%40example.com:p%3A%2F@mail.example.com",
      {
        host: "mail.example.com",
        port: 465,
        tls: "implicit",
        login: { user: "agent@example.com", pass: "p:/" },
      },
    ],
    [
      "smtp://u:p@mail.example.com",
      { host: "mail.example.com", port: 587, tls: "starttls", login: { user: "u", pass: "p" } },
    ],
    [
      "smtp://mail.example.com:2525",
      { host: "mail.example.com", port: 2525, tls: "starttls", login: null },
    ],
    ["smtp://127.0.0.1:1025", { host: "127.0.0.1", port: 1025, tls: "none", login: null }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "none", login: null }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, tls: "none", login: null }],
    ["smtps://127.0.0.1", { host: "127.0.0.1", port: 465, tls: "implicit", login: null }],
  ])("%s", (url, server) => {
    expect(parseSmtpUrl(url)).toEqual({ ok: true, server });
  });

  it.each([
    "smtp://localhost.example.com",
    "smtp://127.0.0.1.example.com",
    "smtp://2130706433",
    "smtp://10.0.0.1",
    "smtp://[::ffff:127.0.0.1]",
    "smtp://LOCALHOST.",
  ])("%s is not this machine, so it must encrypt", (url) => {
    expect(parseSmtpUrl(url)).toMatchObject({ ok: true, server: { tls: "starttls" } });
  });

  it.each([
    "smtp://",
    "smtps:mail.example.com",
    "http://u:secret@host",
    "secret",
    "smtp://u:%zz@h",
  ])("%s is invalid, and reported without its content", (url) => {
    const parsed = parseSmtpUrl(url);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toMatch(/secret|%zz/);
  });
});
