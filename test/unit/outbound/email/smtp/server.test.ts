import { describe, expect, it } from "vitest";
import { parseSmtpUrl } from "../../../../../src/outbound/email/smtp/server.ts";

describe("the address of a mail server", () => {
  it.each([
    [
      "smtps://agent%40example.com:p%3A%2F@mail.example.com",
      {
        host: "mail.example.com",
        port: 465,
        tls: "implicit",
        login: { user: "agent@example.com", password: "p:/" },
      },
    ],
    [
      "smtp://u:p@mail.example.com",
      {
        host: "mail.example.com",
        port: 587,
        tls: "starttls",
        login: { user: "u", password: "p" },
      },
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
    "smtp://127.1",
    "smtp://0x7f.0.0.1",
    "smtp://2130706433",
    "smtp://10.0.0.1",
    "smtp://[::ffff:127.0.0.1]",
    "smtp://LOCALHOST.",
  ])("%s is not taken for this machine, so it has to encrypt", (url) => {
    expect(parseSmtpUrl(url)).toMatchObject({ ok: true, server: { tls: "starttls" } });
  });

  it.each([
    "smtp://",
    "smtps:mail.example.com",
    "http://u:secret@host",
    "secret",
    "smtp://u:%zz@h",
  ])("%s is wrong, which is said without a word of it", (url) => {
    const parsed = parseSmtpUrl(url);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toMatch(/secret|%zz/);
  });
});
