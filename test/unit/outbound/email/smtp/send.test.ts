import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { sendBySmtp } from "../../../../../src/outbound/email/smtp/send.ts";
import type { SmtpServer } from "../../../../../src/outbound/email/smtp/server.ts";
import { mailOf } from "../../../../support/mail.ts";
import { LOGIN } from "../../../../support/smtp/login.ts";
import { connectNode } from "../../../../support/smtp/node-connection.ts";
import { type SinkOptions, startSmtpSink } from "../../../../support/smtp/sink.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function sink(options: SinkOptions = {}) {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
}

function send(server: Partial<SmtpServer> & { port: number }, mail = mailOf()) {
  return sendBySmtp(
    mail,
    {
      server: { host: "127.0.0.1", tls: "none", login: null, ...server },
      connect: connectNode,
      now: () => new Date(),
      timeouts: { prepareMs: 5_000, replyMs: 5_000 },
    },
    new AbortController().signal,
  );
}

describe("a server elsewhere", () => {
  it.each(["starttls", "implicit"] as const)("gets login and mail encrypted by %s", async (tls) => {
    const { port, mails, written } = await sink({ implicitTls: tls === "implicit" });
    expect(await send({ port, tls, login: LOGIN })).toMatchObject({ kind: "sent" });
    expect(mails).toMatchObject([{ secure: true, user: LOGIN.user, to: ["ann@example.com"] }]);
    expect(written()).not.toMatch(/AUTH|MAIL|Hi Ann/);
  });

  it("that offers no encryption is told neither login nor mail", async () => {
    const { port, mails, written } = await sink({ hideStartTls: true });
    expect(await send({ port, tls: "starttls", login: LOGIN })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("no encryption"),
    });
    expect(written()).toBe("EHLO prompthook.example\r\n");
    expect(mails).toEqual([]);
  });

  it("that speaks on before encryption began is not listened to", async () => {
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
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("before") });
    expect(heard).toEqual(["EHLO prompthook.example\r\n", "STARTTLS\r\n"]);
  });
});

describe("a login", () => {
  it("goes by LOGIN where PLAIN is not offered", async () => {
    const { port, mails } = await sink({ loginOnly: true });
    expect(await send({ port, login: LOGIN })).toMatchObject({ kind: "sent" });
    expect(mails).toMatchObject([{ user: LOGIN.user }]);
  });

  it("that fails is told without a word of it, even by a server that repeats it", async () => {
    const { port, written } = await sink();
    const login = { user: "mallory", password: "swordfish" };
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
